"""Positions that differ only in what a viewer may not know."""

from __future__ import annotations

import msgspec

from game.engine.position import AnyPosition
from game.rulesets.power_up.ruleset import POWER_UP
from game.rulesets.power_up.state import PowerUpState


def otherwise(position: AnyPosition, viewer: int | None) -> AnyPosition:
    """A position that looks the same to `viewer`: the others' hands and the bag are dealt again from the same tiles, in
    reverse."""
    state: PowerUpState = POWER_UP.codec.copy(position.state)
    hidden = [seat for seat in range(state.seats) if seat != viewer]
    pool = sorted([*state.bag, *(tile for seat in hidden for tile in state.hands[seat])], reverse=True)
    for seat in hidden:
        count = len(state.hands[seat])
        state.hands[seat], pool = sorted(pool[:count]), pool[count:]
    state.bag = pool
    return msgspec.structs.replace(position, state=state)


def views_differ(position: AnyPosition, viewer: int | None) -> bool:
    """Whether the viewer could tell the position from one that is otherwise where they may not look."""
    encode = POWER_UP.codec.encode
    return encode(POWER_UP.view(position, viewer)) != encode(POWER_UP.view(otherwise(position, viewer), viewer))
