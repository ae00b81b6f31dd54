"""The state of the turn: the predicates and seats that the flow refers to."""

from __future__ import annotations

from game.engine.ledger import hand_of
from game.rulesets.sectors import numbers
from game.rulesets.sectors.state import (
    ACTIVE,
    BANKRUPT,
    FLOATED,
    INSOLVENT,
    LIMIT_ORDER,
    MARKET_ORDER,
    OPEN,
    OPTION_ORDER,
    PENDING,
    REJECTED,
    SHORT_ORDER,
    TRIGGERED,
    Company,
    Order,
    SectorsState,
)


def everybody(state: SectorsState) -> list[int]:
    """Every seat has a choice."""
    return list(range(state.seats))


# --- turns


def game_goes_on(state: SectorsState) -> bool:
    """True if another turn is played. (S 4.5)"""
    return not state.end


def is_later_turn(state: SectorsState) -> bool:
    """True if a turn has been played: the first one has no Start Turn. (S 4.3)"""
    return state.turn_is_over


def has_headlines(state: SectorsState) -> bool:
    """True if headlines were on offer this turn. (S 1.10)"""
    first = state.tables.headline_turn
    return first is not None and state.turn >= first


def headline_payers(state: SectorsState) -> list[int]:
    """Seats that can afford their part of some headline. (A13)"""
    costs = [headline.cost // state.seats for headline in state.headlines if headline]
    return [seat for seat in range(state.seats) if costs and state.cash(seat) >= min(costs)]


def is_tranche_turn(state: SectorsState) -> bool:
    """True if tranches are on offer this turn. (S 1.9)"""
    return state.turn % state.tables.tranche_turns == 0


def has_tranche_winner(state: SectorsState) -> bool:
    """True if a tranche was won. (S 4.1)"""
    return bool(tranche_winners(state))


def tranche_winners(state: SectorsState) -> list[int]:
    """The winners of tranches."""
    return [pool.winner for pool in state.tranches if pool.winner is not None]


def tranche_of(state: SectorsState, seat: int) -> int | None:
    """The number of the tranche that a seat has won. (S 7.9)"""
    return next((number for number, pool in enumerate(state.tranches, 1) if pool.winner == seat), None)


# --- the stock round


def investors(state: SectorsState) -> list[int]:
    """All seats, while there is a company to place an order in. (S 4.4)"""
    return everybody(state) if any(company.status != BANKRUPT for company in state.companies.values()) else []


def has_triggered_limits(state: SectorsState) -> bool:
    return any(order.status == TRIGGERED for order in state.orders.values())


def stock_round_goes_on(state: SectorsState) -> bool:
    """True if another sub-round is played: not after one without orders, or in which all were rejected. (S 4.1,
    rounds)"""
    if state.tables.sub_rounds:
        return state.sub_round < state.tables.sub_rounds
    if state.sub_round == 0:
        return True
    live = any(order.status != REJECTED for order in orders_of_sub_round(state))
    return live and state.sub_round < state.options.max_sub_rounds


def orders_of_sub_round(state: SectorsState) -> list[Order]:
    """The orders placed in the current sub-round."""
    return [o for o in state.orders.values() if o.turn == state.turn and o.sub_round == state.sub_round]


def has_orders(state: SectorsState) -> bool:
    return bool(orders_of_sub_round(state))


def unrevealed_orders(state: SectorsState) -> list[Order]:
    """The orders that are not revealed yet."""
    return [order for order in state.orders.values() if order.shown != "all"]


def has_hidden_orders(state: SectorsState) -> bool:
    return bool(unrevealed_orders(state))


def has_market_orders(state: SectorsState) -> bool:
    return _has(state, MARKET_ORDER, PENDING)


def _has(state: SectorsState, kind: str, status: str) -> bool:
    return any(order.kind == kind and order.status == status for order in state.orders.values())


def has_open_short(state: SectorsState) -> bool:
    return _has(state, SHORT_ORDER, OPEN)


def has_pending_short(state: SectorsState) -> bool:
    return _has(state, SHORT_ORDER, PENDING)


def has_pending_option(state: SectorsState) -> bool:
    return _has(state, OPTION_ORDER, PENDING)


def has_pending_limit(state: SectorsState) -> bool:
    return _has(state, LIMIT_ORDER, PENDING)


def has_bought_contract(state: SectorsState) -> bool:
    return any(contract.owner is not None for contract in state.contracts.values())


def short_holders(state: SectorsState) -> list[int]:
    """Seats with an open short that they can afford to cover. (A32)"""
    able = [s.seat for s in numbers.open_shorts(state) if can_cover(state, s)]
    return sorted(set(able))


def can_cover(state: SectorsState, short: Order) -> bool:
    """True if cash and the freed margin pay for covering a short now. (A32)"""
    return state.cash(short.seat) + short.margin >= short.quantity * state.companies[short.company].price


def has_exercisable_contract(state: SectorsState) -> bool:
    return bool(contract_holders(state))


def contract_holders(state: SectorsState) -> list[int]:
    """Seats with a contract whose strike the company's price has reached. (S 5.7)"""
    met = [c.owner for c in state.contracts.values() if state.companies[c.company].price >= c.strike]
    return sorted({owner for owner in met if owner is not None})


# --- the operating round


def has_revenue(state: SectorsState) -> bool:
    return any(company.revenue for company in state.companies.values())


def revenue_voters(state: SectorsState) -> list[int]:
    """Shareholders of companies with revenue. (S 6.5)"""
    earning = [c.ticker for c in state.companies.values() if c.revenue]
    return [seat for seat in range(state.seats) if any(state.shares(ticker, seat) for ticker in earning)]


def companies_to_act(state: SectorsState) -> list[Company]:
    """The companies that have yet to act in this operating round, in order: locked, or by the current 6.1. (S 6.7,
    R-2)"""
    acted, companies = state.acted, state.companies
    remaining = [companies[ticker] for ticker in state.queue if ticker not in acted]
    floated = [company for company in remaining if company.status in FLOATED]
    if len(floated) > 1 and not state.tables.locks_company_order:
        floated.sort(key=lambda company: numbers.company_priority(state, company))
    return floated


def acting_company(state: SectorsState) -> Company | None:
    """The company whose turn it is."""
    waiting = companies_to_act(state)
    return waiting[0] if waiting else None


def has_yet_to_act(state: SectorsState, company: Company) -> bool:
    return any(waiting.ticker == company.ticker for waiting in companies_to_act(state))


def company_round_goes_on(state: SectorsState) -> bool:
    return acting_company(state) is not None


def is_company_active(state: SectorsState) -> bool:
    company = acting_company(state)
    return company is not None and company.status == ACTIVE


def is_company_insolvent(state: SectorsState) -> bool:
    company = acting_company(state)
    return company is not None and company.status == INSOLVENT


def shareholders_of_acting(state: SectorsState) -> list[int]:
    """The seats with a say in the acting company."""
    company = acting_company(state)
    return [seat for seat in range(state.seats) if company and state.ledger.at(company.ticker, hand_of(seat))]


def shareholders_of_later(state: SectorsState) -> list[int]:
    """The seats with a say in a company that votes later: they can vote ahead. (votes)"""
    later = [company.ticker for company in companies_to_act(state)[1:] if company.status == ACTIVE]
    return [seat for seat in range(state.seats) if any(state.shares(ticker, seat) for ticker in later)]
