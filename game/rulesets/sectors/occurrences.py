"""Which entries of the registries an event shows to have occurred."""

from __future__ import annotations

from collections.abc import Iterator

from game.engine.events import Event
from game.rulesets.sectors.effects import ABILITIES
from game.rulesets.sectors.events import opening, operations, orders, upkeep
from game.rulesets.sectors.tables.sectors import SECTORS

_ABILITY_OF_TITLE = {ability.title: key for key, ability in ABILITIES.items()}
_SECTOR_OF_TITLE = {card.title: key for key, card in SECTORS.items()}


def occurrences(event: Event) -> Iterator[tuple[str, str]]:
    """Pairs of registry and key."""
    match event:
        case opening.CompanyOpened(sector=title):
            yield "sectors", _SECTOR_OF_TITLE[title]
        case operations.CardDrawn(card=card) if card:
            yield "cards", card
        case operations.ActionDone(action=action):
            yield "company_actions", action
        case operations.PrestigeSpent(space=space, bought=True):
            yield "prestige", space
        case opening.AbilityGiven(ability=title):
            yield "abilities", _ABILITY_OF_TITLE[title]
        case orders.OrderRevealed(kind=kind):
            yield "orders", kind
        case upkeep.GameEnded(end=end):
            yield "ends", end
