"""Sectors and companies as everybody sees them."""

from __future__ import annotations

from typing import Any

from game.engine.ledger import ASIDE, IPO, MARKET, hand_of
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects import ABILITIES, COMPANY_ACTIONS, RESEARCH_CARDS
from game.rulesets.sectors.effects.abilities import abilities_of
from game.rulesets.sectors.state import BANKRUPT, FLOATED, INACTIVE, Company, SectorsState
from game.rulesets.sectors.tables.chart import PRICES
from game.rulesets.sectors.tables.sectors import SECTORS
from game.rulesets.sectors.view.shapes import CompanyView, SectorView


def sectors(state: SectorsState, acting: Company | None) -> tuple[SectorView, ...]:
    """The sectors in their priority, each with its companies."""
    return tuple(
        SectorView(
            key=sector.key,
            title=SECTORS[sector.key].title,
            priority=sector.priority,
            base_demand=sector.base_demand,
            temporary_demand=sector.temporary_demand,
            consumers=sector.consumers,
            float_percent=SECTORS[sector.key].float_percent,
            companies=tuple(_company(state, company, acting) for company in _shown_companies(state, sector.key)),
        )
        for sector in numbers.sectors_in_order(state)
    )


def _shown_companies(state: SectorsState, sector: str) -> list[Company]:
    """Living companies as they are served, bankrupt ones last."""
    mine = [company for company in state.companies.values() if company.sector == sector]
    return sorted(mine, key=lambda c: (c.status == BANKRUPT, *numbers.company_priority(state, c)))


def _company(state: SectorsState, company: Company, acting: Company | None) -> CompanyView:
    return CompanyView(
        **_shares(state, company),
        **_supply_and_demand(state, company),
        **_lasting(company),
        ticker=company.ticker,
        name=company.name,
        sector=company.sector,
        status=company.status,
        price=PRICES[company.step],
        step=company.step,
        filled=company.filled,
        unit_price=company.unit_price,
        treasury=state.treasury(company.ticker),
        operating_cost=numbers.operating_cost_of(state, company),
        prestige=company.prestige,
        has_loan=company.has_loan,
        is_acting=acting is company,
        has_acted=company.ticker in state.acted,
        is_floated=company.status in FLOATED,
        produced=company.produced,
        sold=company.sold,
        revenue=company.revenue,
        choice=company.choice,
        contributed=state.contribution.worth if acting is company else 0,
    )


def _shares(state: SectorsState, company: Company) -> dict[str, Any]:
    ticker, places = company.ticker, state.ledger.shares[company.ticker]
    existing, in_ipo = sum(places.values()), places.get(IPO, 0)
    return {
        "ipo_price": company.ipo_price,
        "ipo": in_ipo,
        "market": places.get(MARKET, 0),
        "aside": places.get(ASIDE, 0),
        "existing": existing,
        "cap": numbers.cap_of(state, ticker),
        "holdings": {seat: held for seat in range(state.seats) if (held := places.get(hand_of(seat)))},
        "float_needs": _float_needs(company, existing, in_ipo),
    }


def _supply_and_demand(state: SectorsState, company: Company) -> dict[str, Any]:
    tier, throughput = numbers.tier(state, company), numbers.throughput_of(state, company)
    return {
        "tier": company.tier,
        "tier_title": tier.title,
        "actions": tier.actions,
        "shortfall": tier.shortfall,
        "supply": numbers.supply_of(state, company),
        "tier_supply": tier.supply,
        "demand": numbers.demand_of(company),
        "base_demand": company.base_demand,
        "temporary_demand": company.temporary_demand,
        "temporary_supply": company.temporary_supply,
        "throughput": throughput,
        "throughput_steps": numbers.throughput_steps(throughput),
    }


def _lasting(company: Company) -> dict[str, Any]:
    """Abilities, cards, and the effects of actions still in force."""
    effects = dict.fromkeys(COMPANY_ACTIONS[m.source].title for m in company.modifiers if ":" not in m.source)
    return {
        "abilities": tuple(ABILITIES[key].title for key in abilities_of(company)),
        "cards": tuple(RESEARCH_CARDS[key].title for key in company.cards),
        "effects": tuple(effects),
    }


def _float_needs(company: Company, existing: int, in_ipo: int) -> int:
    """Shares that must still leave the IPO for the company to float."""
    needed = -(-SECTORS[company.sector].float_percent * existing // 100)
    return 0 if company.status != INACTIVE else max(needed - (existing - in_ipo), 0)
