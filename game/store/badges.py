"""How games and seats are named and shown: badges, phase titles, rulebook links, value types of the API, and the cache
of each seat's view, offers and rendered HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Annotated, Any, Protocol

import msgspec
from django.urls import reverse
from django.utils.safestring import SafeString
from msgspec import Meta

from game.boards.registry import board_of
from game.boards.rulebook import Rulebook
from game.engine import referee
from game.engine.codec import compress, decompress
from game.engine.flow import Flow, Mode, Phase
from game.engine.language import kept, say, spoken
from game.engine.offers import Offer
from game.engine.phrases import ordinal
from game.engine.position import AnyPosition
from game.engine.progress import SEAT_STATES
from game.infra.process_cache import ProcessCache
from game.store import eyes
from game.store.eyes import Eyes, is_own
from game.store.game import Game, Keeper, Pace, Status, is_bot_account
from game.store.rule_limits import Budget

SPARE_LETTERS = "ABCDEFGH"


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
    url: str = ""  # of the person's page
    rating: str = ""  # in a rated game
    stands_in: str = ""  # for whom and until when somebody plays it


def badges_of(seats: Iterable[Seated], *, user_id: int | None, states: Sequence[str] = ()) -> tuple[SeatBadge, ...]:
    """The seats of a game in order, as this reader sees them."""
    ordered = sorted(seats, key=lambda seat: seat.number)
    letters = letters_of([seat.shown_name for seat in ordered])
    return tuple(_build_badge(seat, letters[i], user_id, states) for i, seat in enumerate(ordered))


def letters_of(names: Sequence[str]) -> list[str]:
    """A unique letter for each name: the initial for the first seat that has it; for the others the first free letter
    of their name, else the next free spare letter."""
    own = [[letter for letter in name.upper() if letter.isalpha()] for name in names]
    initials = {letters[0]: seat for seat, letters in reversed(list(enumerate(own))) if letters}
    letter_of_seat = {seat: letter for letter, seat in initials.items()}
    for seat, letters in enumerate(own):
        if seat not in letter_of_seat:
            letter_of_seat[seat] = next(
                letter for letter in (*letters, *SPARE_LETTERS) if letter not in letter_of_seat.values()
            )
    return [letter_of_seat[seat] for seat in range(len(names))]


def rank_words(worths: Sequence[int], own: int) -> str:
    """`3rd of 5`; equal worth shares the rank."""
    rank = 1 + sum(worth > own for worth in worths)
    return place_words(rank, len(worths))


@kept(256)
def place_words(place: int, seats: int) -> str:
    """`3rd of 5`."""
    return say("{place} of {seats}", place=ordinal(place), seats=seats)


def _build_badge(seat: Seated, letter: str, user_id: int | None, states: Sequence[str]) -> SeatBadge:
    is_you = is_own(seat, user_id)
    is_account = seat.user_id is not None and is_bot_account(seat.shown_name)
    state = states[seat.number] if seat.number < len(states) else "none"
    name, css, is_bot = seat.shown_name, f"p{seat.number + 1}", bool(seat.bot) or is_account
    url = person_url(name.partition(" [")[0]) if seat.user_id is not None and not seat.bot else ""
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
    return {phase.name: "" if [phase] == asking else _numbered(phase) for phase in phases}


def _numbered(phase: Phase) -> str:
    return say("phase {number}: {title}", number=phase.number, title=say(phase.title))


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
SeatState = Annotated[str, one_of(SEAT_STATES)]


MOST = 128  # about 35 kB each in the middle of a game of Sectors, including HTML


class Look:
    """A position as one seat sees it; `has_sent`: the seat has a sealed submission."""

    def __init__(self, view: Any, offers: list[Offer], *, has_sent: bool) -> None:
        self.view, self._offers, self.has_sent = view, tuple(offers), has_sent
        self._fragments: dict[tuple[str, tuple[SeatBadge, ...]], bytes] = {}

    @property
    def offers(self) -> list[Offer]:
        """The seat's offers, with the reasons of those that are not available."""
        return list(self._offers)

    def drawn(self, part: str, seats: tuple[SeatBadge, ...], draw: Callable[[], SafeString]) -> SafeString:
        """A rendered part of a page that depends only on the look and the names at the table."""
        packed = self._fragments.get((part, seats))
        if packed is not None:
            return SafeString(decompress(packed).decode())
        if len(self._fragments) > MOST:
            self._fragments.clear()
        html = draw()
        # Compressed, it takes a tenth of the memory, for a hundredth of the time of a page.
        self._fragments[part, seats] = compress(html.encode())
        return html


looks: ProcessCache[Look] = ProcessCache(MOST)


def look_at(game: Game, seat: Eyes | None, position: AnyPosition | None = None) -> Look:
    """The current game as a seat sees it; `position` is passed if it has been read already. Raises `Damaged`."""

    def look() -> Look:
        return Budget().run(_build_look, game, seat, position)

    if position is not None:
        return look()
    return looks.get((seat, spoken().code, facts_beside(game), game.stored_position), look)


def facts_beside(game: Game) -> tuple[int, str, str, bytes]:
    """Further parts of the cache key: everything else that a view depends on."""
    return game.pk, game.ruleset, game.status, msgspec.msgpack.encode((game.options, game.course))


def _build_look(game: Game, seat: Eyes | None, position: AnyPosition | None) -> Look:
    position = position or game.load_position()
    asks = seat is not None and game.is_running
    offers = referee.offers(game.rules, position, seat, explained=True) if asks and seat is not None else []
    has_sent = seat is not None and bool(position.pending.get(seat))
    return Look(eyes.view(game, position, seat), offers, has_sent=has_sent)
