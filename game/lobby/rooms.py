"""Waiting rooms that nobody comes to any more: their hosts are asked, and some days later they are closed."""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from accounts.models import User
from game.infra.isolated import each_alone
from game.live import announce
from game.outbox import recording
from game.play import clocks, moves
from game.store import access, log_notes
from game.store.game import Game, GameQuerySet, Seat, Status
from game.store.locking import stir
from game.store.log import Kind, Notice

AT_ONCE = 50
NOTED_EVERY = timedelta(hours=12)  # no visit in between writes anything
log = structlog.get_logger("game.services.rooms")


def note_opened(*, game: Game, user: User, seats: list[Seat]) -> bool:
    """Somebody who sits here opened the page; whether the game was about to be closed, and is not any more."""
    if game.status != Status.WAITING or user.pk not in {seat.user_id for seat in seats}:
        return False
    was_closing = game.closes_at is not None
    if was_closing or game.now - game.stirred_at > NOTED_EVERY:
        stir(game.pk)
    return was_closing


def close_idle() -> int:
    """Close the waiting rooms whose hosts were asked in time and did nothing, and ask those whose turn it is; how many
    were closed."""
    waiting = Game.objects.filter(status=Status.WAITING)
    closed = each_alone(_close, _first(waiting.filter(closes_at__lte=Now()).order_by("closes_at")))
    quiet = timedelta(days=settings.WAITING_DAYS - settings.WAITING_NOTICE_DAYS)
    for key in _first(waiting.filter(closes_at=None, stirred_at__lte=Now() - quiet).order_by("stirred_at")):
        _ask(key, quiet)
    return closed


def _first(games: GameQuerySet) -> list[int]:
    return list(games.values_list("pk", flat=True)[:AT_ONCE])


@transaction.atomic
def _ask(game_id: int, quiet: timedelta) -> None:
    """Tell the host when the game will be closed, unless somebody has been here since."""
    game = moves.lock(game_id)
    if game is None or game.status != Status.WAITING or game.closes_at or game.now - game.stirred_at < quiet:
        return
    game.closes_at = game.now + timedelta(days=settings.WAITING_NOTICE_DAYS)
    game.save(update_fields=["closes_at"])
    asked_before = game.notices.filter(kind=Notice.Kind.CLOSING).count()
    _tell(game, Notice.Kind.CLOSING, asked_before, only=game.host_id)


@transaction.atomic
def _close(game_id: int) -> bool:
    """Close it, unless somebody has been here since."""
    game = moves.lock(game_id)
    if game is None or game.status != Status.WAITING or game.closes_at is None or game.closes_at > game.now:
        return False
    game.status = Status.ABANDONED
    clocks.note_on_log(game=game, kind=Kind.ENDING, note=log_notes.NOBODY_CAME)
    game.save(update_fields=["status", "version", "entries"])
    access.forget_invitees(game)
    tell_closed(game)
    announce.tell_game(game.pk, game.version)
    log.info("waiting_room_closed", game=game_id)
    return True


def tell_closed(game: Game, *, by: int | None = None) -> None:
    """Everybody who sits in a locked game that was closed before it began, but who has done it."""
    _tell(game, Notice.Kind.CLOSED, game.entries, but=by)


def _tell(game: Game, kind: Notice.Kind, serial: int, *, only: int | None = None, but: int | None = None) -> None:
    """The people who sit here, or only one or all but one of them, at whatever pace the game was to be played."""
    seats = game.seats.filter(user__isnull=False, bot="", user__is_bot=False).order_by("number")
    people = [(seat, seat.user_id or 0) for seat in seats if only in {None, seat.user_id} and seat.user_id != but]
    recording.notify(game=game, people=people, kind=kind, serial=serial, due_at=game.now)
