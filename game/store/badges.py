"""Names and marks of games and seats: badges, phase titles, rulebook links, and value types of the API."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Annotated, Any, Protocol

import msgspec
from django.urls import reverse
from msgspec import Meta

from game.boards.registry import board_of
from game.boards.rulebook import Rulebook
from game.engine.flow import Flow, Mode
from game.engine.language import kept, say
from game.engine.progress import SEAT_STATES
from game.store.device import host_in
from game.store.eyes import is_own
from game.store.game import Game, Keeper, Pace, Status, is_bot_account
from game.store.readers import Reader

GREEK = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWX", "αβχδεφγηιζκλμνοπθρστυψωξ", strict=True))
"""Letters of bots, by the initials of their names: no person has one of these, whoever comes to the table."""


class Seated(Protocol):
    """A seat, read whole or in part."""

    @property
    def number(self) -> int: ...
    @property
    def user_id(self) -> int | None: ...
    @property
    def bot(self) -> str: ...
    @property
    def keeper(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def shown_name(self) -> str: ...


class SeatBadge(msgspec.Struct, frozen=True):
    """One seat on a page. `state` is what the reader may know of it; `css` its colour and pattern; `keeper` why the
    caretaker plays it."""

    number: int
    name: str
    css: str
    letter: str
    is_you: bool
    is_bot: bool
    state: str = "none"
    keeper: str = ""
    url: str = ""  # URL of the person's page
    rating: str = ""  # rating, in a rated game
    stands_in: str = ""  # the words on its stand-in and the end of that time


def badges_of(
    seats: Iterable[Seated], *, ruleset: str, user_id: int | None, states: Sequence[str] = ()
) -> tuple[SeatBadge, ...]:
    """The seats of a game in order, as this reader sees them."""
    ordered = sorted(seats, key=lambda seat: seat.number)
    names, bots = [seat.shown_name for seat in ordered], [_is_bot(seat) for seat in ordered]
    letters = letters_of(names, bots, board_of(ruleset).letters)
    return tuple(_build_badge(seat, letters[i], user_id, states) for i, seat in enumerate(ordered))


def letters_of(names: Sequence[str], bots: Sequence[bool], pieces: frozenset[str] = frozenset()) -> list[str]:
    """A letter for each seat, unlike all others and the `pieces` of the game. Bots have Greek ones, so that nobody's
    letter depends on the bots and no bot's on the people. Each seat has its initial where it is the first that has it;
    otherwise the first free letter of its name, else of the alphabet."""
    people, machines = ([i for i, is_bot in enumerate(bots) if is_bot == wanted] for wanted in (False, True))
    latin = {i: [letter for letter in names[i].upper() if letter.isalpha() and letter not in pieces] for i in people}
    greek = {i: [GREEK[letter] for letter in names[i].upper() if letter in GREEK] for i in machines}
    spare = [letter for letter in string.ascii_uppercase if letter not in pieces]
    chosen = _share_out(latin, spare) | _share_out(greek, [*GREEK.values()])
    return [chosen[i] for i in range(len(names))]


def _share_out(own: dict[int, list[str]], spare: Sequence[str]) -> dict[int, str]:
    """One letter for each: first the initials, then what is free."""
    initials = {letters[0]: i for i, letters in reversed(own.items()) if letters}
    chosen = {i: letter for letter, i in initials.items()}
    for i, letters in own.items():
        if i not in chosen:
            chosen[i] = next(letter for letter in (*letters, *spare) if letter not in chosen.values())
    return chosen


def _is_bot(seat: Seated) -> bool:
    """True for a house bot, or the account of somebody's program."""
    return bool(seat.bot) or (seat.user_id is not None and is_bot_account(seat.shown_name))


def name_in_game(places: Iterable[SeatBadge], user: Reader) -> str:
    """The reader's name in a game: that of their seat, otherwise that of their account, since they may have played
    under it; empty for visitors."""
    name = user.username if user is not None else ""
    return next((place.name for place in places if place.is_you), name)


def _build_badge(seat: Seated, letter: str, user_id: int | None, states: Sequence[str]) -> SeatBadge:
    is_you = is_own(seat, user_id)
    state = states[seat.number] if seat.number < len(states) else "none"
    name, css, is_bot = seat.shown_name, f"p{seat.number + 1}", _is_bot(seat)
    url = person_url(host_in(name.partition(" [")[0])) if seat.user_id is not None and not seat.bot else ""
    return SeatBadge(seat.number, name, css, letter, is_you, is_bot, state, seat.keeper, url)


@lru_cache(maxsize=4096)
def person_url(name: str) -> str:
    """The address of a person's page."""
    return reverse("person", args=[name])


@kept()
def titles_of(flow: Flow) -> dict[str, str]:
    """Chapter titles of the phases of a flow; empty if only one phase asks players, because the turn number
    suffices."""
    phases = [row.phase for row in flow.rows]
    asking = [phase for phase in phases if phase.mode is not Mode.AUTOMATIC]
    return {
        phase.name: ""
        if [phase] == asking
        else say("phase {number}: {title}", number=phase.number, title=say(phase.title))
        for phase in phases
    }


def book_of(key: str) -> Rulebook | None:
    """The rulebook of a game of this site, if it has one."""
    return board_of(key).book


def rulebook_url(game: Game, anchor: str) -> str:
    """The URL of an anchor in the rulebook, in the game's variant; "" if the game has no rulebook."""
    book = book_of(game.ruleset)
    return f"{address(game.ruleset)}{book.query(variant_of(game, book))}#{anchor}" if book else ""


def variant_of(game: Game, book: Rulebook) -> str:
    """The game's variant: the value of its option, or the default."""
    return str(game.options.get(book.option, book.usual.key))


@cache
def address(key: str) -> str:
    """The URL of a rulebook."""
    return reverse("rulebook", args=[key])


def one_of(values: Iterable[str]) -> Any:
    """Declare in the API contract that a string is one of these values."""
    return Meta(extra_json_schema={"enum": [*values]})


Instant = Annotated[datetime, Meta(tz=True)]
"""A moment, in UTC and ISO 8601: it ends in Z."""
StatusKey = Annotated[str, one_of(Status.values)]
PaceKey = Annotated[str, one_of(Pace.values)]
KeeperKey = Annotated[str, one_of(Keeper.values)]
KeeperOrNone = Annotated[str, one_of(("", *Keeper.values))]
ModeKey = Annotated[str, one_of(mode.value for mode in Mode)]
SeatState = Annotated[str, one_of(SEAT_STATES)]
