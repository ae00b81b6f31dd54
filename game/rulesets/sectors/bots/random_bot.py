"""The kernel's random bot, which never gives nothing to an insolvent company: that is no contribution. (S 6.12)"""

from __future__ import annotations

from game.engine import random_bot as kernel
from game.engine.chance import Chance
from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.table import Request
from game.rulesets.sectors.view import SectorsView

LASTING = frozenset({"stop_ordering", "vote_full_revenue"})
SELDOM = 12  # it says one time in so many that it wants to be asked no more: its games are to be eventful


def random_bot(view: SectorsView, offered: Offered, chance: Chance) -> list[Request]:
    """Any legal request, or none: the fuzz."""
    requests = kernel.random_bot(view, offered, chance)
    for request in requests:
        if request["kind"] == "contribute" and not request["cash"] and not request["shares"]:
            request["cash" if view.player(view.seat or 0).cash else "shares"] = 1
    return [
        request for request in requests if request["kind"] not in LASTING or not chance.below("bot_lasting", SELDOM)
    ]
