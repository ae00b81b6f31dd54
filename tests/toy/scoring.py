"""Who stands where, and why the game is over."""

from __future__ import annotations

from game.engine.breakdown import Part
from game.engine.leaving import ranked
from game.engine.ruleset import Standing
from tests.toy.state import ToyState


def standings(state: ToyState) -> list[Standing]:
    """By coins and points; equal scores share the place. (T 7)"""
    return ranked([state.score(seat) for seat in range(state.seats)], state.left)


def score(state: ToyState, subject: str) -> tuple[Part, ...]:
    """What a score is made of, for whoever asks for it by the number of a seat. (T 7)"""
    if not subject.isdecimal() or int(subject) >= state.seats:
        return ()
    return Part("Coins", state.coins(int(subject))), Part("Points", state.points[int(subject)])


def end_reason(state: ToyState) -> str:
    """Empty while the game goes on. (T 7, 10)"""
    if state.is_won:
        return "points"
    return "rounds" if state.has_ended else ""
