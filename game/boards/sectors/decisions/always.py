"""“Full dividends from now on”: the box wherever it can be ticked, and its words. (S 6.5, decision *ahead*)"""

from __future__ import annotations

from game.boards.decision import Asked, Filled, Request
from game.boards.shapes import Tick
from game.engine.language import say

ALWAYS, VOTE_FULL = "always", "vote_full_revenue"


def read_always(form: Filled) -> list[Request]:
    """The request, where the box is ticked."""
    return [{"kind": VOTE_FULL}] if form.get(ALWAYS) else []


def always_words() -> str:
    """It in a player's words, as part of a sentence."""
    return say("full dividends from now on")


def always_tick(asked: Asked) -> Tick | None:
    """The box for every revenue vote to come; None where it cannot be ticked."""
    offer = next(iter(asked.of(VOTE_FULL)), None)
    if offer is None:
        return None
    detail = say(
        "In each revenue vote to come your shares vote full dividends, unless you vote otherwise, and the game does "
        "not wait for you. It ends when a company of yours is insolvent, or you owe more of its shares than you own. "
        "Nobody else sees it."
    )
    chosen = bool(asked.filled.get(ALWAYS))
    return Tick(ALWAYS, say("Full dividends from now on"), detail, chosen, offer.refused, offer.rule)


def new_always_tick(asked: Asked) -> Tick | None:
    """The same on a sheet of another phase: where it holds already, the list of what lasts has it."""
    return None if VOTE_FULL in asked.view.lasting else always_tick(asked)
