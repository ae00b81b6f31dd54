"""The actions of a seat in the stock round: orders of four kinds, and to stop ordering. (S 5.1–5.7)"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from game.engine.actions import TURN, Action, ByRules, Refused
from game.engine.language import mark
from game.rulesets.sectors import lasting, numbers
from game.rulesets.sectors.ledger import IPO
from game.rulesets.sectors.naming import Number, OfferedContract, Ticker
from game.rulesets.sectors.state import ACTIVE, BANKRUPT, FLOATED, INACTIVE, OPTION_ORDER, Company, SectorsState
from game.rulesets.sectors.tables.common import LARGEST_NUMBER, LIMIT_ACTIONS, SHORT_ACTIONS

Quantity = Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)]
Price = Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)]


def living(state: SectorsState, ticker: str, *, field: str = "company") -> Company:
    company = state.companies[ticker]
    if company.status == BANKRUPT:
        raise Refused("{ticker} is bankrupt and delisted.", "S 5.1", ticker=ticker, code="is_bankrupt", field=field)
    return company


def floated(state: SectorsState, ticker: str) -> Company:
    """A company with an open market. Raises `Refused`. (S 5.1)"""
    company = living(state, ticker)
    if company.status not in FLOATED:
        raise Refused(
            "{ticker} is not floated, so it has no open market.",
            "S 5.1",
            ticker=ticker,
            code="not_floated",
            field="company",
        )
    return company


class PlaceOrder(Action, frozen=True, kw_only=True):
    """One order of any kind; one per sub-round, sealed until the reveal. (S 5.1) The first order of a turn can be given
    ahead, also with the mark to be ready; it counts only at the stock price `at` which it was given, in whole dollars;
    the rules set that. (ahead)"""

    ready: bool = False
    at: ByRules[Price | None] = None
    phases: ClassVar[frozenset[str]] = frozenset({"stock_orders"})
    lasts: ClassVar[str] = TURN

    def slot(self) -> str:
        return "order"

    def is_ready_ahead(self) -> bool:
        return self.ready

    def with_facts(self, state: SectorsState) -> Action:
        company = self._priced(state)
        return self if company is None else replace(self, at=company.price)

    def means(self, state: SectorsState) -> list[Action]:
        return [replace(self, ready=False, at=None)]

    def check_ahead(self, state: SectorsState) -> None:
        company = self._priced(state)
        if self.at is not None and company is not None and company.price != self.at:
            raise Refused(
                "You gave this order when the price of {ticker} was {before}; it is {now} now.",
                "ahead",
                ticker=company.ticker,
                before=self.at,
                now=company.price,
                code="price_moved",
            )
        self.check(state)

    def _priced(self, state: SectorsState) -> Company | None:
        """The company at whose price the order was given."""
        return state.companies.get(getattr(self, "company", ""))


class StopOrdering(Action, frozen=True, kw_only=True, tag="stop_ordering"):
    """No more orders in this stock round, and ready for each of its remaining sub-rounds. (rounds, ahead) It ends when
    an order of its seat is rejected, a company that the seat holds loses value, one that it shorted gains, or it
    can buy from an IPO because others do so before the company floats, or because it floats. `prices` are those at
    which it was given, in whole dollars by company, `idle` the companies not floated then, `left` the shares in
    their IPOs, `since` the number of sub-rounds that were over. The rules set all four."""

    prices: ByRules[dict[Ticker, Price]] = {}
    idle: ByRules[tuple[Ticker, ...]] = ()
    left: ByRules[dict[Ticker, Number]] = {}
    since: ByRules[Number] = 0
    title: ClassVar[str] = mark("Done for this stock round")
    phases: ClassVar[frozenset[str]] = frozenset({"stock_orders"})
    lasts: ClassVar[str] = TURN
    is_lasting: ClassVar[bool] = True

    def is_ready_ahead(self) -> bool:
        return True

    def with_facts(self, state: SectorsState) -> Action:
        watched = {c.ticker: c.price for c in state.companies.values() if lasting.stake_of(state, self.actor, c)}
        idle = tuple(c.ticker for c in state.companies.values() if c.status == INACTIVE)
        ipo_shares = {ticker: state.ledger.at(ticker, IPO) for ticker in idle}
        return replace(self, prices=watched, idle=idle, left=ipo_shares, since=state.sub_round)

    def means(self, state: SectorsState) -> list[Action]:
        return []

    def check_ahead(self, state: SectorsState) -> None:
        lasting.check_orders_since(state, self.actor, self.since)
        lasting.check_prices(state, self.actor, self.prices)
        lasting.check_floats(state, self.actor, self.idle)
        lasting.check_openings(state, self.actor, self.left, self.since)


class MarketOrder(PlaceOrder, frozen=True, kw_only=True, tag="market_order"):
    """Buy from the IPO or the open market, or sell on it. Money and shares are checked when it resolves. (S 5.3)"""

    company: Ticker
    side: Literal["buy", "sell"]
    location: Literal["ipo", "market"]
    quantity: Quantity
    bid: Price | None = None
    title: ClassVar[str] = mark("Market order")

    def check(self, state: SectorsState) -> None:
        company = living(state, self.company)
        if self.location == IPO:
            self._check_ipo(state)
        elif company.status not in FLOATED:
            raise Refused(
                "{ticker} is not floated. Buy from its IPO.",
                "S 5.1",
                ticker=self.company,
                code="not_floated",
                field="location",
            )
        self._check_bid(state, company)
        self._check_round_trip(state)

    def _check_ipo(self, state: SectorsState) -> None:
        if self.side == "sell":
            raise Refused(
                "You cannot sell to the IPO. Sell on the open market.", "S 5.1", code="no_sale_to_ipo", field="location"
            )
        if not state.ledger.at(self.company, IPO):
            raise Refused(
                "{ticker} has no IPO shares left. Buy on the open market.",
                "S 5.1",
                ticker=self.company,
                code="none_left",
                field="location",
            )

    def _check_bid(self, state: SectorsState, company: Company) -> None:
        takes_bids = state.options.distribution == "bid" and self.side == "buy"
        if not takes_bids:
            if self.bid is not None:
                raise Refused(
                    "Leave the bid empty: only purchases in games with “highest bid” carry one.",
                    "S 5.3",
                    code="bid_not_taken",
                    field="bid",
                )
            return
        least = company.ipo_price if self.location == IPO else company.price
        if self.bid is None:
            raise Refused(
                "Bid at least {least} per share; your order has no bid.",
                "S 5.3",
                least=least,
                code="bid_missing",
                field="bid",
            )
        if self.bid < least:
            raise Refused(
                "Bid at least {least} per share; you bid {bid}.",
                "S 5.3",
                least=least,
                bid=self.bid,
                code="bid_too_low",
                field="bid",
            )

    def _check_round_trip(self, state: SectorsState) -> None:
        if not state.options.no_round_trips or self.location == IPO:
            return
        opposite = "sell" if self.side == "buy" else "buy"
        if any(t.seat == self.actor and t.company == self.company and t.side == opposite for t in state.trades):
            raise Refused(ALREADY[opposite], "round trips", ticker=self.company, code="round_trip", field="side")


ALREADY = {
    "sell": mark(
        "You already sold {ticker} in this stock round, and this game forbids round trips. Wait until next turn."
    ),
    "buy": mark(
        "You already bought {ticker} in this stock round, and this game forbids round trips. Wait until next turn."
    ),
}


class LimitOrder(PlaceOrder, frozen=True, kw_only=True, tag="limit_order"):
    """Buy or sell at `value` once the price has reached it; settled next turn. (S 5.5)"""

    company: Ticker
    side: Literal["buy", "sell"]
    value: Price
    quantity: Quantity
    title: ClassVar[str] = mark("Limit order")

    def check(self, state: SectorsState) -> None:
        if not state.options.limit_orders:
            raise Refused("Limit orders are switched off in this game.", "A6", code="switched_off")
        company = floated(state, self.company)
        if not numbers.limit_actions_left(state, self.actor):
            raise Refused(
                "You already have {most} limit orders, the maximum. Wait until one ends.",
                "S 5.2",
                most=LIMIT_ACTIONS,
                code="too_many_limit_orders",
            )
        if self.value == company.price:
            raise Refused(
                "The price is already {price}. Choose another limit price, or place a market order.",
                "limits",
                price=company.price,
                code="price_reached",
                field="value",
            )


class ShortOrder(PlaceOrder, frozen=True, kw_only=True, tag="short_order"):
    """Borrow shares of the open market and sell them at once. (S 5.6)"""

    company: Ticker
    quantity: Quantity
    title: ClassVar[str] = mark("Short order")

    def check(self, state: SectorsState) -> None:
        if not state.options.short_orders:
            raise Refused("Short orders are switched off in this game.", "A6", code="switched_off")
        company = living(state, self.company)
        if company.status != ACTIVE:
            raise Refused(
                "{ticker} has not floated. Only active companies can be shorted."
                if company.status == INACTIVE
                else "{ticker} is insolvent. Only active companies can be shorted.",
                "A23",
                ticker=self.company,
                code="not_active",
                field="company",
            )
        if not numbers.short_actions_left(state, self.actor):
            raise Refused(
                "You already have {most} shorts, the maximum. Cover one first.",
                "S 5.2",
                most=SHORT_ACTIONS,
                code="too_many_shorts",
            )
        most = state.options.max_short_quantity
        if most and self.quantity > most:
            raise Refused(
                "You can short at most {most} shares per order; you chose {quantity}.",
                "R-8",
                most=most,
                quantity=self.quantity,
                code="short_too_large",
                field="quantity",
            )


class OptionOrder(PlaceOrder, frozen=True, kw_only=True, tag="option_order"):
    """Buy one option contract on sale. (S 5.7)"""

    contract: OfferedContract
    bid: Price | None = None
    title: ClassVar[str] = mark("Option order")

    def _priced(self, state: SectorsState) -> Company | None:
        contract = state.contracts.get(self.contract)
        return None if contract is None else state.companies[contract.company]

    def check(self, state: SectorsState) -> None:
        contract = state.contracts[self.contract]
        self._check_bid(state, contract.premium)
        if any(
            o.seat == self.actor and o.kind == OPTION_ORDER and o.contract == contract.id for o in state.orders.values()
        ):
            raise Refused(
                "You have already ordered this contract in this stock round.",
                "covers",
                code="already_ordered",
                field="contract",
            )

    def _check_bid(self, state: SectorsState, premium: int) -> None:
        if state.options.distribution == "bid":
            if self.bid is None:
                raise Refused(
                    "Bid at least the premium, {premium}; your order has no bid.",
                    "S 5.7",
                    premium=premium,
                    code="bid_missing",
                    field="bid",
                )
            if self.bid < premium:
                raise Refused(
                    "Bid at least the premium, {premium}; you bid {bid}.",
                    "S 5.7",
                    premium=premium,
                    bid=self.bid,
                    code="bid_too_low",
                    field="bid",
                )
        elif self.bid is not None:
            raise Refused(
                "Leave the bid empty: only games with “highest bid” take one.",
                "S 5.7",
                code="bid_not_taken",
                field="bid",
            )
