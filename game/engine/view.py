"""The common part of every game's view: viewer, open phase, rail, seats, own inputs and result; and the view of a
finished game, in which nothing of a seat is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, ClassVar

import msgspec

from game.engine import progress
from game.engine.actions import GAME, ROUND, Action, Undo
from game.engine.flow import Flow, FlowRow, Mode, Round
from game.engine.position import AnyPosition, Cursor
from game.engine.requests import request_of
from game.engine.ruleset import Ruleset, Standing


class PhaseView(msgspec.Struct, frozen=True, kw_only=True):
    """The open phase. `mode` is a `Mode`'s value; `default` says what counts for a seat that does nothing.
    `next_number` is the number of the phase after it in the flow, which opens what was sealed; `takes_undo`: whether
    the phase takes an action back."""

    serial: int
    step: int
    number: str
    name: str
    title: str
    mode: str
    clock: str
    round: str
    default: str
    next_number: str = ""
    takes_undo: bool = False


class RailPhase(msgspec.Struct, frozen=True):
    """A phase on the rail: `state` is done, now, todo or skip; `waits` for players."""

    number: str
    name: str
    title: str
    state: str
    waits: bool


class RailRound(msgspec.Struct, frozen=True):
    """A group of the rail."""

    name: str
    title: str
    state: str
    phases: tuple[RailPhase, ...]


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as everybody sees it. `state`: untouched, submitted, ready or none (no choice), in a phase that asks in
    secret hidden; `score` is what counts at the end."""

    seat: int
    state: str
    score: int
    is_you: bool = False
    private: ClassVar[tuple[str, ...]] = ()
    """The fields that only the line of the viewer's own seat fills."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What one viewer may know of any game; rulesets add their own fields. `seat` None is a stranger; `mine` are the
    viewer's own sealed and standing inputs by slot that belong to the open decision, `lasting` those that last for the
    whole game or wait for a later phase; `end` says why the game is over; `left` are the resigned seats, in that
    order."""

    seat: int | None
    turn: int
    phase: PhaseView | None
    rail: tuple[RailRound, ...]
    players: tuple[Any, ...]
    mine: dict[str, Any] = {}
    lasting: dict[str, Any] = {}
    is_ready: bool = False
    can_undo: bool = False
    can_undo_all: bool = False
    end: str = ""
    standings: tuple[Standing, ...] = ()
    left: tuple[int, ...] = ()

    def player(self, seat: int) -> Any:
        """A player by seat number."""
        return next(player for player in self.players if player.seat == seat)


def phase_of_view(flow: Flow, cursor: Cursor) -> dict[str, Any] | None:
    """The fields of a `PhaseView`; None when the game is over."""
    if cursor.row is None:
        return None
    row = flow.rows[cursor.row]
    phase = row.phase
    return {
        "serial": cursor.serial,
        "step": cursor.step,
        "number": phase.number,
        "name": phase.name,
        "title": phase.title,
        "mode": phase.mode.value,
        "clock": phase.clock,
        "round": _round_title(row),
        "default": phase.default,
        "next_number": flow.rows[cursor.row + 1].phase.number if cursor.row + 1 < len(flow.rows) else "",
        "takes_undo": Undo in phase.takes,
    }


def _round_title(row: FlowRow) -> str:
    """The title of the innermost round within the turn; the phase's own where there is none."""
    return row.rounds[-1].title if row.rounds and row.rounds[-1].name != "turn" else row.phase.title


def common_view(position: AnyPosition, flow: Flow, *, end: str, standings: Sequence[Standing]) -> dict[str, Any]:
    """The public fields common to all views; `end` and `standings` apply once the game is over."""
    phase = phase_of_view(flow, position.cursor)
    return {
        "turn": position.state.turn,
        "phase": PhaseView(**phase) if phase else None,
        "rail": rail_at(flow, position.cursor.row, frozenset(position.cursor.trail)),
        "end": end if position.is_over else "",
        "standings": tuple(standings) if position.is_over else (),
        "left": position.state.left,
    }


def own_fields(position: AnyPosition, seat: int | None, flow: Flow) -> dict[str, Any]:
    """The private fields of the viewer."""
    inputs = {} if seat is None else position.pending.get(seat) or {}
    phase_inputs = inputs_of_phase(position, seat, flow) if inputs else {}
    later_slots = {
        slot for slot, action in inputs.items() if slot not in phase_inputs and _is_to_come(action, position, flow)
    }
    is_undoable = seat is not None and bool(position.earlier) and position.earlier[-1].seat == seat
    return {
        "seat": seat,
        "mine": _as_requests(phase_inputs),
        "lasting": _as_requests(
            {slot: action for slot, action in inputs.items() if action.lasts == GAME or slot in later_slots}
        ),
        "is_ready": seat in position.ready,
        "can_undo": is_undoable,
        "can_undo_all": is_undoable and len(position.earlier) > 1,
    }


def inputs_of_phase(position: AnyPosition, seat: int | None, flow: Flow) -> dict[str, Action]:
    """The seat's inputs for the open phase, by slot."""
    inputs = {} if seat is None else position.pending.get(seat) or {}
    return {slot: action for slot, action in inputs.items() if _is_of_phase(action, position, flow)}


def _is_of_phase(action: Action, position: AnyPosition, flow: Flow) -> bool:
    """True if an input belongs to the open decision: one that outlasts its round only where it can be given, one for
    the whole game only where it is used."""
    row = position.cursor.row
    if not action.is_lasting and action.lasts == ROUND:
        return True
    if row is None:
        return False
    phase = flow.rows[row].phase
    return isinstance(action, phase.takes) and (action.lasts != GAME or phase.uses(action, position.state))


def _is_to_come(action: Action, position: AnyPosition, flow: Flow) -> bool:
    """True if a phase that uses the input can still come in this turn."""
    now = position.cursor.row
    if now is None:
        return False
    current_round = flow.rows[now].rounds[-1:]
    return any(
        row.phase.name in action.phases and (row.index >= now or row.rounds[-1:] == current_round) for row in flow.rows
    )


def _as_requests(inputs: Mapping[str, Action]) -> dict[str, Any]:
    """Inputs by slot, as requests."""
    return {slot: request_of(action) for slot, action in inputs.items()}


@lru_cache(maxsize=1024)
def rail_at(flow: Flow, now: int | None, trail: frozenset[int]) -> tuple[RailRound, ...]:
    """The turn's phases in groups, in the order of play; a group is the round just inside the turn."""
    groups = [(group, list(rows)) for group, rows in groupby(flow.rows, key=_group_of)]
    return tuple(_rail_round(group, [_rail_phase(row, now, trail) for row in rows]) for group, rows in groups)


def _group_of(row: FlowRow) -> Round:
    inner = (part for part in row.rounds if part.name != "turn")
    return next(inner, row.rounds[0] if row.rounds else Round(row.phase.name, row.phase.title, (row.phase,)))


def _rail_round(group: Round, phases: Sequence[RailPhase]) -> RailRound:
    return RailRound(group.name, group.title, _group_state(phases), tuple(phases))


def _rail_phase(row: FlowRow, now: int | None, trail: frozenset[int]) -> RailPhase:
    phase, state = row.phase, progress.row_state(row.index, now, trail)
    return RailPhase(phase.number, phase.name, phase.title, state, phase.mode is not Mode.AUTOMATIC)


def _group_state(phases: Sequence[RailPhase]) -> str:
    states = {phase.state for phase in phases}
    if "now" in states:
        return "now"
    return next((state for state in ("todo", "done") if state in states), "skip")


def revealed(rules: Ruleset, position: AnyPosition, seat: int | None) -> Any:
    """The view of `seat`, combined with every seat's information about itself.

    All of it comes from seat views, so what no seat may see, such as a deck or future draws, stays hidden. Only for
    positions of games that have ended."""
    view_of = rules.viewer(position)
    own_views = [view_of(number) for number in range(position.state.seats)]
    return rules.opened(_players_opened(view_of(seat), own_views), own_views)


def _players_opened(view: Any, own_views: Sequence[Any]) -> Any:
    """The view with every player's line as its owner sees it."""
    players = tuple(
        msgspec.structs.replace(own_views[player.seat].player(player.seat), is_you=player.seat == view.seat)
        for player in view.players
    )
    return msgspec.structs.replace(view, players=players)
