"""Notices held back (digest, quiet hours, ban, bounce): requeue them when the reason no longer applies."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from accounts import quiet_hours
from accounts.models import User
from game.outbox import webhook_events
from game.outbox.reminding import look_at
from game.outbox.webhook_models import Delivery
from game.store import open_questions
from game.store.game import Game, Status
from game.store.log import Notice
from game.store.preference_models import Channel

ENOUGH_FOR_TODAY = "It waits for the digest: the person was sent as many messages today as anybody is."
ON_SCREEN = "The reader has just been shown the decision on the board; it waits for a few minutes."
QUIET = "The reader has quiet hours; the browser is told at their end."
BANNED = "The reader is banned; it waits for the end of the ban."
UNSENT_FIELDS: dict[str, Any] = {"handed_at": None, "sent_at": None, "cancelled_at": None}
REQUEUED_FIELDS: dict[str, Any] = {**UNSENT_FIELDS, "due_at": Now(), "attempts": 0, "in_digest": False, "trouble": ""}
UNFINISHED = (Status.RUNNING, Status.PAUSED, Status.HELD)


def ask_again(*, user_id: int, came_back: bool = False) -> None:
    """Email open decisions and votes to a person who can be reached again. Notices that bounced (`came_back`) are sent
    again."""
    decisions = Q(kind=Notice.Kind.TURN, serial=F("game__phase_serial"))
    notices = Notice.objects.filter(decisions | Q(kind__in=open_questions.STANDS), user=user_id, channel=Channel.MAIL)
    notices = notices.filter(game__status__in=UNFINISHED)
    if not came_back:
        notices = notices.filter(handed_at=None)
    Notice.objects.filter(pk__in=notices.values("pk")).update(**REQUEUED_FIELDS)


def look_again(*, user_id: int, trouble: str) -> None:
    """Requeue the notices that wait for this reason."""
    Notice.objects.filter(**UNSENT_FIELDS, user=user_id, trouble=trouble).update(due_at=Now())


@transaction.atomic
def follow_hours(*, user: User) -> None:
    """Reschedule waiting notices after the person's quiet hours, digest hour or time zone have changed."""
    now, waiting = timezone.now(), Notice.objects.filter(**UNSENT_FIELDS, user=user)
    look_again(user_id=user.pk, trouble=QUIET)
    waiting.filter(in_digest=True, due_at__gt=now).update(due_at=quiet_hours.next_hour(user, user.digest_hour, now))
    _move_reminders(waiting.filter(kind=Notice.Kind.REMINDER), user, now)
    deliveries = Delivery.objects.filter(webhook__user=user, sent_at=None, cancelled_at=None, failed_at=None)
    _move_reminders(deliveries.filter(type=webhook_events.REMINDER), user, now)


def _move_reminders(waiting: QuerySet[Notice] | QuerySet[Delivery], user: User, now: datetime) -> None:
    """Reschedule reminders of open phases, as notices or webhook deliveries."""
    reminders = waiting.filter(serial=F("game__phase_serial")).order_by("pk")
    games = Game.objects.defer("state", "inputs").in_bulk(reminders.values_list("game_id", flat=True))
    for pk, game_id, due_at in reminders.values_list("pk", "game_id", "due_at"):
        due = _new_reminder_time(games[game_id], user, due_at, now)
        if due is not None:
            waiting.filter(pk=pk).update(due_at=due)


def _new_reminder_time(game: Game, user: User, due_at: datetime, now: datetime) -> datetime | None:
    """When to send a reminder: one that was scheduled may become due now; one that was not may come later or never."""
    if game.deadline_at is None or game.clock_since is None:
        return None
    return look_at(game, user, game.clock_since if due_at < game.deadline_at else now)
