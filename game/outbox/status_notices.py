"""Telling the people of a game that it is paused, on hold or resumed, and those who were reminded of a deadline that it
moved."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import F
from django.db.models.functions import Now

from game.outbox import recording, webhook_events
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.log import Notice

TOLD = {Status.PAUSED: Notice.Kind.PAUSED, Status.HELD: Notice.Kind.HELD, Status.RUNNING: Notice.Kind.RESUMED}
KINDS = frozenset(TOLD.values())
AGAIN = ("user", "due_at", "in_digest", "handed_at", "sent_at", "cancelled_at", "attempts", "trouble")


def tell(*, game: Game, but: Seat | None = None) -> None:
    """Tell everyone who plays in a locked game, except one, that it is now paused, on hold or resumed; its log has just
    said so. In a game of minutes, a pause is over before its email is read. A hold is not: its players have left."""
    kind = TOLD[Status(game.status)]
    is_mailed = game.pace != Pace.DEMO and (game.is_slow or kind == Notice.Kind.HELD or _was_told_of_hold(game))
    seats = game.seats.filter(user__isnull=False, bot="").exclude(keeper=Keeper.RESIGNED)
    people = [(seat, seat.user_id or 0) for seat in seats]
    told: dict[str, Any] = {"kind": kind, "serial": game.entries, "due_at": game.now}
    recording.notify(game=game, people=people, **told, is_mailed=is_mailed, but=but)


def tell_of_moves(games: Collection[Game]) -> None:
    """Tell those who were reminded of the open phases of these games, by the channel that told them, that their
    deadlines have moved: nobody is reminded a second time. Programs are told in any case. A few statements, however
    many games."""
    webhook_events.tell_of_moves(games)
    keys = [game.pk for game in games]
    reminded = Notice.objects.filter(
        kind=Notice.Kind.REMINDER, game__in=keys, serial=F("game__phase_serial"), user=F("seat__user")
    )
    seats = reminded.exclude(handed_at=None).values_list("game_id", "seat_id", "seat__user_id", "serial", "channel")
    moved = [
        Notice(game_id=game, seat_id=seat, user_id=user, serial=serial, channel=channel, kind=Notice.Kind.MOVED)
        for game, seat, user, serial, channel in seats
        if user is not None
    ]
    for notice in moved:
        notice.due_at = Now()  # type: ignore[assignment]
    key = ("seat", "kind", "serial", "channel")
    Notice.objects.bulk_create(moved, update_conflicts=True, unique_fields=key, update_fields=AGAIN)


def _was_told_of_hold(game: Game) -> bool:
    latest = game.notices.filter(kind__in=KINDS).order_by("-serial").first()
    return latest is not None and latest.kind == Notice.Kind.HELD
