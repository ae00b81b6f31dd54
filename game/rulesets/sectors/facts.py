"""What a survey wants to know of a position that has ended: each sector's companies and who held the most of them."""

from __future__ import annotations

from typing import Any

from game.engine.ledger import hand_of
from game.rulesets.sectors.state import BANKRUPT, INACTIVE, Company, SectorsState


def facts(state: SectorsState) -> dict[str, Any]:
    """By sector: how many companies it had, how many of them lived to be traded, and the seats with the most shares."""
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
    """The seats that hold the most shares of the sector; none when nobody holds any."""
    held = [
        sum(state.ledger.at(c.ticker, hand_of(seat)) for c in companies if c.status != BANKRUPT)
        for seat in range(state.seats)
    ]
    return [seat for seat, shares in enumerate(held) if shares and shares == max(held)]
