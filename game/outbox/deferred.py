"""Notices that wait for more than their hour, and those that reached no one: checked again when the reason is gone, and
sent if they are still true."""

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
UNSENT: dict[str, Any] = {"handed_at": None, "sent_at": None, "cancelled_at": None}
AGAIN: dict[str, Any] = {**UNSENT, "due_at": Now(), "attempts": 0, "in_digest": False, "trouble": ""}
GOING_ON = (Status.RUNNING, Status.PAUSED, Status.HELD)


def ask_again(*, user_id: int, came_back: bool = False) -> None:
    """Email the decisions and votes that still wait for a person who can be reached again. A notice sent to an address
    from which it `came_back` has reached no one, and is sent once more."""
    decisions = Q(kind=Notice.Kind.TURN, serial=F("game__phase_serial"))
    asked = Notice.objects.filter(decisions | Q(kind__in=open_questions.STANDS), user=user_id, channel=Channel.MAIL)
    asked = asked.filter(game__status__in=GOING_ON)
    if not came_back:
        asked = asked.filter(handed_at=None)
    Notice.objects.filter(pk__in=asked.values("pk")).update(**AGAIN)


def look_again(*, user_id: int, trouble: str) -> None:
    """Check again what waits for this reason."""
    Notice.objects.filter(**UNSENT, user=user_id, trouble=trouble).update(due_at=Now())


@transaction.atomic
def follow_hours(*, user: User) -> None:
    """Let what waits for an hour of the person's day wait for the hour that it is now."""
    now, waiting = timezone.now(), Notice.objects.filter(**UNSENT, user=user)
    look_again(user_id=user.pk, trouble=QUIET)
    waiting.filter(in_digest=True, due_at__gt=now).update(due_at=quiet_hours.next_hour(user, user.digest_hour, now))
    _move_reminders(waiting.filter(kind=Notice.Kind.REMINDER), user, now)
    told = Delivery.objects.filter(webhook__user=user, sent_at=None, cancelled_at=None, failed_at=None)
    _move_reminders(told.filter(type=webhook_events.REMINDER), user, now)


def _move_reminders(waiting: QuerySet[Notice] | QuerySet[Delivery], user: User, now: datetime) -> None:
    """Those of open phases, of people or of their programs."""
    reminders = waiting.filter(serial=F("game__phase_serial")).order_by("pk")
    games = Game.objects.defer("state", "inputs").in_bulk(reminders.values_list("game_id", flat=True))
    for number, game_id, due_at in reminders.values_list("pk", "game_id", "due_at"):
        due = _reminded_at(games[game_id], user, due_at, now)
        if due is not None:
            waiting.filter(pk=number).update(due_at=due)


def _reminded_at(game: Game, user: User, due_at: datetime, now: datetime) -> datetime | None:
    """One that already waited for its time may be due at once; one for which there was no time comes later or not at
    all."""
    if game.deadline_at is None or game.clock_since is None:
        return None
    return look_at(game, user, game.clock_since if due_at < game.deadline_at else now)
