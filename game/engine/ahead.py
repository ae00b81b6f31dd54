"""Inputs given ahead: storing them, deciding which count when their phase opens, so that the game need not wait for
their seats, and notifying seats whose phase never comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from game.engine import names
from game.engine.actions import GAME, ROUND, TURN, Action, Refused, tag_of
from game.engine.events import Event, InputAheadDoubted, InputAheadDropped
from game.engine.flow import Phase
from game.engine.language import mark

Pending = Mapping[int, Mapping[str, Action]]
Facts = dict[str, int | str]
NOT_PLAYED = mark("The phase it was for was not played.")


class Met(msgspec.Struct):
    """The result of checking inputs given ahead: those that are left, the seats that have answered with them, seats
    that lost one, seats with a doubtful one, and the events for them."""

    pending: dict[int, dict[str, Action]]
    answered: frozenset[int] = frozenset()
    dropped: frozenset[int] = frozenset()
    doubted: frozenset[int] = frozenset()
    events: list[Event] = []


@dataclass(frozen=True)
class Promises:
    """How a game's rules treat inputs given ahead; earlier versions keep their behaviour.

    `store` turns action, open phase and state into the stored input. `still_waits` returns the seats for which a phase
    waits although they have answered ahead. `reopens`: whether the phase waits again for a seat that withdraws
    this input. `lapse`: inputs that can never count again are dropped. `rest_in_hand`: what a seat has left for its
    turn is left alone there once it acts itself or takes something back."""

    store: Callable[[Action, Phase, Any], Action]
    still_waits: Callable[[Met], frozenset[int]]
    reopens: Callable[[Action], bool]
    lapse: bool = False
    rest_in_hand: bool = False


def store_with_facts(action: Action, phase: Phase, state: Any) -> Action:
    """Add the facts it was given for, if it waits for a later phase."""
    return action.with_facts(state) if is_ahead(action, phase, state) else action


TODAY = Promises(
    store=store_with_facts, still_waits=lambda met: met.dropped, reopens=lambda action: action.is_ready_ahead()
)


def is_ahead(action: Action, phase: Phase, state: Any) -> bool:
    """True if an input is also for a later phase than the open one."""
    return action.is_lasting or not phase.uses(action, state)


def carried(pending: Pending, *, same_round: bool, same_turn: bool) -> dict[int, dict[str, Action]]:
    """The inputs that still wait when a phase opens: those of another round or turn only if they last that long."""
    if same_round and same_turn:
        return {seat: dict(inputs) for seat, inputs in pending.items()}
    lasting = {
        seat: {
            slot: action for slot, action in inputs.items() if lasts(action, same_round=same_round, same_turn=same_turn)
        }
        for seat, inputs in pending.items()
    }
    return {seat: inputs for seat, inputs in lasting.items() if inputs}


def unused(state: Any, pending: Pending, waiting: Pending) -> list[Event]:
    """Events about inputs that no longer wait and whose phase was never played, each for its own seat, with what the
    rules now say against it, if anything."""
    return [
        _dropped(seat, action, *_why_unused(state, action))
        for seat, inputs in pending.items()
        for slot, action in inputs.items()
        if slot not in waiting.get(seat, {}) and not (action.is_lasting or action.is_conditional)
    ]


def without_lapsed(state: Any, pending: Pending) -> tuple[dict[int, dict[str, Action]], list[Event]]:
    """The inputs that can still count, and an event for each seat that loses one."""
    lapses = [
        (seat, slot, action, refusal)
        for seat, inputs in pending.items()
        for slot, action in inputs.items()
        if (refusal := action.lapse(state))
    ]
    gone = {(seat, slot) for seat, slot, _, _ in lapses}
    left = {
        seat: {slot: action for slot, action in inputs.items() if (seat, slot) not in gone}
        for seat, inputs in pending.items()
    }
    return left, [_dropped(seat, action, refusal.template, refusal.facts) for seat, _, action, refusal in lapses]


def lasts(action: Action, *, same_round: bool, same_turn: bool) -> bool:
    """True if an input is kept for another phase."""
    return {GAME: True, TURN: same_turn, ROUND: same_round}[action.lasts]


def meet(phase: Phase, state: Any, pending: Pending) -> Met:
    """Check the inputs that serve the phase just opened. Refused ones are dropped, and only their seat learns why. A
    seat with a doubtful one is notified; to all others it looks like any other."""
    met = Met({seat: dict(inputs) for seat, inputs in pending.items()})
    for seat, inputs in pending.items():
        for slot, action in inputs.items():
            if phase.uses(action, state):
                _check_input(state, met, seat, slot, action)
    return met


def doubts(phase: Phase, state: Any, pending: Pending, seats: Iterable[int]) -> list[Event]:
    """The reason why an input left for a turn that has come is not carried out, by seat."""
    return [
        _doubted(seat, action, doubt)
        for seat in sorted(seats)
        for action in pending.get(seat, {}).values()
        if phase.uses(action, state) and (doubt := action.doubt(state))
    ]


def _check_input(state: Any, met: Met, seat: int, slot: str, action: Action) -> None:
    try:
        names.check_ahead(action, state)
    except Refused as refusal:
        del met.pending[seat][slot]
        met.dropped |= {seat}
        met.events.append(_dropped(seat, action, refusal.template, refusal.facts))
        return
    if not action.is_ready_ahead():
        return
    met.answered |= {seat}
    if doubt := action.doubt(state):
        met.doubted |= {seat}
        met.events.append(_doubted(seat, action, doubt))


def _why_unused(state: Any, action: Action) -> tuple[str, Facts]:
    try:
        names.check_ahead(action, state)
    except Refused as refusal:
        return refusal.template, refusal.facts
    return NOT_PLAYED, {}


def _doubted(seat: int, action: Action, doubt: Refused) -> Event:
    return InputAheadDoubted(audience=(seat,), seat=seat, kind=tag_of(action), why=doubt.template, facts=doubt.facts)


def _dropped(seat: int, action: Action, why: str, facts: Facts) -> Event:
    return InputAheadDropped(audience=(seat,), seat=seat, kind=tag_of(action), why=why, facts=facts)
