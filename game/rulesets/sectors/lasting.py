"""When a lasting input ends: the conditions under which its seat gave it have changed. (ahead)"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from game.engine.actions import Refused
from game.engine.language import mark
from game.rulesets.sectors import numbers
from game.rulesets.sectors.ledger import IPO
from game.rulesets.sectors.state import FILLED, FLOATED, INACTIVE, INSOLVENT, REJECTED, Company, SectorsState

REJECTION = mark("Your order for {ticker} was rejected. Do you want to place another?")
FLOAT = mark("{ticker} has floated, and you can buy its IPO shares at {price}.")
OPENING = mark("Others bought shares of {ticker} from its IPO: {shares}. It floats when {missing} more are sold.")
FELL = mark("You own shares of {ticker}, whose price fell from {before} to {now}.")
ROSE = mark("You owe shares of {ticker}, whose price rose from {before} to {now}.")


def stake_of(state: SectorsState, seat: int, company: Company) -> int:
    """A seat's shares of a company less those it owes."""
    owed = sum(short.quantity for short in numbers.open_shorts(state, seat) if short.company == company.ticker)
    return state.shares(company.ticker, seat) - owed


def companies_to_vote_on(state: SectorsState, seat: int) -> list[Company]:
    """The companies with revenue in which a seat has a vote. (S 6.5)"""
    return [c for c in state.companies.values() if c.revenue and state.shares(c.ticker, seat)]


def check_orders_since(state: SectorsState, seat: int, since: int) -> None:
    """Refuse once an order of this seat from a sub-round after `since` was rejected."""
    for order in state.orders.values():
        is_later = order.turn == state.turn and order.sub_round > since
        if order.seat == seat and is_later and order.status == REJECTED:
            raise Refused(
                "Your order for {ticker} was rejected. Do you want to place another?",
                "ahead",
                ticker=order.company,
                code="order_was_rejected",
            )


def check_prices(state: SectorsState, seat: int, prices: Mapping[str, int]) -> None:
    """Refuse once a company of which the seat owns shares has fallen below these prices, or one of which it owes shares
    has risen above them."""
    for ticker, before in prices.items():
        company = state.companies[ticker]
        stake = stake_of(state, seat, company)
        if stake > 0 and company.price < before:
            template = FELL
        elif stake < 0 and company.price > before:
            template = ROSE
        else:
            continue
        raise Refused(template, "ahead", ticker=ticker, before=before, now=company.price, code="price_moved")


def check_openings(state: SectorsState, seat: int, ipo_shares: Mapping[str, int], since: int) -> None:
    """Refuse once others have bought from the IPO of a company that has not floated, which then had `ipo_shares`, and
    the seat could buy a share there. Its own purchases after sub-round `since` do not count."""
    for ticker, before in ipo_shares.items():
        company = state.companies[ticker]
        own = sum(
            order.quantity
            for order in state.orders.values()
            if (order.seat, order.company, order.location, order.status) == (seat, ticker, IPO, FILLED)
            and order.turn == state.turn
            and order.sub_round > since
        )
        shares = before - state.ledger.at(ticker, IPO) - own
        if company.status == INACTIVE and shares > 0 and _can_buy(state, seat, company):
            missing = numbers.float_needs(company, state.ledger.existing(ticker), state.ledger.at(ticker, IPO))
            raise Refused(OPENING, "ahead", code="others_bought", shares=shares, ticker=ticker, missing=missing)


def _can_buy(state: SectorsState, seat: int, company: Company) -> bool:
    """True if the seat could buy a share from the IPO."""
    can_pay = state.cash(seat) >= company.ipo_price
    is_left = state.ledger.at(company.ticker, IPO) > 0
    return is_left and can_pay and state.shares(company.ticker, seat) < numbers.cap_of(state, company.ticker)


def check_floats(state: SectorsState, seat: int, idle: Collection[str]) -> None:
    """Refuse once one of these companies has floated and the seat could buy a share of its IPO."""
    for ticker in idle:
        company = state.companies[ticker]
        if company.status in FLOATED and _can_buy(state, seat, company):
            raise Refused(FLOAT, "ahead", ticker=ticker, price=company.ipo_price, code="company_floated")


def check_full_dividends(state: SectorsState, seat: int) -> None:
    """Refuse full dividends from now on if the seat may want something else for one of its companies."""
    for company in companies_to_vote_on(state, seat):
        if company.status == INSOLVENT:
            raise Refused(
                "{ticker} is insolvent. Vote on its revenue yourself.",
                "ahead",
                ticker=company.ticker,
                code="is_insolvent",
            )
        if stake_of(state, seat, company) < 0:
            raise Refused(
                "You owe more shares of {ticker} than you own, and shorts pay its dividends. Vote on it yourself.",
                "ahead",
                ticker=company.ticker,
                code="owes_more_than_owned",
            )
