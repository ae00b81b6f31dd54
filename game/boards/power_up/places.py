"""Where a game of Power Up stands, in words."""

from __future__ import annotations

from game.engine.phrases import plural
from game.rulesets.power_up.view import PowerUpView


def aside_of(view: PowerUpView) -> str:
    """The turn and what is left of it."""
    left = f", {plural(view.actions_left, 'action')} left" if view.actions_left else ""
    return f"Turn {view.turn}{left}"


def result_of(view: PowerUpView) -> str:
    """The heading over the final sale."""
    return "All shares are sold."
