"""Notices that a game was paused, held or resumed, and that a deadline people were reminded of has moved; and notices
held back (digest, quiet hours, ban, bounce), which are requeued when the reason no longer applies."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from accounts import quiet_hours
from accounts.models import User
from game.outbox import webhook_events
from game.outbox.models import Delivery
from game.outbox.notice_kinds import QUESTIONS
from game.outbox.notices import notify, players_of
from game.outbox.reminders import move_reminders
from game.outbox.webhook_types import REMINDER
from game.store.game import Game, Pace, Seat, Status
from game.store.log import Channel, Notice

KIND_OF_STATUS = {Status.PAUSED: Notice.Kind.PAUSED, Status.HELD: Notice.Kind.HELD, Status.RUNNING: Notice.Kind.RESUMED}
KINDS = frozenset(KIND_OF_STATUS.values())
UPDATED_COLUMNS = ("user", "due_at", "in_digest", "handed_at", "sent_at", "cancelled_at", "attempts", "trouble")


def notify_status(*, game: Game, but: Seat | None = None) -> None:
    """Notify all players of a locked game, except one, that it is now paused, held or resumed, after its log entry.
    Fast games send no pause emails: the pause is over before anyone reads them. Holds are emailed, because the players
    have left."""
    kind = KIND_OF_STATUS[Status(game.status)]
    is_mailed = game.pace != Pace.DEMO and (game.is_slow or kind == Notice.Kind.HELD or _was_told_of_hold(game))
    notify(game=game, people=players_of(game), kind=kind, serial=game.entries, is_mailed=is_mailed, but=but)


def notify_moved_deadlines(games: Collection[Game]) -> None:
    """Notify people who were reminded of the open phases of these games, by the same channel, that the deadlines have
    moved; nobody is reminded twice. Webhooks are always notified. A constant number of queries for any number of
    games."""
    webhook_events.queue_moved_deadlines(games)
    keys = [game.pk for game in games]
    reminders = Notice.objects.filter(
        kind=Notice.Kind.REMINDER, game__in=keys, serial=F("game__phase_serial"), user=F("seat__user")
    )
    seats = reminders.exclude(handed_at=None).values_list("game_id", "seat_id", "seat__user_id", "serial", "channel")
    notices = [
        Notice(game_id=game, seat_id=seat, user_id=user, serial=serial, channel=channel, kind=Notice.Kind.MOVED)
        for game, seat, user, serial, channel in seats
        if user is not None
    ]
    for notice in notices:
        notice.due_at = Now()  # type: ignore[assignment]
    key = ("seat", "kind", "serial", "channel")
    Notice.objects.bulk_create(notices, update_conflicts=True, unique_fields=key, update_fields=UPDATED_COLUMNS)


def _was_told_of_hold(game: Game) -> bool:
    latest = game.notices.filter(kind__in=KINDS).order_by("-serial").first()
    return latest is not None and latest.kind == Notice.Kind.HELD


ENOUGH_FOR_TODAY = "It waits for the digest: the person was sent as many messages today as anybody is."
ON_SCREEN = "The reader has just been shown the decision on the board; it waits for a few minutes."
QUIET = "The reader has quiet hours; the browser is told at their end."
BANNED = "The reader is banned; it waits for the end of the ban."
UNSENT_FIELDS: dict[str, Any] = {"handed_at": None, "sent_at": None, "cancelled_at": None}
REQUEUED_FIELDS: dict[str, Any] = {**UNSENT_FIELDS, "due_at": Now(), "attempts": 0, "in_digest": False, "trouble": ""}
UNFINISHED = (Status.RUNNING, Status.PAUSED, Status.HELD)


def requeue_open_questions(*, user_id: int, came_back: bool = False) -> None:
    """Email open decisions and votes to a person who can be reached again. Notices that bounced (`came_back`) are sent
    again."""
    decisions = Q(kind=Notice.Kind.TURN, serial=F("game__phase_serial"))
    notices = Notice.objects.filter(decisions | Q(kind__in=QUESTIONS.values()), user=user_id, channel=Channel.MAIL)
    notices = notices.filter(game__status__in=UNFINISHED)
    if not came_back:
        notices = notices.filter(handed_at=None)
    Notice.objects.filter(pk__in=notices.values("pk")).update(**REQUEUED_FIELDS)


def requeue_held_back(*, user_id: int, trouble: str) -> None:
    """Requeue the notices that wait for this reason."""
    Notice.objects.filter(**UNSENT_FIELDS, user=user_id, trouble=trouble).update(due_at=Now())


@transaction.atomic
def reschedule(*, user: User) -> None:
    """Reschedule waiting notices after the person's quiet hours, digest hour or time zone have changed."""
    now, waiting = timezone.now(), Notice.objects.filter(**UNSENT_FIELDS, user=user)
    requeue_held_back(user_id=user.pk, trouble=QUIET)
    waiting.filter(in_digest=True, due_at__gt=now).update(due_at=quiet_hours.next_hour(user, user.digest_hour, now))
    move_reminders(waiting.filter(kind=Notice.Kind.REMINDER), user, now)
    deliveries = Delivery.objects.filter(webhook__user=user, sent_at=None, cancelled_at=None, failed_at=None)
    move_reminders(deliveries.filter(type=REMINDER), user, now)
