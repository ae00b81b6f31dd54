"""Checks of seats, hosts and powers under the lock that protects the action. Reads from before the lock do not count: a
seat may have changed hands since, or a power may have been revoked.

Code that changes one of these takes the same lock: the game's row for seats and host, the account's row for powers
(`game.store.account_locks`, which also names the order of locks). Seats of a game that has not started, and limits on
the games of an account, are checked here too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q

from accounts import limits
from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark
from game.play import door
from game.reputation import bans, households
from game.store import account_locks
from game.store.eyes import own_seats
from game.store.game import Game, Keeper, Seat, Status
from game.store.readers import free_bot_name, note_bots, seats_of

NO_SEAT = mark("You have no seat in this game.")
BOTS_ALONE = mark("As a guest you play against bots only. Sign up to play with other people; your games stay yours.")
UNFINISHED = (Status.WAITING, Status.RUNNING, Status.PAUSED, Status.HELD)


def seat_of(game: Game, user_id: int | None, number: int | None = None) -> Seat:
    """The seat of a locked game for which this person decides; `number` is the seat they sent the request for. Raises
    `Refused`, also while they are banned."""
    seat = own_seats(user_id or 0).filter(game=game).select_related("user").first()
    if seat is None or seat.user is None or number not in {None, seat.number}:
        raise Refused(NO_SEAT, code="not_seated")
    account_locks.check_is_free(seat.user)
    return seat


def is_host(game: Game, user: User, seats: Iterable[Any] | None = None) -> bool:
    """True if this person hosts the game: whoever created it, and once it runs only as long as one of its seats is
    theirs, even if they resigned or lent it."""
    if game.host_id != user.pk:
        return False
    if not game.has_position or game.seat_owned_by(user.pk) is not None:
        return True
    return any(seat.user_id == user.pk for seat in (game.seats.all() if seats is None else seats))


def check_host(game: Game, user: User) -> None:
    """Check that this person hosts a locked game. Raises `Refused`, also while they are banned."""
    if not is_host(game, user):
        raise Refused("Only the host of the game can do that.", code="not_host")
    account_locks.lock_free_account(user)


def assign_seat(*, game: Game, user_id: int | None = None, bot: str = "", name: str = "") -> Seat:
    """Assign the next free seat of a locked game; `name` is the name of a user's bot. Raises `Refused` if none is
    free."""
    seats = seats_of(game)
    if len(seats) >= game.seats_wanted:
        raise Refused("All {n} seats of this game are taken.", code="seat_taken", n=game.seats_wanted)
    if user_id is not None:
        households.check_seat(game=game, user_id=user_id)
    name = free_bot_name(seats) if bot else name
    seat = Seat.objects.create(game=game, number=len(seats), user_id=user_id, bot=bot, name=name)
    note_bots(game)
    return seat


def change_account(*, game: Game, former: User, user: User) -> None:
    """Pass the seat, the office of host and the deeds in a locked game from one account to another of the same
    person. The caller saves the game."""
    game.seats.filter(user=former).update(user=user)
    game.log.filter(user=former).update(user=user)
    if game.host_id == former.pk:
        game.host = user


def free_seat(*, game: Game, seat: Seat) -> None:
    """Remove a seat from a game that has not started; the seats behind it move up."""
    seat.delete()
    if seat.device:
        game.device_seats -= 1
        if game.device_seats == 1:
            game.device_seats = 0
            game.seats.exclude(device="").update(device="", name="")
        door.write(game)
    for number, other in enumerate(seats_of(game)):
        if other.number != number:
            Seat.objects.filter(pk=other.pk).update(number=number)
    note_bots(game)


def check_limits(user: User, *, opens_table: bool = False) -> None:
    """Limit how many games one account has, and check that it may join. Raises `Refused`."""
    account_locks.lock_accounts(user)  # two requests at once are counted one after the other
    account_locks.check_is_free(user)
    bans.check_may_join(user)
    most = limits.most_of("guest_games" if user.is_guest else "games")
    hosts = Q(host=user, status=Status.WAITING)
    plays = Q(seats__user=user, seats__keeper__in=["", Keeper.AWAY])
    if Game.objects.filter(hosts | plays, lesson="", status__in=UNFINISHED).distinct().count() >= most:
        way_out = "Finish one, or sign up and play more." if user.is_guest else "Finish or cancel one first."
        raise Refused(
            "You already host {most} unfinished games, the maximum. {way_out}",
            most=most,
            way_out=way_out,
            code="too_many_games",
        )
    if opens_table:
        check_table_limit(user)


def check_table_limit(user: User) -> None:
    """Limit how many open games of one host wait for players. Raises `Refused`."""
    most = limits.most_of("open_tables")
    if Game.objects.filter(host=user, is_open=True, status=Status.WAITING).count() >= most:
        raise Refused(
            "You already host {most} open games that wait for players, the maximum. Start or cancel one first.",
            most=most,
            code="too_many_open_games",
        )
