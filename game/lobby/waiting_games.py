"""Waiting rooms: lock one for a change; warn the host of an abandoned one, and close it a few days later."""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from accounts import limits
from accounts.models import User
from game.engine.actions import Refused
from game.infra.calls import for_each_isolated
from game.outbox import notices
from game.play import authority, door, moves
from game.play.authority import UNFINISHED
from game.store import eyes, readers
from game.store.game import Game, GameQuerySet, Seat, Status
from game.store.log import Kind, Notice
from game.store.log_notes import Sentence
from game.store.readers import stir

BATCH_SIZE = 50
VISIT_INTERVAL = timedelta(hours=12)  # visits within this time write nothing
log = structlog.get_logger("game.services.rooms")


def record_visit(*, game: Game, user: User, seats: list[Seat]) -> bool:
    """Record that a player opened the page. Returns whether this kept the room from being closed."""
    if game.status != Status.WAITING or user.pk not in {seat.user_id for seat in seats}:
        return False
    was_closing = game.closes_at is not None
    if was_closing or game.now - game.stirred_at > VISIT_INTERVAL:
        stir(game.pk)
    return was_closing


def close_idle() -> int:
    """Close the rooms whose hosts were warned and did nothing, and warn those that are due. Returns how many were
    closed."""
    waiting = Game.objects.filter(status=Status.WAITING)
    closed_count = for_each_isolated(_close_room, _batch_of(waiting.filter(closes_at__lte=Now()).order_by("closes_at")))
    idle_time = timedelta(days=settings.WAITING_DAYS - settings.WAITING_NOTICE_DAYS)
    for game_id in _batch_of(waiting.filter(closes_at=None, stirred_at__lte=Now() - idle_time).order_by("stirred_at")):
        _warn_host(game_id, idle_time)
    return closed_count


def _batch_of(games: GameQuerySet) -> list[int]:
    return list(games.values_list("pk", flat=True)[:BATCH_SIZE])


@transaction.atomic
def _warn_host(game_id: int, idle_time: timedelta) -> None:
    """Tell the host when the room will be closed, unless somebody has visited since."""
    game = moves.lock(game_id)
    if game is None or game.status != Status.WAITING or game.closes_at or game.now - game.stirred_at < idle_time:
        return
    game.closes_at = game.now + timedelta(days=settings.WAITING_NOTICE_DAYS)
    door.write(game)
    earlier_warnings = game.notices.filter(kind=Notice.Kind.CLOSING).count()
    _notify_players(game, Notice.Kind.CLOSING, earlier_warnings, only=game.host_id)


@transaction.atomic
def _close_room(game_id: int) -> bool:
    """Close the room, unless somebody has visited since."""
    game = moves.lock(game_id)
    if game is None or game.status != Status.WAITING or game.closes_at is None or game.closes_at > game.now:
        return False
    game.status = Status.ABANDONED
    door.write_note(game=game, kind=Kind.ENDING, note=Sentence.NOBODY_CAME())
    eyes.forget_invitees(game)
    notify_closed(game)
    log.info("waiting_room_closed", game=game_id)
    return True


def notify_closed(game: Game, *, by: int | None = None) -> None:
    """Notify the players of a locked game that was closed before it began, except the one who closed it."""
    _notify_players(game, Notice.Kind.CLOSED, game.entries, but=by)


def _notify_players(
    game: Game, kind: Notice.Kind, serial: int, *, only: int | None = None, but: int | None = None
) -> None:
    """Notify all players of the room, only one, or all but one, at any pace."""
    seats = game.seats.filter(user__isnull=False, bot="", user__is_bot=False).order_by("number")
    people = [(seat, seat.user_id or 0) for seat in seats if only in {None, seat.user_id} and seat.user_id != but]
    notices.notify(game=game, people=people, kind=kind, serial=serial)


def lock_waiting(game_id: int) -> Game:
    """Lock a game that waits for players, and count as activity in its waiting room. Raises `Refused`."""
    return check_waiting(lock_game(game_id))


def lock_game(game_id: int) -> Game:
    game = moves.lock(game_id)
    if game is None:
        raise Refused("There is no such game.", code="no_game")
    return game


def check_waiting(game: Game) -> Game:
    if game.status != Status.WAITING:
        raise Refused(
            "This game has already started." if game.has_position else "This game was cancelled.", code="not_waiting"
        )
    readers.stir(game.pk)
    return game


def lock_unfinished(game_id: int) -> Game:
    """Lock a game that waits for players or runs. Raises `Refused`."""
    game = lock_game(game_id)
    return game if game.has_position and game.status in UNFINISHED else check_waiting(game)


def lock_hosted(game_id: int, user: User) -> Game:
    """Lock a waiting game of this host. Raises `Refused`."""
    return _check_host(user, lock_waiting(game_id))


def lock_own(game_id: int, user: User) -> Game:
    """Lock a waiting or running game of this host. Raises `Refused`."""
    return _check_host(user, lock_unfinished(game_id))


def _check_host(user: User, game: Game) -> Game:
    """Rate-limited, because players and people looking for a game see each change. Raises `Refused`, and
    `limits.TooMany`."""
    authority.check_host(game, user)
    limits.spend("arrange", f"{user.pk}.{game.pk}")
    return game
