"""The legal-random bot: any legal request, or none. It is the fuzz."""

from __future__ import annotations

from typing import Any

from game.engine.chance import Chance
from game.engine.offers import Choice, Field, Flag, Offer, Range, Several, Split
from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.table import Request, allowed
from game.rulesets.sectors.view import SectorsView


def random_bot(view: SectorsView, offered: Offered, chance: Chance) -> list[Request]:
    """Any legal request, or none: the fuzz."""
    open_offers = allowed(offered)
    if not open_offers or chance.below("bot_pass", 4) == 0:
        return [{"kind": "pass"}]
    slots: dict[str, list[Offer]] = {}
    for offer in open_offers:
        slots.setdefault(offer.slot, []).append(offer)
    return [_random_request(chance.pick("bot_offer", choices), chance) for choices in slots.values()]


def _random_request(offer: Offer, chance: Chance) -> Request:
    request = {"kind": offer.kind, **offer.fixed}
    for field in offer.fields:
        request[field.name] = random_value(field, chance)
    if offer.kind == "contribute" and not request["cash"] and not request["shares"]:
        request["cash" if offer.fields[0].high else "shares"] = 1  # type: ignore[union-attr]
    return request


def random_value(field: Field, chance: Chance) -> Any:
    """Any value the field allows, numbers from its lower end."""
    match field:
        case Range(low=low, high=high):
            return chance.integer("bot_value", low, min(high, low + 200))
        case Choice(values=values, optional=optional):
            return chance.pick("bot_value", [value for value, _ in values] + ([None] if optional else []))
        case Several(values=values, most=most):
            return chance.order("bot_value", [value for value, _ in values])[: chance.integer("bot_count", 1, most)]
        case Split(total=total, seats=seats):
            return {str(chance.pick("bot_value", seats)): chance.integer("bot_count", 0, total)}
        case Flag():
            return chance.below("bot_value", 2) == 0
