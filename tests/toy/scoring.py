"""Who stands where, and why the game is over."""

from __future__ import annotations

from game.engine.ruleset import Standing
from tests.toy.state import ToyState


def standings(state: ToyState) -> list[Standing]:
    """By coins and points; equal scores share the place. (T 7)"""
    scores = [state.score(seat) for seat in range(state.seats)]
    places = [Standing(seat, 1 + sum(other > score for other in scores), score) for seat, score in enumerate(scores)]
    return sorted(places, key=lambda standing: (standing.place, standing.seat))


def end_reason(state: ToyState) -> str:
    """Empty while the game goes on. (T 7)"""
    return "rounds" if state.has_ended else ""
