"""Sectors and companies as everybody sees them."""

from __future__ import annotations

from collections.abc import Mapping

from game.engine.ledger import hands_of
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects import ABILITIES, COMPANY_ACTIONS, RESEARCH_CARDS
from game.rulesets.sectors.effects.abilities import abilities_of
from game.rulesets.sectors.ledger import ASIDE, IPO, MARKET
from game.rulesets.sectors.numbers import float_needs
from game.rulesets.sectors.state import BANKRUPT, FLOATED, Company, SectorsState
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
            companies=tuple(_company(state, company, acting) for company in _visible_companies(state, sector.key)),
        )
        for sector in numbers.sectors_in_order(state)
    )


def _visible_companies(state: SectorsState, sector: str) -> list[Company]:
    """Companies that are not closed in serving order, bankrupt ones last."""
    mine = [company for company in state.companies.values() if company.sector == sector]
    return sorted(mine, key=lambda c: (c.status == BANKRUPT, *numbers.company_priority(state, c)))


def _company(state: SectorsState, company: Company, acting: Company | None) -> CompanyView:
    ticker, is_acting = company.ticker, company is acting
    places, tier = state.ledger.shares[ticker], numbers.tier(state, company)
    existing, in_ipo = sum(places.values()), places.get(IPO, 0)
    supply, demand = numbers.supply_of(state, company), numbers.demand_of(company)
    throughput = numbers.throughput_at(state, company, supply, demand)
    return CompanyView(  # in the shape's order: so many named fields would cost more than all their values
        ticker, company.name, company.sector, company.tier, tier.title, company.status,
        company.price, company.step, company.filled, company.ipo_price,
        in_ipo, places.get(MARKET, 0), places.get(ASIDE, 0), existing, numbers.cap_of(state, ticker),
        _holdings(state, places),
        company.unit_price, state.treasury(ticker), numbers.operating_cost_at(state, company, throughput),
        company.prestige, supply, tier.supply, demand,
        company.base_demand, company.temporary_demand, company.temporary_supply,
        throughput, numbers.throughput_steps(throughput), tier.shortfall, tier.actions,
        company.has_loan, is_acting, ticker in state.acted, company.status in FLOATED, float_needs(company, existing,
        in_ipo),
        tuple([ABILITIES[key].title for key in abilities_of(company)]) if company.modifiers else (),
        tuple([RESEARCH_CARDS[key].title for key in company.cards]),
        _effects(company) if company.modifiers else (),
        company.produced, company.sold, company.revenue, company.choice, state.contribution.worth if is_acting else 0,
        tuple([COMPANY_ACTIONS[key].title for key in state.done.get(ticker, ())]) if state.done else (),
    )  # fmt: skip


def _holdings(state: SectorsState, places: Mapping[str, int]) -> dict[int, int]:
    """Shares by seat, without zeros."""
    return {seat: held for seat, hand in enumerate(hands_of(state.seats)) if (held := places.get(hand))}


def _effects(company: Company) -> tuple[str, ...]:
    """The actions whose effects are still in force."""
    return tuple(dict.fromkeys([COMPANY_ACTIONS[m.source].title for m in company.modifiers if ":" not in m.source]))
