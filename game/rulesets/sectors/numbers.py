"""Functions that compute a number from plain figures and the modifiers in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from game.engine.ledger import hand_of
from game.engine.modifiers import total
from game.rulesets.sectors.ledger import IPO
from game.rulesets.sectors.state import (
    FLOATED,
    INACTIVE,
    LIMIT_ORDER,
    LIVE,
    OPEN,
    SHORT_ORDER,
    Company,
    Contract,
    Order,
    Sector,
    SectorsState,
)
from game.rulesets.sectors.tables.common import CARBON_THROUGHPUT, LIMIT_ACTIONS, SHORT_ACTIONS, THROUGHPUT_STEPS
from game.rulesets.sectors.tables.edition import Tier
from game.rulesets.sectors.tables.sectors import SECTORS


def tier(state: SectorsState, company: Company) -> Tier:
    """The company's tier with its printed numbers. (S 1.4)"""
    return state.tables.tiers[company.tier]


def supply_of(state: SectorsState, company: Company) -> int:
    """Units that a company can produce. (S 6.1)"""
    return tier(state, company).supply + company.base_supply + company.temporary_supply


def demand_of(company: Company) -> int:
    """Units in demand from a company. (S 6.1)"""
    return company.base_demand + company.temporary_demand


def sector_demand(sector: Sector) -> int:
    """The consumers that a sector draws at the end of a turn. (S 7.7)"""
    return sector.base_demand + sector.temporary_demand


def pull_of(state: SectorsState, sector: Sector) -> int:
    """Consumers that a sector takes in one pass of spooling: its demand, in the first edition its base demand. (S 7.7,
    A69)"""
    return sector.base_demand if state.tables.consumers_follow == "base_demand" else sector_demand(sector)


def modifier(state: SectorsState, company: Company, number: str) -> int:
    """The sum of the company's modifiers of a number this turn."""
    return total(company.modifiers, number, state.turn) if company.modifiers else 0


def throughput_of(state: SectorsState, company: Company) -> int:
    """The difference of supply and demand, at most 1 with Carbon Credit. (S 6.2, A58)"""
    return throughput_at(state, company, supply_of(state, company), demand_of(company))


def throughput_at(state: SectorsState, company: Company, supply: int, demand: int) -> int:
    """The throughput of a company with known supply and demand. (S 6.2, A58)"""
    distance = abs(supply - demand)
    is_capped = company.modifiers and modifier(state, company, "throughput_cap")
    return min(distance, CARBON_THROUGHPUT) if is_capped else distance


def throughput_steps(throughput: int) -> int:
    """Price steps down for a throughput. (S 6.3)"""
    return THROUGHPUT_STEPS[min(throughput, len(THROUGHPUT_STEPS) - 1)]


def operating_cost_of(state: SectorsState, company: Company) -> int:
    """The company's operating cost this turn: halvings first, then cards, never below 0. (S 6.4)"""
    return operating_cost_at(state, company, throughput_of(state, company))


def operating_cost_at(state: SectorsState, company: Company, throughput: int) -> int:
    """The operating cost of a company with a known throughput. (S 6.4)"""
    cost = tier(state, company).cost
    if not company.modifiers:
        return cost if throughput else cost // 2
    if modifier(state, company, "cost_free"):
        return 0
    if modifier(state, company, "cost_halved"):
        cost //= 2
    if throughput == 0:
        cost //= 2
    return max(cost + modifier(state, company, "operating_cost"), 0)


def shortfall_of(state: SectorsState, company: Company) -> int:
    """Dollars of contributions that make an insolvent company active again. (S 1.4, 6.12)"""
    return tier(state, company).shortfall


def company_priority(state: SectorsState, company: Company) -> tuple[int, ...]:
    """Sort key of companies: Economies of Scale, low unit price, prestige, demand, age. (S 6.1, A35)"""
    first = 0 if modifier(state, company, "sorts_first") else 1
    return (first, company.unit_price, -company.prestige, -demand_of(company), company.founded)


def companies_in_order(state: SectorsState, statuses: Iterable[str] = FLOATED) -> list[Company]:
    """Companies sector by sector in sector priority, within a sector by 6.1."""
    return [company for sector in sectors_in_order(state) for company in companies_of(state, sector.key, statuses)]


def companies_of(state: SectorsState, sector: str, statuses: Iterable[str] = FLOATED) -> list[Company]:
    """A sector's companies with one of these statuses, by 6.1."""
    mine = [c for c in state.companies.values() if c.sector == sector and c.status in statuses]
    return sorted(mine, key=lambda c: company_priority(state, c))


def sectors_in_order(state: SectorsState) -> list[Sector]:
    """The sectors in play in sector priority."""
    return sorted(state.sectors.values(), key=lambda sector: sector.priority)


def is_floating(state: SectorsState, company: Company) -> bool:
    """True if enough shares have left the IPO. (S 5.4, A81)"""
    existing = state.ledger.existing(company.ticker)
    out = existing - state.ledger.at(company.ticker, IPO)
    return out * 100 >= SECTORS[company.sector].float_percent * existing


def float_needs(company: Company, existing: int, in_ipo: int) -> int:
    """Shares that must still leave the IPO for the company to float. (S 5.4)"""
    needed = -(-SECTORS[company.sector].float_percent * existing // 100)
    return 0 if company.status != INACTIVE else max(needed - (existing - in_ipo), 0)


def cap_of(state: SectorsState, ticker: str) -> int:
    """The most shares of a company that one player can reach by a purchase. (S 1.1, R-19)"""
    return state.ledger.existing(ticker) * state.options.ownership_cap_percent // 100


def certificates_of(state: SectorsState, seat: int) -> int:
    """A seat's own shares of all companies together."""
    return sum(state.ledger.held_in(hand_of(seat)).values())


def open_shorts(state: SectorsState, seat: int | None = None) -> list[Order]:
    """Open shorts, oldest first."""
    shorts = [o for o in state.orders.values() if o.kind == SHORT_ORDER and o.status == OPEN]
    return sorted((o for o in shorts if seat in (None, o.seat)), key=lambda o: o.id)


def contracts_of(state: SectorsState) -> list[Contract]:
    """Option contracts on sale or bought; none if option orders are switched off. (A6)"""
    return list(state.contracts.values()) if state.options.option_orders else []


def net_worth(state: SectorsState, seat: int) -> int:
    """Cash + shares + margin − the cost of covering the open shorts now."""
    return worth_with(state, seat, state.ledger.held_in(hand_of(seat)), open_shorts(state, seat))


def worth_with(state: SectorsState, seat: int, holdings: Mapping[str, int], shorts: Iterable[Order]) -> int:
    """The net worth of a seat with known shares by company and open shorts."""
    worth = state.cash(seat) + state.margin(seat)
    for ticker, held in holdings.items():
        worth += state.companies[ticker].price * held
    for short in shorts:
        worth -= state.companies[short.company].price * short.quantity
    return worth


def limit_actions_left(state: SectorsState, seat: int) -> int:
    """Limit orders that the seat can still place; one is returned with every order that ends. (S 5.2, A24)"""
    return order_actions_left(state, seat)[0]


def short_actions_left(state: SectorsState, seat: int) -> int:
    """Short orders that the seat can still place. (S 5.2, A24)"""
    return order_actions_left(state, seat)[1]


def order_actions_left(state: SectorsState, seat: int) -> tuple[int, int]:
    """Limit orders and short orders that the seat can still place. (S 5.2, A24)"""
    live = [o.kind for o in state.orders.values() if o.seat == seat and o.status in LIVE]
    return LIMIT_ACTIONS - live.count(LIMIT_ORDER), SHORT_ACTIONS - live.count(SHORT_ORDER)


def share_of(amount: int, shares: int, existing: int) -> int:
    """The part of an amount for `shares` of `existing`, floored once. (S 6.5)"""
    return amount * shares // existing
