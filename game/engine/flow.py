"""The declarative sequence of play: a literal table of phases and rounds, unrolled into rows that a cursor walks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import Any

from game.engine.actions import Action, Pass, Ready, Undo, Withdraw
from game.engine.language import mark, say, say_as
from game.engine.play import Play

Predicate = Callable[[Any], bool]
Resolution = Callable[[Play[Any]], None]
Eligible = Callable[[Any], Iterable[int]]
Absent = Callable[[Play[Any], int], str | None]


class Mode(Enum):
    """How a phase takes inputs."""

    SEALED = "sealed"  # all eligible seats at once, hidden until it closes
    OPEN = "open"  # public, each action takes effect at once
    TURNS = "turns"  # one seat after another, each action public and immediate
    AUTOMATIC = "automatic"  # rules only, on entry


COMMON: Mapping[Mode, tuple[type[Action], ...]] = {
    Mode.SEALED: (Ready, Pass, Withdraw),
    Mode.OPEN: (Ready,),
    Mode.TURNS: (Undo,),
    Mode.AUTOMATIC: (Ready,),
}
"""The kernel actions that a phase accepts by default."""


TURN = mark("Turn")


def always(state: Any) -> bool:
    """Always true: the condition of a phase that is never skipped."""
    return True


def nobody(state: Any) -> tuple[int, ...]:
    """No seat has a choice."""
    return ()


def nothing(play: Play[Any]) -> None:
    """No work."""


def no_stand_in(play: Play[Any], seat: int) -> None:
    """Acts for no absent seat: in such phases, the resolution applies the default itself."""


@dataclass(frozen=True)
class Phase:
    """One row of the rulebook's sequence of play. `enter` runs when the phase opens, `close` when its decisions are in;
    an AUTOMATIC phase only enters. `eligible` names the seats with a real choice, for which the phase waits; `also`
    those that may act ahead of a later phase, for which it does not wait. `when` skips the phase; `clock` is the class
    of its length. `common` are the accepted kernel actions (None: those of `COMMON`). `default` says what counts for
    an idle seat, `instead` what counted once it is over (empty: the same text). In phases of turns, `absent` does one
    action for a seat whose deadline has passed, repeatedly until its turn ends, and may return what counted in place
    of `instead`; `plays_drafts`: what the seat has saved as a draft is done before that. `asks_in_secret`: who is
    asked in a SEALED phase, and who has answered, is known to each seat alone. `is_moment`: charts have a point each
    time it is over."""

    number: str
    name: str
    title: str
    mode: Mode
    clock: str
    actions: tuple[type[Action], ...] = ()
    eligible: Eligible = nobody
    also: Eligible = nobody
    when: Predicate = always
    enter: Resolution = nothing
    close: Resolution = nothing
    default: str = ""
    instead: str = ""
    common: tuple[type[Action], ...] | None = None
    absent: Absent = no_stand_in
    asks_in_secret: bool = False
    plays_drafts: bool = False
    is_moment: bool = False

    def __post_init__(self) -> None:
        if self.asks_in_secret and self.mode is not Mode.SEALED:
            raise ValueError(f"Phase {self.name} asks in secret, but what is done in it is public.")

    @cached_property
    def takes(self) -> tuple[type[Action], ...]:
        """Every kind of action that is accepted here."""
        return (*self.actions, *(COMMON[self.mode] if self.common is None else self.common))

    def uses(self, action: Action, state: Any) -> bool:
        """True if the open phase uses this input; otherwise it waits for a later one."""
        return (not action.phases or self.name in action.phases) and action.serves(state)

    def answered_by(self, action: Action, state: Any) -> bool:
        """True if a seat with this input has answered. What is left in its own turn does not fit, and is no answer."""
        return self.mode is not Mode.TURNS and self.uses(action, state)


@dataclass(frozen=True)
class Round:
    """Phases in order, repeated while `again` holds (evaluated before every pass), and left before the next phase as
    soon as `until` holds. `is_moment`: charts have a point once it is left."""

    name: str
    title: str
    phases: tuple[Phase | Round, ...]
    again: Predicate | None = None
    until: Predicate | None = None
    is_moment: bool = False


@dataclass(frozen=True)
class FlowRow:
    """A phase at its place in the unrolled flow, with its rounds, outermost first."""

    index: int
    phase: Phase
    rounds: tuple[Round, ...]


class Flow:
    """The rows of a game and the transitions between them."""

    def __init__(self, *parts: Phase | Round) -> None:
        self.rows: list[FlowRow] = []
        self._spans: dict[int, tuple[int, int]] = {}
        self._unroll(parts, ())

    @property
    def turn_title(self) -> str:
        """What the game calls a turn, in the reader's language."""
        return say_as("turn", self.turn_name) if self._turn_round else say(TURN)

    @property
    def turn_name(self) -> str:
        """The English title of the round "turn"; `Turn` if there is no such round, because turns are those of single
        players."""
        return self._turn_round.title if self._turn_round else TURN

    @cached_property
    def _turn_round(self) -> Round | None:
        return next((part for row in self.rows for part in row.rounds if part.name == "turn"), None)

    def _unroll(self, parts: Iterable[Phase | Round], rounds: tuple[Round, ...]) -> None:
        for part in parts:
            start = len(self.rows)
            if isinstance(part, Phase):
                self.rows.append(FlowRow(start, part, rounds))
            else:
                self._unroll(part.phases, (*rounds, part))
                self._spans[id(part)] = (start, len(self.rows))

    def moments_in(self, trail: Iterable[int]) -> tuple[str, ...]:
        """The phases with which a moment within a turn was over, in order; `trail` lists the rows entered in it."""
        rows = (self.rows[index] for index in trail)
        return tuple(row.phase.name for row, after in pairwise(rows) if _is_moment(row, after))

    def first(self, state: Any) -> FlowRow | None:
        """The first row that is played."""
        return self._open(0, (), state)

    def entered(self, row: FlowRow, state: Any) -> FlowRow | None:
        """`row` as reached from the row before it: itself, or the next one that is played."""
        entered_rounds = tuple(part for part in row.rounds if self._spans[id(part)][0] < row.index)
        return self._open(row.index, entered_rounds, state)

    def after(self, row: FlowRow, state: Any) -> FlowRow | None:
        """The next row that is played; None if the game is over."""
        for depth, part in enumerate(row.rounds):
            if part.until and part.until(state):
                return self._leave(self._spans[id(part)][1], row.rounds[:depth], state)
        at, inside = row.index + 1, row.rounds
        while inside and self._spans[id(inside[-1])][1] == at:
            start = self._spans[id(inside[-1])][0]
            if inside[-1].again and inside[-1].again(state):
                return self._open(start, inside, state)
            inside = inside[:-1]
        return self._open(at, inside, state)

    def _open(self, at: int, inside: tuple[Round, ...], state: Any) -> FlowRow | None:
        """The row at `at`, or the next one that is played, coming from within the rounds `inside`."""
        if at >= len(self.rows):
            return None
        row = self.rows[at]
        for depth in range(len(inside), len(row.rounds)):
            part = row.rounds[depth]
            if (part.again and not part.again(state)) or (part.until and part.until(state)):
                return self._leave(self._spans[id(part)][1], row.rounds[:depth], state)
        return row if row.phase.when(state) else self.after(row, state)

    def _leave(self, end: int, inside: tuple[Round, ...], state: Any) -> FlowRow | None:
        """The row after a round that ended at `end` and is not repeated."""
        last = self.rows[end - 1]
        return self.after(FlowRow(last.index, last.phase, inside), state)


def _is_moment(row: FlowRow, after: FlowRow) -> bool:
    """True if a phase was a moment, or the last one of a round that is."""
    return row.phase.is_moment or any(part.is_moment for part in row.rounds if part not in after.rounds)
