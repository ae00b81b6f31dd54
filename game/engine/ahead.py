"""Inputs given ahead: how they are kept; which ones count when their phase opens, so that the game does not wait for
their seats; and what seats are told whose phase does not come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from game.engine import names
from game.engine.actions import GAME, TURN, Action, Refused, tag_of
from game.engine.events import Event, InputAheadDoubted, InputAheadDropped
from game.engine.flow import Phase
from game.engine.language import mark

Pending = Mapping[int, Mapping[str, Action]]
Facts = dict[str, int | str]
NOT_PLAYED = mark("The phase it was for was not played.")


class Met(msgspec.Struct):
    """What became of inputs given ahead: those that are left, the seats that have answered with them, those that lost
    one, those with one in doubt, and what the seats concerned are told."""

    pending: dict[int, dict[str, Action]]
    answered: frozenset[int] = frozenset()
    dropped: frozenset[int] = frozenset()
    doubted: frozenset[int] = frozenset()
    events: list[Event] = []


@dataclass(frozen=True)
class Promises:
    """What a game's rules do with inputs given ahead; they keep what their earlier versions did with them.

    `kept` is an input as it waits: action, open phase and state -> action. `asked` are the seats for which a phase
    waits although they have answered ahead. `reopens`: whether a seat is waited for again that takes this input back in
    the phase that uses it."""

    kept: Callable[[Action, Phase, Any], Action]
    asked: Callable[[Met], frozenset[int]]
    reopens: Callable[[Action], bool]


def kept(action: Action, phase: Phase, state: Any) -> Action:
    """With what it was given for, where it waits for a later phase."""
    return action.given(state) if is_ahead(action, phase, state) else action


TODAY = Promises(kept=kept, asked=lambda met: met.dropped, reopens=lambda action: action.is_ready_ahead())


def is_ahead(action: Action, phase: Phase, state: Any) -> bool:
    """Whether an input is given for a later phase than the open one, too."""
    return action.is_lasting or not phase.uses(action, state)


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


def meet(phase: Phase, state: Any, pending: Pending) -> Met:
    """Check the inputs that serve the phase just opened. One that the rules now refuse is dropped, and only its seat is
    told why. Who holds one that is allowed but may have no effect is told so; for all others it looks like any other.
    """
    met = Met({seat: dict(held) for seat, held in pending.items()})
    for seat, held in pending.items():
        for slot, action in held.items():
            if phase.uses(action, state):
                _meet(state, met, seat, slot, action)
    return met


def _meet(state: Any, met: Met, seat: int, slot: str, action: Action) -> None:
    try:
        names.check_ahead(action, state)
    except Refused as refused:
        del met.pending[seat][slot]
        met.dropped |= {seat}
        met.events.append(_dropped(seat, action, refused.template, refused.facts))
        return
    if not action.is_ready_ahead():
        return
    met.answered |= {seat}
    if doubt := action.doubt(state):
        met.doubted |= {seat}
        doubted = InputAheadDoubted(
            audience=(seat,), seat=seat, kind=tag_of(action), why=doubt.template, facts=doubt.facts
        )
        met.events.append(doubted)


def _why_unused(state: Any, action: Action) -> tuple[str, Facts]:
    try:
        names.check_ahead(action, state)
    except Refused as refused:
        return refused.template, refused.facts
    return NOT_PLAYED, {}


def _dropped(seat: int, action: Action, why: str, facts: Facts) -> Event:
    return InputAheadDropped(audience=(seat,), seat=seat, kind=tag_of(action), why=why, facts=facts)
