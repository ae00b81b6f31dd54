"""A bot for tests that uses everything: each kind of request alike often, with numbers that the rules are likely to
grant."""

from __future__ import annotations

from typing import Any

from game.engine.chance import Chance
from game.engine.offers import Field, Offer, Range
from game.engine.random_bot import random_value
from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.table import Request, allowed
from game.rulesets.sectors.view import SectorsView

NEAR = {"value": 12, "bid": 4, "quantity": 3}
"""How far above its least, or around its suggestion, a number is drawn."""


def keen_bot(view: SectorsView, offered: Offered, chance: Chance) -> list[Request]:
    """One request for each slot: first a kind is drawn, then one of its offers."""
    slots: dict[str, dict[str, list[Offer]]] = {}
    for offer in allowed(offered):
        kind = f"{offer.kind} {offer.fixed.get('side')} {offer.fixed.get('location')}"
        slots.setdefault(offer.slot, {}).setdefault(kind, []).append(offer)
    return [
        _request(chance.pick("keen_offer", kinds[chance.pick("keen_kind", sorted(kinds))]), chance)
        for kinds in slots.values()
    ]


def _request(offer: Offer, chance: Chance) -> Request:
    return {"kind": offer.kind, **offer.fixed} | {field.name: _value(field, chance) for field in offer.fields}


def _value(field: Field, chance: Chance) -> Any:
    match field:
        case Range(name="value", suggested=suggested):
            return max(suggested + chance.integer("keen_value", -NEAR["value"], NEAR["value"]), 1)
        case Range(name="cash" | "shares", low=low, high=high):
            return max(chance.integer("keen_value", low, high), min(1, high))
        case Range(name=name, low=low, high=high):
            return chance.integer("keen_value", low, min(high, low + NEAR.get(name, high)))
    return random_value(field, chance)
