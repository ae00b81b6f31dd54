"""Inputs given ahead, when the phase opens that they are for: those that count, and whose seats are not waited for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine.actions import GAME, TURN, Action, Refused, tag_of
from game.engine.events import Event, InputAheadDoubted, InputAheadDropped
from game.engine.flow import Phase

Pending = Mapping[int, Mapping[str, Action]]


class Ahead(msgspec.Struct):
    """The inputs that are left, the seats that are ready by theirs, and what the seats concerned are told."""

    pending: dict[int, dict[str, Action]]
    ready: frozenset[int]
    events: list[Event]


def carried(pending: Pending, *, same_round: bool, same_turn: bool) -> dict[int, dict[str, Action]]:
    """The inputs that still wait where a phase opens: those of another round or turn only if they last so long."""
    if same_round:
        return {seat: dict(held) for seat, held in pending.items()}
    kept = {
        seat: {slot: action for slot, action in held.items() if lasts(action, same_round=False, same_turn=same_turn)}
        for seat, held in pending.items()
    }
    return {seat: held for seat, held in kept.items() if held}


def lasts(action: Action, *, same_round: bool, same_turn: bool) -> bool:
    """Whether an input is kept for another phase."""
    return same_round or action.lasts == GAME or (action.lasts == TURN and same_turn)


def meet(phase: Phase, state: Any, pending: Pending) -> Ahead:
    """Look at the inputs that serve the phase just opened. One that the rules refuse by now is dropped: its seat is
    waited for again and learns why, and nobody else does. So is the seat of one that is allowed and may come to
    nothing: that one is kept."""
    met = Ahead({seat: dict(held) for seat, held in pending.items()}, frozenset(), [])
    for seat, held in pending.items():
        for slot, action in held.items():
            if phase.uses(action, state):
                _meet(state, met, seat, slot, action)
    return met


def _meet(state: Any, met: Ahead, seat: int, slot: str, action: Action) -> None:
    try:
        action.check(state)
    except Refused as refused:
        del met.pending[seat][slot]
        dropped = InputAheadDropped(
            audience=(seat,), seat=seat, kind=tag_of(action), why=refused.template, facts=refused.facts
        )
        met.events.append(dropped)
        return
    if not action.is_ready_ahead():
        return
    if doubt := action.doubt(state):
        doubted = InputAheadDoubted(
            audience=(seat,), seat=seat, kind=tag_of(action), why=doubt.template, facts=doubt.facts
        )
        met.events.append(doubted)
    else:
        met.ready |= {seat}
