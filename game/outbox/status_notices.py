"""Notices that a game was paused, held or resumed, and that a deadline people were reminded of has moved."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import F
from django.db.models.functions import Now

from game.outbox import recording, webhook_events
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.log import Notice

KIND_OF_STATUS = {Status.PAUSED: Notice.Kind.PAUSED, Status.HELD: Notice.Kind.HELD, Status.RUNNING: Notice.Kind.RESUMED}
KINDS = frozenset(KIND_OF_STATUS.values())
UPDATED_COLUMNS = ("user", "due_at", "in_digest", "handed_at", "sent_at", "cancelled_at", "attempts", "trouble")


def tell(*, game: Game, but: Seat | None = None) -> None:
    """Notify all players of a locked game, except one, that it is now paused, held or resumed, after its log entry.
    Fast games send no pause emails: the pause is over before anyone reads them. Holds are emailed, because the players
    have left."""
    kind = KIND_OF_STATUS[Status(game.status)]
    is_mailed = game.pace != Pace.DEMO and (game.is_slow or kind == Notice.Kind.HELD or _was_told_of_hold(game))
    seats = game.seats.filter(user__isnull=False, bot="").exclude(keeper=Keeper.RESIGNED)
    people = [(seat, seat.user_id or 0) for seat in seats]
    fields: dict[str, Any] = {"kind": kind, "serial": game.entries, "due_at": game.now}
    recording.notify(game=game, people=people, **fields, is_mailed=is_mailed, but=but)


def tell_of_moves(games: Collection[Game]) -> None:
    """Notify people who were reminded of the open phases of these games, by the same channel, that the deadlines have
    moved; nobody is reminded twice. Webhooks are always notified. A constant number of queries for any number of
    games."""
    webhook_events.tell_of_moves(games)
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
