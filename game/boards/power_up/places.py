"""Where a game of Power Up stands, in words."""

from __future__ import annotations

from game.engine.phrases import plural
from game.rulesets.power_up.tables.common import END_SIZE, END_SIZE_OF_TWO
from game.rulesets.power_up.view import PowerUpView


def aside_of(view: PowerUpView) -> str:
    """The turn and what is left of it."""
    left = f", {plural(view.actions_left, 'action')} left" if view.actions_left else ""
    return f"Turn {view.turn}{left}"


def result_of(view: PowerUpView) -> str:
    """The heading over the final sale."""
    return "All shares are sold."


def goal_of(view: PowerUpView) -> str:
    """What wins, what ends the game, and how near that is. (PU 5)"""
    largest = max(company.size for company in view.companies)
    ends = (
        f"The game ends when a company has {END_SIZE} tiles, or two have {END_SIZE_OF_TWO}; the largest has {largest}."
    )
    return f"Most cash after the final sale wins. {ends}"
