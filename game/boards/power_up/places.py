"""Where a game of Power Up stands, in words."""

from __future__ import annotations

from game.engine.language import count, say
from game.rulesets.power_up.tables.common import END_SIZE, END_SIZE_OF_TWO
from game.rulesets.power_up.view import PowerUpView


def aside_of(view: PowerUpView) -> str:
    """The turn and what is left of it."""
    if not view.actions_left:
        return say("Turn {turn}", turn=view.turn)
    return count("Turn {turn}, {n} action left", "Turn {turn}, {n} actions left", view.actions_left, turn=view.turn)


def result_of(view: PowerUpView) -> str:
    """The heading over the final sale."""
    return say("All shares are sold.")


def goal_of(view: PowerUpView) -> str:
    """What wins, what ends the game, and how near that is. (PU 5)"""
    return say(
        "Most cash after the final sale wins. The game ends when a company has {one} tiles, or two have {two}; "
        "the largest has {largest}.",
        one=END_SIZE,
        two=END_SIZE_OF_TWO,
        largest=max(company.size for company in view.companies),
    )
