"""A bot that plays random legal requests of any game. Used for fuzz testing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from game.engine.chance import Chance
from game.engine.flow import Mode
from game.engine.offers import (
    Cells,
    Choice,
    Counts,
    Field,
    Flag,
    Offer,
    Queue,
    Range,
    Records,
    Several,
    Split,
    is_asked,
)
from game.engine.ruleset import Offered

Request = dict[str, Any]
MAX_STEPS = 200  # of a range, from its lower end: most of a wide range is refused
PASS_ONE_IN = 4


def random_bot(view: Any, offered: Offered, chance: Chance) -> list[Request]:
    """One request for each offered slot; sometimes none, if the phase can be passed."""
    mode = Mode(view.phase.mode)
    offers = [offer for offer in offered() if not offer.refused]
    if mode is Mode.TURNS:
        return [random_request(chance.pick("bot_offer", offers), chance)] if offers else []
    if not offers or chance.below("bot_pass", PASS_ONE_IN) == 0:
        return [{"kind": "pass"}] if mode is Mode.SEALED else []
    slots: dict[str, list[Offer]] = {}
    for offer in offers:
        slots.setdefault(offer.slot, []).append(offer)
    return [random_request(chance.pick("bot_offer", choices), chance) for choices in slots.values()]


def random_request(offer: Offer, chance: Chance) -> Request:
    """Any request that the offer allows."""
    request = {"kind": offer.kind, **offer.fixed}
    return request | _random_fields(offer.fields, chance)


def _random_fields(fields: Iterable[Field], chance: Chance) -> Request:
    values: Request = {}
    for field in fields:
        if is_asked(field, values):
            values[field.name] = random_value(field, chance)
    return values


def random_value(field: Field, chance: Chance) -> Any:
    """Any value that the field allows, numbers from the lower end."""
    value: Any = None
    match field:
        case Range(low=low, high=high, step=step):
            value = low + step * chance.integer("bot_value", 0, min((high - low) // step, MAX_STEPS))
        case Choice(values=values, optional=optional):
            value = chance.pick("bot_value", [value for value, _ in values] + ([None] if optional else []))
        case Cells(cells=cells):
            value = chance.pick("bot_value", cells).value
        case Several(values=values, most=most):
            value = chance.order("bot_value", [value for value, _ in values])[: chance.integer("bot_count", 1, most)]
        case Split(total=total, seats=seats):
            value = {str(chance.pick("bot_value", seats)): chance.integer("bot_count", 0, total)}
        case Counts():
            value = _random_counts(field, chance)
        case Flag():
            value = chance.below("bot_value", 2) == 0
        case Records(fields=fields, most=most):
            value = [_random_fields(fields, chance) for _ in range(chance.integer("bot_count", 0, most))]
        case Queue(offers=offers, most=most, least=least):
            entries = chance.integer("bot_count", least, most)
            value = [random_request(chance.pick("bot_offer", offers), chance) for _ in range(entries)]
    return value


def _random_counts(field: Counts, chance: Chance) -> dict[str, int]:
    """One thing after another, each in a part with room; parts without any are left out."""
    room = [key for key, _, most in field.parts for _ in range(min(most, MAX_STEPS))]
    number = chance.integer("bot_count", min(field.least, len(room)), min(field.total, len(room), MAX_STEPS))
    values = chance.sample("bot_value", room, number)
    return {key: values.count(key) for key, _, _ in field.parts if key in values}
