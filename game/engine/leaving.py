"""Seats that were resigned or voted out: marking them in a position, and ranking them. (P-16, T-15)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from game.engine.position import AnyPosition, without_inputs
from game.engine.ruleset import Standing


def resigned(position: AnyPosition, seat: int) -> AnyPosition:
    """The position after a resignation: sealed inputs of the seat no longer count. Later resignations rank above
    earlier ones."""
    return with_resigned(
        without_inputs(position, {seat}), [*(each for each in position.state.left if each != seat), seat]
    )


def handed_over(position: AnyPosition, seat: int) -> AnyPosition:
    """The position after a takeover: the former player's inputs no longer count, and the seat is ranked normally."""
    return with_resigned(without_inputs(position, {seat}), [each for each in position.state.left if each != seat])


def voted_out(position: AnyPosition, seat: int) -> AnyPosition:
    """The position after the others voted a seat out: the rules put it out when the open phase closes. (T-15)"""
    return _in_every_state(without_inputs(position, {seat}), voted_out=(*(position.state.voted_out or ()), seat))


def with_resigned(position: AnyPosition, seats: Sequence[int]) -> AnyPosition:
    """The position with exactly these seats resigned, in that order."""
    if tuple(seats) == position.state.left:
        return position
    return _in_every_state(position, resigned=tuple(seats) or msgspec.UNSET)


def _in_every_state(position: AnyPosition, **fields: Any) -> AnyPosition:
    """The position with these fields in its state, and in the states that an undo restores."""
    earlier = tuple(
        msgspec.structs.replace(past, state=msgspec.structs.replace(past.state, **fields)) for past in position.earlier
    )
    state = msgspec.structs.replace(position.state, **fields)
    return msgspec.structs.replace(position, state=state, earlier=earlier)


def ranked(scores: Sequence[int], resigned: Sequence[int] = ()) -> list[Standing]:
    """Seats by score, best first; ties share the better place, and the next place is skipped.

    Resigned seats come below all others, later resignations above earlier ones, whatever their score. (P-10, P-16)"""
    staying = [score for seat, score in enumerate(scores) if seat not in resigned]
    below = {seat: len(scores) - order for order, seat in enumerate(resigned)}
    places = [
        Standing(seat, below.get(seat) or 1 + sum(other > score for other in staying), score)
        for seat, score in enumerate(scores)
    ]
    return sorted(places, key=lambda standing: (standing.place, standing.seat))
