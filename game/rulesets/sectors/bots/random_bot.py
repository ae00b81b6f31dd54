"""The kernel's random bot, which never gives nothing to an insolvent company: that is no contribution. (S 6.12)"""

from __future__ import annotations

from game.engine import random_bot as kernel
from game.engine.chance import Chance
from game.engine.ruleset import Offered
from game.rulesets.sectors.actions import ACTIONS
from game.rulesets.sectors.bots.table import Request
from game.rulesets.sectors.view import SectorsView

SELDOM = 40  # one time in so many it gives what would spare it a question: its games are to be eventful


def random_bot(view: SectorsView, offered: Offered, chance: Chance) -> list[Request]:
    """Any legal request, or none: the fuzz."""
    requests = kernel.random_bot(view, offered, chance)
    for request in requests:
        if request["kind"] == "contribute" and not request["cash"] and not request["shares"]:
            request["cash" if view.player(view.seat or 0).cash else "shares"] = 1
    phase = view.phase.name if view.phase else ""
    return [each for each in requests if not _spares(each["kind"], phase) or not chance.below("bot_spares", SELDOM)]


def _spares(kind: str, phase: str) -> bool:
    """Whether it would spare this bot a later question."""
    action = ACTIONS[kind]
    return action.is_lasting or bool(action.phases and phase not in action.phases)
