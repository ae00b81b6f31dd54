"""The counts of a survey: registry entries that an event shows, and the sectors of a finished position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from game.engine.events import Event
from game.engine.ledger import hand_of
from game.rulesets.sectors.effects import ABILITIES
from game.rulesets.sectors.events import opening, operations, orders, upkeep
from game.rulesets.sectors.state import BANKRUPT, INACTIVE, Company, SectorsState
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


def facts(state: SectorsState) -> dict[str, Any]:
    """Facts by sector: the number of its companies, how many of them floated, and the seats with the most shares."""
    return {"sectors": {key: _sector(state, key) for key in state.sectors}}


def _sector(state: SectorsState, key: str) -> dict[str, Any]:
    companies = [company for company in state.companies.values() if company.sector == key]
    return {
        "companies": len(companies),
        "floated": sum(company.status not in (INACTIVE, BANKRUPT) for company in companies),
        "bankrupt": sum(company.status == BANKRUPT for company in companies),
        "leaders": _leaders(state, companies),
    }


def _leaders(state: SectorsState, companies: list[Company]) -> list[int]:
    """The seats that hold the most shares of the sector; none if nobody holds any."""
    held = [
        sum(state.ledger.at(c.ticker, hand_of(seat)) for c in companies if c.status != BANKRUPT)
        for seat in range(state.seats)
    ]
    return [seat for seat, shares in enumerate(held) if shares and shares == max(held)]
