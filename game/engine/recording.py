"""Runs a step of the referee and records its draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.engine.chance import Chance
from game.engine.draws import RecordedChance
from game.engine.play import Outcome


def on_record(step: Callable[[Chance], Outcome[Any]], secret: str) -> Outcome[Any]:
    """The outcome of a step with chance from this secret, and its draws in order."""
    chance = RecordedChance(secret, [])
    outcome = step(chance)
    outcome.draws = chance.book
    return outcome
