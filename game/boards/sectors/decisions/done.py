"""“Done for this stock round”: the box beside the order, and its words. (Decision *rounds*)"""

from __future__ import annotations

from game.boards.decision import Asked
from game.boards.shapes import Tick
from game.engine.language import say

DONE = "done"
STOP_ORDERING = "stop_ordering"


def done_words() -> str:
    """It in a player's words, as part of a sentence."""
    return say("no more orders in this stock round")


def done_tick(asked: Asked) -> Tick:
    """The box."""
    return Tick(
        DONE,
        say("Done for this stock round"),
        say(
            "You are asked again only if an order of yours is rejected, a share you own falls, one you owe rises, or "
            "others buy into a company that has not floated, or float it, and you can buy there too. Nobody else sees "
            "it."
        ),
        bool(asked.filled.get(DONE)),
    )
