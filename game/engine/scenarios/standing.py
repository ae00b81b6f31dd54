"""Where a position built by hand begins: in an open phase, or just before one."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from game.engine.flow import Flow, FlowRow, Mode, nothing
from game.engine.position import AnyPosition, Cursor, Position
from game.engine.scenarios.language import DescriptionError

MOST = 1_000_000
SERIAL = 100  # phases entered before; draws that a scenario does not fix depend on it
Count = Annotated[int, Meta(ge=0, le=MOST)]
"""A count of dollars, shares or turns, within what a game could ever reach."""


class Given(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The words of `given` in every game. A ruleset's subclass adds its own, each with a sensible default."""

    phase: str
    just_before: bool = False
    turn: Annotated[int, Meta(ge=1, le=MOST)] = 2
    reviews: bool = False


class Situation(NamedTuple):
    """A position, and the phase that the first step enters if the position is just before one."""

    position: AnyPosition
    entering: FlowRow | None = None


def row_named(flow: Flow, name: str) -> FlowRow:
    """The first row of the phase with that name."""
    rows = {row.phase.name: row for row in reversed(flow.rows)}
    if name not in rows:
        raise DescriptionError(f"there is no phase {name}; choose one of {', '.join(names_in(flow))}")
    return rows[name]


def names_in(flow: Flow) -> tuple[str, ...]:
    """The names of a game's phases, in order."""
    return tuple(dict.fromkeys(row.phase.name for row in flow.rows))


def is_in_front(given: Given, row: FlowRow) -> bool:
    """True if the phase has yet to begin: automatic ones always have."""
    return row.phase.mode is Mode.AUTOMATIC or given.just_before


def stand_at(flow: Flow, given: Given, state: Any, *, serial: int = SERIAL, behind: int | None = None) -> Situation:
    """A state at the named phase. `behind` is the row that it comes from, if that is not the one before."""
    row = row_named(flow, given.phase)
    if is_in_front(given, row):
        index = (row.index - 1) % len(flow.rows) if behind is None else behind
        return Situation(_at(given, state, index, serial), row)
    if row.phase.enter is nothing and not row.phase.when(state):
        raise DescriptionError(f"phase {row.phase.name} would be skipped in this position")
    return Situation(_at(given, state, row.index, serial))


def _at(given: Given, state: Any, index: int, serial: int) -> AnyPosition:
    return Position(state, Cursor(index, serial, 0, state.turn, (index,)), reviews=given.reviews)
