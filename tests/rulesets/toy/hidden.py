"""Positions that differ only in what a viewer may not know."""

from __future__ import annotations

import msgspec

from game.engine.position import AnyPosition
from tests.toy.ruleset import TOY
from tests.toy.state import ToyState


def otherwise(position: AnyPosition, viewer: int | None) -> AnyPosition:
    """A position that looks the same to `viewer`: the others' hands and the deck are dealt again from the same
    cards."""
    state: ToyState = TOY.codec.copy(position.state)
    hidden = [seat for seat in range(state.seats) if seat != viewer]
    pool = sorted([*state.deck, *(card for seat in hidden for card in state.hands[seat])], reverse=True)
    for seat in hidden:
        count = len(state.hands[seat])
        state.hands[seat], pool = pool[:count], pool[count:]
    state.deck = pool
    return msgspec.structs.replace(position, state=state)
