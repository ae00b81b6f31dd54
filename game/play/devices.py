"""Several seats of one account at its host's device. The account is moved from seat to seat, so that it has one seat at
a time here as everywhere. Between two seats, a cover hides the board until the next player lifts it; a random word in
the browser's session proves that it lifted the cover of the account's seat."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils.crypto import constant_time_compare

from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import apart, mark, say
from game.engine.phrases import listed
from game.live import announce
from game.outbox import notices
from game.outbox.reminders import check_at
from game.play import authority, door
from game.store import account_locks
from game.store.device import HOLDS, Device, first_name, name_at_device
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Notice
from game.store.pending import UNDECIDED
from game.store.readers import Reader, SeatRow, id_of, lock
from game.store.visible_text import one_line

MOST_HOLDS = 20
LONGEST_NAME = 16  # characters
IN_BROWSERS = mark("The seats at one device are played in a browser.")
NOT_HERE = mark("This seat is not at your device.")


class Chair(NamedTuple):
    """A seat that one may hold at a device: its number and name, and whether others know that it must decide."""

    number: int
    name: str
    is_asked: bool

    @property
    def first_name(self) -> str:
        """The name without the part that says whose device it is."""
        return first_name(self.name)


class DeviceBar(NamedTuple):
    """The board's bar about the device: who plays there, and whether it is the reader's."""

    words: str
    is_own: bool


def read_names(host: User, typed: Iterable[str]) -> list[str]:
    """The names of the others at the host's device, without empty ones. Raises `Refused`."""
    names = [name for name in map(one_line, typed) if name]
    if any(len(name) > LONGEST_NAME or set(name) & set("()[]") for name in names):
        raise Refused(
            "A name at your device has up to {most} characters, without brackets.",
            most=LONGEST_NAME,
            code="wrong_name",
            field="companions",
        )
    if len({name.casefold() for name in [host.username, *names]}) <= len(names):
        raise Refused("Give everybody at your device another name.", code="name_taken", field="companions")
    return names


def seat_companions(game: Game, host: User, names: Sequence[str]) -> None:
    """Seat the people at the host's device, behind the host, in a new game."""
    for name in names:
        seat_name = name_at_device(name, host.username)
        authority.assign_seat(game=game, name=seat_name)
    numbers = range(1 + len(names))
    game.seats.filter(number__in=numbers).update(device=Device.SHARED)
    game.seats.filter(number=0).update(name=host.username)
    game.device_seats = len(numbers)
    door.write(game)
    User.objects.filter(pk=host.pk).update(shares_device=True)
    host.shares_device = True


def companions_among(seats: Iterable[Seat], user: User) -> list[Seat]:
    """The seats that others play at this person's device."""
    seated = [seat for seat in seats if seat.device]
    is_own_device = any(seat.user_id == user.pk for seat in seated)
    return [seat for seat in seated if is_own_device and seat.user_id is None]


def move_account(game: Game, user_id: int, number: int) -> None:
    """Move an account from its seat of a locked game to another one, which nobody has."""
    grown = F("version") + 1
    game.seats.filter(user_id=user_id).update(user=None, version=grown)
    game.seats.filter(number=number).update(user_id=user_id, version=grown)


def settle(game: Game) -> None:
    """Adjust the device after a change of a locked game: seats that others now play leave it, and the current seat is
    covered if somebody else there has to decide."""
    if not game.device_seats or game.host_id is None:
        return
    seats = list(game.seats.exclude(device="").order_by("number"))
    own = [seat for seat in seats if _is_of_device(seat, game.host_id)]
    if len(own) < len(seats):
        gone = game.seats.filter(pk__in={seat.pk for seat in seats} - {seat.pk for seat in own})
        gone.update(device="")
        if own:
            gone.filter(user_id=game.host_id).update(user=None)
    if len(own) != game.device_seats:
        game.device_seats = len(own)
        door.write(game)
    if game.status in {Status.FINISHED, Status.ABANDONED}:
        game.seats.filter(device=Device.COVERED).update(device=Device.SHARED)
        game.device_hold = ""
        door.write(game)
        if own:
            move_account(game, game.host_id, own[0].number)  # the result of an account is that of its own seat
    elif own and game.has_position:
        _follow(game, game.host_id, own)


def _is_of_device(seat: Seat, host_id: int | None) -> bool:
    """True while the host's account may be moved to this seat."""
    return not seat.bot and seat.keeper != Keeper.RESIGNED and seat.user_id in {None, host_id}


def _follow(game: Game, host_id: int, own: Sequence[Seat]) -> None:
    """Cover the current seat and call the next one that has to decide, unless the current one has to."""
    here = next((seat for seat in own if seat.user_id == host_id), None)
    waiting_seats = _waiting_among(game, own)
    if here is not None and (not waiting_seats or here in waiting_seats):
        if not game.device_hold:
            cover(game)
        return
    later = [seat for seat in waiting_seats if here is not None and seat.number > here.number]
    next_seat = (later or waiting_seats or own)[0]
    move_account(game, host_id, next_seat.number)
    cover(game)
    _remind(game, next_seat)
    for seat in own:
        announce.seat_changed(game.pk, seat.number, game.version)


def _waiting_among(game: Game, own: Sequence[Seat]) -> list[Seat]:
    """The seats that have not decided yet; if all have, those that may still change their decision."""
    waiting = [seat for seat in own if not seat.keeper and game.is_running and seat.number in game.waiting_seats]
    return [seat for seat in waiting if game.seat_states[seat.number] == UNDECIDED] or waiting


def _remind(game: Game, seat: Seat) -> None:
    """Schedule a reminder for the current seat; the account was notified of the phase when it had another seat."""
    due = check_at(game, game.host, game.now) if game.host is not None and game.is_slow else None
    if due is not None and game.host_id is not None:
        people = [(seat, game.host_id)]
        notices.write(game=game, people=people, kind=Notice.Kind.REMINDER, serial=game.phase_serial, due_at=due)


def cover(game: Game) -> None:
    """Let nobody at the device see what a seat of a locked game sees, until a cover is lifted."""
    game.seats.filter(user=game.host).exclude(device="").update(device=Device.COVERED)
    if game.device_hold:
        game.device_hold = ""
        door.write(game)


@transaction.atomic
def lift(*, game_id: int, user: User, number: int) -> str:
    """Lift the cover of a seat: the account moves there, and a browser with the returned word sees the board. Raises
    `Refused`."""
    game = _lock_shared(game_id, user)
    seat = game.seats.filter(number=number).exclude(device="").first()
    if seat is None:
        raise Refused(NOT_HERE, code="not_seated")
    if seat.user_id != user.pk:
        move_account(game, user.pk, number)
    game.seats.exclude(device="").update(device=Device.SHARED)
    game.device_hold = secrets.token_hex(16)
    _announce(game)
    return game.device_hold


@transaction.atomic
def put_down(*, game_id: int, user: User) -> None:
    """Cover the current seat. Raises `Refused`."""
    game = _lock_shared(game_id, user)
    cover(game)
    _announce(game)


def _announce(game: Game) -> None:
    """Every open page of the game fetches what it may see now; those at the device also subscribe again."""
    game.version += 1
    door.write(game)
    announce.game_changed(game)
    for number in game.seats.exclude(device="").values_list("number", flat=True):
        announce.seat_changed(game.pk, number, game.version)


def _lock_shared(game_id: int, user: User) -> Game:
    """Lock a game that is played at this host's device. Raises `Refused`."""
    game = lock(game_id)
    if game is None or not is_shared(game, user):
        raise Refused(NOT_HERE, code="not_seated")
    account_locks.lock_free_account(user)
    return game


def is_shared(game: Game, user: Reader) -> bool:
    """True if this account sees no more of the game than strangers do, except in a browser that holds a seat."""
    is_under_way = bool(game.device_seats) and game.has_position and not game.is_over
    return is_under_way and id_of(user) == game.host_id


def keep_hold(session: Any, game_id: int, word: str) -> None:
    """Note in the browser's session that it holds a seat; the oldest of many holds is forgotten."""
    holds = {key: held for key, held in session.get(HOLDS, {}).items() if key != str(game_id)}
    session[HOLDS] = dict([*holds.items(), (str(game_id), word)][-MOST_HOLDS:])


def is_held(game: Game, session: Mapping[str, Any]) -> bool:
    """True if the browser with this session has lifted the cover of the seat that the account is on."""
    word = session.get(HOLDS, {}).get(str(game.pk), "")
    return bool(game.device_hold) and constant_time_compare(word, game.device_hold)


def bar_of(game: Game, seats: Iterable[SeatRow], user: Reader) -> DeviceBar | None:
    """The bar about the host's device, for everybody in the game; `seats` are all seats of the game."""
    if game.device_seats < 2:
        return None
    names = [apart(first_name(seat.shown_name)) for seat in seats if seat.device]
    words = say("{names} play at one device.", names=listed(names))
    return DeviceBar(words, is_shared(game, user))


def chairs_of(game: Game) -> list[Chair]:
    """The seats at the device, as anybody at the table may know them."""
    waiting = game.shown_waiting(None) if game.is_running else []
    seats = game.seats.exclude(device="").select_related("user").order_by("number")
    return [Chair(seat.number, seat.shown_name, seat.number in waiting) for seat in seats]
