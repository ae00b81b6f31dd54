"""The kernel's random bot, except that it makes no empty contribution to an insolvent company. (S 6.12)"""

from __future__ import annotations

from collections.abc import Sequence

from game.engine import random_bot as kernel
from game.engine.chance import Chance
from game.engine.offers import Offer
from game.engine.ruleset import Offered
from game.rulesets.sectors.actions import ACTIONS
from game.rulesets.sectors.bots.table import Request
from game.rulesets.sectors.view import SectorsView

ASIDE = {kind: ACTIONS[kind].phases for kind in ("distribute_tranche", "vote_full_revenue")}
STANDING = "standing_order"  # it may wait for a later sub-round, so it is as rare
SELDOM = 40  # it gives a standing answer once in this many chances, so that its games stay eventful


def random_bot(view: SectorsView, offered: Offered, chance: Chance) -> list[Request]:
    """Any legal request, or none: for fuzzing."""
    phase = view.phase.name if view.phase else ""
    offers = offered()
    usual = [each for each in offers if each.kind != STANDING and not _is_aside(each.kind, phase)]
    requests = kernel.random_bot(view, lambda: usual, chance)
    for request in requests:
        if request["kind"] == "contribute" and not request["cash"] and not request["shares"]:
            request["cash" if view.player(view.seat or 0).cash else "shares"] = 1
    allowed = [each for each in requests if not _spares(each["kind"], phase) or not chance.below("bot_spares", SELDOM)]
    return [*allowed, *_aside(offers, phase, chance), *_standing(offers, phase, chance)]


def _is_aside(kind: str, phase: str) -> bool:
    """True if it is on the sheet of a phase that it has nothing to do with."""
    phases = ASIDE.get(kind, frozenset())
    return bool(phases) and phase not in phases


def _aside(offers: Sequence[Offer], phase: str, chance: Chance) -> list[Request]:
    """A rare request of that kind: drawn after all others, so that it does not change them."""
    aside = [offer for offer in offers if _is_aside(offer.kind, phase) and not offer.refused]
    if not aside or chance.below("bot_aside", SELDOM):
        return []
    return [kernel.random_request(chance.pick("bot_aside_offer", aside), chance)]


def _standing(offers: Sequence[Offer], phase: str, chance: Chance) -> list[Request]:
    """A rare standing order, in place of another order; drawn last as well."""
    standing = [offer for offer in offers if offer.kind == STANDING and not offer.refused]
    if phase != "stock_orders" or not standing or chance.below("bot_standing", SELDOM):
        return []
    return [kernel.random_request(chance.pick("bot_standing_offer", standing), chance)]


def _spares(kind: str, phase: str) -> bool:
    """True if it would spare this bot a later decision."""
    action = ACTIONS[kind]
    return action.is_lasting or bool(action.phases and phase not in action.phases)
