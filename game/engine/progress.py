"""Public progress of a position: the rail of phases, and who has submitted or is ready."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from game.engine.flow import Flow, Mode, Phase
from game.engine.position import AnyPosition

OUT, HIDDEN = "out", "hidden"
SEAT_STATES = ("none", "untouched", "submitted", "ready", OUT)
NOT_ASKED = frozenset({"none", OUT})


def row_state(index: int, now: int | None, trail: Collection[int]) -> str:
    """`now`, `done`, `skip` (not played this turn) or `todo`."""
    if index == now:
        return "now"
    if now is not None and index > now:
        return "todo"
    return "done" if index in trail else "skip"


def seat_states(position: AnyPosition, flow: Flow) -> list[str]:
    """The state of each seat: `ready`, `submitted`, `untouched`, `none` without a choice, or `out` of the game.
    Services read these true states; views show `shown_states`."""
    seats = range(position.state.seats)
    if position.cursor.row is None:
        return ["none" for _ in seats]
    phase = flow.rows[position.cursor.row].phase
    choosers = seats if phase.mode is Mode.AUTOMATIC else frozenset(phase.eligible(position.state))
    out = position.state.out
    return [
        OUT if seat in out else _seat_state(position, phase, seat) if seat in choosers else "none" for seat in seats
    ]


def shown_states(position: AnyPosition, flow: Flow, viewer: int | None) -> list[str]:
    """The states that a viewer may know: in a phase that asks in secret only its own, the others are `hidden`."""
    row = position.cursor.row
    return hide_others(seat_states(position, flow), None if row is None else flow.rows[row].phase, viewer)


def hide_others(states: Sequence[str], phase: Phase | None, viewer: int | None) -> list[str]:
    """These states as a viewer may know them."""
    if phase is None or not phase.asks_in_secret:
        return list(states)
    return [state if seat == viewer or state == OUT else HIDDEN for seat, state in enumerate(states)]


def _seat_state(position: AnyPosition, phase: Phase, seat: int) -> str:
    if seat in position.ready:
        return "ready"
    has_input = any(phase.answered_by(action, position.state) for action in position.pending.get(seat, {}).values())
    return "submitted" if has_input else "untouched"


def waiting_among(states: Sequence[str]) -> list[int]:
    """The seats that must decide, by the states of all."""
    return [seat for seat, state in enumerate(states) if state in {"untouched", "submitted"}]
