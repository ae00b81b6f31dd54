"""Resigned seats: marking them in a position, and ranking them. (P-16)"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from game.engine.position import AnyPosition, without_inputs
from game.engine.ruleset import Standing


def resigned(position: AnyPosition, seat: int) -> AnyPosition:
    """The position after a resignation: sealed inputs of the seat no longer count. Later resignations rank above
    earlier ones."""
    return with_left(without_inputs(position, {seat}), [*(left for left in position.state.left if left != seat), seat])


def handed_over(position: AnyPosition, seat: int) -> AnyPosition:
    """The position after a takeover: the former player's inputs no longer count, and the seat is ranked normally."""
    return with_left(without_inputs(position, {seat}), [left for left in position.state.left if left != seat])


def with_left(position: AnyPosition, left: Sequence[int]) -> AnyPosition:
    """The same position with these seats resigned, in that order; also in the states that an undo restores."""
    if tuple(left) == position.state.left:
        return position
    resigned = tuple(left) or msgspec.UNSET
    earlier = tuple(
        msgspec.structs.replace(past, state=msgspec.structs.replace(past.state, resigned=resigned))
        for past in position.earlier
    )
    state = msgspec.structs.replace(position.state, resigned=resigned)
    return msgspec.structs.replace(position, state=state, earlier=earlier)


def ranked(scores: Sequence[int], left: Sequence[int] = ()) -> list[Standing]:
    """Seats by score, best first; ties share the better place, and the next place is skipped.

    Resigned seats come below all others, later resignations above earlier ones, whatever their score. (P-10, P-16)"""
    staying = [score for seat, score in enumerate(scores) if seat not in left]
    below = {seat: len(scores) - order for order, seat in enumerate(left)}
    places = [
        Standing(seat, below.get(seat) or 1 + sum(other > score for other in staying), score)
        for seat, score in enumerate(scores)
    ]
    return sorted(places, key=lambda standing: (standing.place, standing.seat))
