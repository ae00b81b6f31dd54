"""Public progress of a position: the rail of phases, and who has submitted or is ready."""

from __future__ import annotations

from collections.abc import Collection

from game.engine.flow import Flow, Mode, Phase
from game.engine.position import AnyPosition

SEAT_STATES = ("none", "untouched", "submitted", "ready")


def row_state(index: int, now: int | None, trail: Collection[int]) -> str:
    """`now`, `done`, `skip` (not played this turn) or `todo`."""
    if index == now:
        return "now"
    if now is not None and index > now:
        return "todo"
    return "done" if index in trail else "skip"


def seat_states(position: AnyPosition, flow: Flow) -> list[str]:
    """For each seat `ready`, `submitted`, `untouched`, or `none` without a choice."""
    seats = range(position.state.seats)
    if position.cursor.row is None:
        return ["none" for _ in seats]
    phase = flow.rows[position.cursor.row].phase
    choosers = seats if phase.mode is Mode.AUTOMATIC else frozenset(phase.eligible(position.state))
    return [_seat_state(position, phase, seat) if seat in choosers else "none" for seat in seats]


def _seat_state(position: AnyPosition, phase: Phase, seat: int) -> str:
    if seat in position.ready:
        return "ready"
    has_input = any(phase.uses(action, position.state) for action in position.pending.get(seat, {}).values())
    return "submitted" if has_input else "untouched"
