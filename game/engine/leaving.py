"""Seats that were given up: the position with and without them, and their places. (P-16)"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from game.engine.position import AnyPosition, without_inputs
from game.engine.ruleset import Standing


def resigned(position: AnyPosition, seat: int) -> AnyPosition:
    """The position after this seat was given up: its inputs that are not revealed no longer count. A player who resigns
    later is placed above those before."""
    return with_left(without_inputs(position, {seat}), [*(left for left in position.state.left if left != seat), seat])


def handed_over(position: AnyPosition, seat: int) -> AnyPosition:
    """The position after another player took over the seat: what the seat had given no longer counts, and it is placed
    normally."""
    return with_left(without_inputs(position, {seat}), [left for left in position.state.left if left != seat])


def with_left(position: AnyPosition, left: Sequence[int]) -> AnyPosition:
    """The same position with these seats given up, in that order; also where the last actions are taken back."""
    if tuple(left) == position.state.left:
        return position
    noted = tuple(left) or msgspec.UNSET
    earlier = tuple(
        msgspec.structs.replace(past, state=msgspec.structs.replace(past.state, resigned=noted))
        for past in position.earlier
    )
    state = msgspec.structs.replace(position.state, resigned=noted)
    return msgspec.structs.replace(position, state=state, earlier=earlier)


def ranked(scores: Sequence[int], left: Sequence[int] = ()) -> list[Standing]:
    """Seats by score, best first; equal ones share the better place, and the next place is skipped.

    Those that were given up come below all others, later ones above earlier ones, whatever their score. (P-10, P-16)"""
    staying = [score for seat, score in enumerate(scores) if seat not in left]
    below = {seat: len(scores) - order for order, seat in enumerate(left)}
    places = [
        Standing(seat, below.get(seat) or 1 + sum(other > score for other in staying), score)
        for seat, score in enumerate(scores)
    ]
    return sorted(places, key=lambda standing: (standing.place, standing.seat))
