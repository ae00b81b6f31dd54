"""Who stands where, and why the game is over."""

from __future__ import annotations

from game.engine.leaving import ranked
from game.engine.ruleset import Standing
from tests.toy.state import ToyState


def standings(state: ToyState) -> list[Standing]:
    """By coins and points; equal scores share the place. (T 7)"""
    return ranked([state.score(seat) for seat in range(state.seats)], state.left)


def end_reason(state: ToyState) -> str:
    """Empty while the game goes on. (T 7)"""
    return "rounds" if state.has_ended else ""
