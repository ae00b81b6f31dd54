"""Inputs given ahead, when their phase opens: which ones count, so that the game does not wait for their seats; and
what seats are told whose phase does not come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine.actions import GAME, TURN, Action, Refused, tag_of
from game.engine.events import Event, InputAheadDoubted, InputAheadDropped
from game.engine.flow import Phase
from game.engine.language import mark

Pending = Mapping[int, Mapping[str, Action]]
Facts = dict[str, int | str]
NOT_PLAYED = mark("The phase it was for was not played.")


class Ahead(msgspec.Struct):
    """The remaining inputs, the seats that are ready because of theirs, and what the seats concerned are told."""

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


def unused(state: Any, pending: Pending, kept: Pending) -> list[Event]:
    """What is told about inputs that no longer wait, if none of their phases was played: each to its own seat, with
    what the rules now say against it, if anything."""
    return [
        _dropped(seat, action, *_why_unused(state, action))
        for seat, held in pending.items()
        for slot, action in held.items()
        if slot not in kept.get(seat, {}) and not (action.is_lasting or action.is_conditional)
    ]


def lasts(action: Action, *, same_round: bool, same_turn: bool) -> bool:
    """Whether an input is kept for another phase."""
    return same_round or action.lasts == GAME or (action.lasts == TURN and same_turn)


def meet(phase: Phase, state: Any, pending: Pending) -> Ahead:
    """Check the inputs that serve the phase just opened. One that the rules now refuse is dropped: the game waits for
    its seat again, and only that seat is told why. The same happens if one is allowed but may have no effect: that one
    is kept."""
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
        met.events.append(_dropped(seat, action, refused.template, refused.facts))
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


def _why_unused(state: Any, action: Action) -> tuple[str, Facts]:
    try:
        action.check(state)
    except Refused as refused:
        return refused.template, refused.facts
    return NOT_PLAYED, {}


def _dropped(seat: int, action: Action, why: str, facts: Facts) -> Event:
    return InputAheadDropped(audience=(seat,), seat=seat, kind=tag_of(action), why=why, facts=facts)
