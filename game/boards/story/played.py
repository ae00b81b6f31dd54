"""The story of a finished game: each player, the turns that decided it, and the money."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from game.boards.sheets import PriceWords, Sheet
from game.engine.events import Event
from game.engine.flow import TURN
from game.engine.language import mark, say, say_as
from game.engine.ledger import Transfer
from game.engine.phrases import capitalised


class Moment(msgspec.Struct, frozen=True):
    """A game at the end of a turn (turn 0 is its start): prices by company, scores by seat, shares by company and
    seat."""

    turn: int
    prices: dict[str, int]
    worth: list[int]
    held: dict[str, list[int]] = {}

    def shares(self, company: str, seat: int) -> int:
        """Shares of a company in one hand."""
        held = self.held.get(company)
        return held[seat] if held else 0


class Scene(msgspec.Struct, frozen=True):
    """What happened in one phase within one step; `serial` is the number of the phase."""

    serial: int
    phase: str
    events: tuple[Event, ...]


class Step(msgspec.Struct, frozen=True):
    """One step of a game with all its events and payments; `turn` is that of the resulting position."""

    turn: int
    scenes: tuple[Scene, ...]
    transfers: tuple[Transfer, ...]


@dataclass(frozen=True)
class PlayedGame:
    """A game from start to end with nothing hidden: its course turn by turn, and its steps without undone ones.
    `decided` is the number of phases in which each seat submitted a decision; places are by seat. `own` is the seat
    that reads “you”."""

    names: Sequence[str]
    places: Sequence[int]
    course: Sequence[Moment]
    steps: Sequence[Step]
    decided: Mapping[int, int] = field(default_factory=dict)
    score: str = mark("Score")
    turn: str = TURN
    own: int | None = None

    @property
    def seats(self) -> range:
        return range(len(self.names))

    def say_of(self, seat: int, text: str, to_you: str, **facts: object) -> str:
        """A sentence that begins with the `name` of a seat, or the one for that seat."""
        return say(to_you, **facts) if seat == self.own else say(text, name=self.names[seat], **facts)

    def title_of(self, seat: int) -> str:
        """A seat as the head of a row, a column or a line."""
        return say_as("seat", "You") if seat == self.own else self.names[seat]

    def sentence_of(self, event: Event) -> str:
        names = self.names.__getitem__
        return event.sentence(names) if self.own is None else event.sentence_for(self.own, names)

    def scenes(self) -> Iterator[tuple[int, Scene]]:
        """Every scene with its turn, in order."""
        return ((step.turn, scene) for step in self.steps for scene in step.scenes)

    def events(self) -> Iterator[tuple[int, Scene, Event]]:
        """Every event with its turn and its scene, in order."""
        return ((turn, scene, event) for turn, scene in self.scenes() for event in scene.events)


class Highlight(msgspec.Struct, frozen=True):
    """Something worth telling: a short label, whole sentences, a figure in whole dollars, its seat, and the number of
    the phase that shows it (0: none)."""

    label: str
    text: str
    figure: int | None = None
    seat: int | None = None
    serial: int = 0
    turn: int = 0


class GameStory(msgspec.Struct, frozen=True):
    """The content of the page: a line for each player, the best first; turning points in order; best and worst;
    tables. `causes` are by seat: what the seat owes its distance to, the largest first; the winner's to the second,
    the others' to the winner."""

    players: tuple[Highlight, ...]
    turning_points: tuple[Highlight, ...]
    awards: tuple[Highlight, ...]
    tables: tuple[Sheet, ...]
    causes: tuple[tuple[Highlight, ...], ...] = ()


PriceMove = tuple[str, int, int]
"""A company, and its price before and after."""


def no_price(event: Event) -> PriceMove | None:
    """A game without prices."""
    return None


@dataclass(frozen=True)
class Bookkeeping:
    """How a game's score is made up. `sources` renames reasons of payments, so that those with one name count together;
    payments for shares are called `trading` and count together with the shares. `rest` is the part of the score beside
    cash and shares, such as debts, under its own name or that of a source; without a name it is left out. `parties`
    names accounts that belong to nobody in particular."""

    sources: Mapping[str, str] = field(default_factory=dict)
    rest: str = ""
    counts_shares: bool = False
    price_move: Callable[[Event], PriceMove | None] = no_price
    price_of: str = PriceWords().of_company
    parties: Mapping[str, str] = field(default_factory=dict)
    company: Callable[[str], str] = capitalised  # key -> what players call it


TRADING = mark("trading in shares")
Storyteller = Callable[[PlayedGame], GameStory]
