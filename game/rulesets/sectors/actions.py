"""What a seat may ask in Sectors; types refuse nonsense, `check` refuses what the rules refuse."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from game.engine.actions import Action, Pass, Ready, Refused, Withdraw
from game.engine.language import mark, say
from game.engine.ledger import cash_of
from game.engine.play import Play
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects import COMPANY_ACTIONS, is_unlocked
from game.rulesets.sectors.ledger import IPO
from game.rulesets.sectors.phases import contributions
from game.rulesets.sectors.sequence import acting_company, has_yet_to_act
from game.rulesets.sectors.state import ACTIVE, BANKRUPT, FLOATED, INACTIVE, OPTION_ORDER, Company, SectorsState
from game.rulesets.sectors.tables.common import (
    HEADLINE_SLOTS,
    LARGEST_NUMBER,
    LIMIT_ACTIONS,
    MOST_TRANCHES,
    SHORT_ACTIONS,
)
from game.rulesets.sectors.tables.sectors import SECTORS

Ticker = Annotated[str, Meta(min_length=1, max_length=8)]
Quantity = Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)]
Price = Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)]
Number = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]


def _company(state: SectorsState, ticker: str) -> Company:
    if ticker not in state.companies:
        raise Refused(
            "There is no company {ticker} in this game; there are {tickers}.",
            "S 5.1",
            ticker=ticker,
            tickers=", ".join(state.companies),
        )
    return state.companies[ticker]


def _living(state: SectorsState, ticker: str) -> Company:
    company = _company(state, ticker)
    if company.status == BANKRUPT:
        raise Refused("{ticker} is bankrupt and delisted.", "S 5.1", ticker=ticker)
    return company


class BidInfluence(Action, frozen=True, kw_only=True, tag="bid_influence"):
    """Bid influence points for priority, 0 to 50 or in the first edition to 100; every point kept is a dollar. (S 1.5,
    D1)"""

    points: Annotated[int, Meta(ge=0, le=1000)]
    title: ClassVar[str] = mark("Influence bid")

    def check(self, state: SectorsState) -> None:
        most = state.tables.influence_points
        if self.points > most:
            raise Refused("You have {most} influence points, not {points}.", "S 1.5", most=most, points=self.points)


class PledgeHeadline(Action, frozen=True, kw_only=True, tag="pledge_headline"):
    """Join the payers of one headline: equal shares of its cost, fractions dropped. (S 1.10, A13)"""

    headline: Annotated[int, Meta(ge=1, le=HEADLINE_SLOTS)]
    title: ClassVar[str] = mark("Headline pledge")

    def check(self, state: SectorsState) -> None:
        headline = state.headlines[self.headline - 1] if self.headline <= len(state.headlines) else None
        if headline is None:
            raise Refused("There is no headline in slot {slot}.", "S 1.10", slot=self.headline)
        least, cash = headline.cost // state.seats, state.cash(self.actor)
        if cash < least:
            raise Refused(
                "You need at least {least} to pledge (the cost split {seats} ways); you have {cash}.",
                "A13",
                least=least,
                seats=state.seats,
                cash=cash,
            )


class VoteTranche(Action, frozen=True, kw_only=True, tag="vote_tranche"):
    """Vote for one tranche; it is won by a single vote only. (S 7.9)"""

    tranche: Annotated[int, Meta(ge=1, le=MOST_TRANCHES)]
    title: ClassVar[str] = mark("Tranche vote")

    def check(self, state: SectorsState) -> None:
        if not state.tranches:
            raise Refused("There are no tranches this turn.", "S 7.9")
        if self.tranche > len(state.tranches):
            raise Refused(
                "Choose a tranche from 1 to {most}; you chose {tranche}.",
                "S 7.9",
                most=len(state.tranches),
                tranche=self.tranche,
            )


class DistributeTranche(Action, frozen=True, kw_only=True, tag="distribute_tranche"):
    """Distribute a won tranche: cash among all seats, prestige and ability to companies of its sector. (S 7.9, A72,
    A73)"""

    cash: dict[str, Number] = {}
    prestige_to: Ticker | None = None
    ability_to: Ticker | None = None
    title: ClassVar[str] = mark("Tranche distribution")

    def check(self, state: SectorsState) -> None:
        pool = next((p for p in state.tranches if p.winner == self.actor), None)
        if pool is None:
            raise Refused("You have won no tranche this turn.", "S 7.9")
        self._check_cash(state, pool.cash)
        if self.prestige_to is not None and not pool.prestige:
            raise Refused("This tranche carries no prestige.", "S 1.9")
        for ticker in (self.prestige_to, self.ability_to):
            if ticker is not None and _living(state, ticker).sector != pool.sector:
                raise Refused(
                    "{ticker} is not in {sector}. Choose a company of the tranche's sector.",
                    "A72",
                    ticker=ticker,
                    sector=say(SECTORS[pool.sector].title),
                )

    def _check_cash(self, state: SectorsState, most: int) -> None:
        if unknown := [seat for seat in self.cash if seat not in map(str, range(state.seats))]:
            raise Refused(
                "There is no seat {seat} in this game of {seats}.", "S 7.9", seat=unknown[0], seats=state.seats
            )
        if (given := sum(self.cash.values())) > most:
            raise Refused("The tranche has {most} in cash; you gave away {given}.", "S 7.9", most=most, given=given)


class PlaceOrder(Action, frozen=True, kw_only=True):
    """One order of any kind; one a sub-round, sealed until the reveal. (S 5.1)"""

    def slot(self) -> str:
        return "order"


class MarketOrder(PlaceOrder, frozen=True, kw_only=True, tag="market_order"):
    """Buy from the IPO or the open market, or sell on it. Money and shares are checked when it resolves. (S 5.3)"""

    company: Ticker
    side: Literal["buy", "sell"]
    location: Literal["ipo", "market"]
    quantity: Quantity
    bid: Price | None = None
    title: ClassVar[str] = mark("Market order")

    def check(self, state: SectorsState) -> None:
        company = _living(state, self.company)
        if self.location == IPO:
            self._check_ipo(state)
        elif company.status not in FLOATED:
            raise Refused("{ticker} is not floated. Buy from its IPO.", "S 5.1", ticker=self.company)
        self._check_bid(state, company)
        self._check_round_trip(state)

    def _check_ipo(self, state: SectorsState) -> None:
        if self.side == "sell":
            raise Refused("You cannot sell to the IPO. Sell on the open market.", "S 5.1")
        if not state.ledger.at(self.company, IPO):
            raise Refused("{ticker} has no IPO shares left. Buy on the open market.", "S 5.1", ticker=self.company)

    def _check_bid(self, state: SectorsState, company: Company) -> None:
        takes_bids = state.options.distribution == "bid" and self.side == "buy"
        if not takes_bids:
            if self.bid is not None:
                raise Refused("Leave the bid empty: only purchases in games with “highest bid” carry one.", "S 5.3")
            return
        least = company.ipo_price if self.location == IPO else company.price
        if self.bid is None:
            raise Refused("Bid at least {least} per share; your order has no bid.", "S 5.3", least=least)
        if self.bid < least:
            raise Refused("Bid at least {least} per share; you bid {bid}.", "S 5.3", least=least, bid=self.bid)

    def _check_round_trip(self, state: SectorsState) -> None:
        if not state.options.no_round_trips or self.location == IPO:
            return
        opposite = "sell" if self.side == "buy" else "buy"
        if any(t.seat == self.actor and t.company == self.company and t.side == opposite for t in state.trades):
            raise Refused(ALREADY[opposite], "round trips", ticker=self.company)


ALREADY = {
    "sell": mark(
        "You already sold {ticker} in this stock round, and this game forbids round trips. Wait until next turn."
    ),
    "buy": mark(
        "You already bought {ticker} in this stock round, and this game forbids round trips. Wait until next turn."
    ),
}


class LimitOrder(PlaceOrder, frozen=True, kw_only=True, tag="limit_order"):
    """Buy or sell at `value` once the price has reached it; settles next turn. (S 5.5)"""

    company: Ticker
    side: Literal["buy", "sell"]
    value: Price
    quantity: Quantity
    title: ClassVar[str] = mark("Limit order")

    def check(self, state: SectorsState) -> None:
        if not state.options.limit_orders:
            raise Refused("Limit orders are switched off in this game.", "A6")
        company = _living(state, self.company)
        if company.status not in FLOATED:
            raise Refused("{ticker} is not floated, so it has no open market.", "S 5.1", ticker=self.company)
        if not numbers.limit_actions_left(state, self.actor):
            raise Refused(
                "You already have {most} limit orders, the maximum. Wait until one ends.", "S 5.2", most=LIMIT_ACTIONS
            )
        if self.value == company.price:
            raise Refused(
                "The price is already {price}. Choose another limit price, or place a market order.",
                "limits",
                price=company.price,
            )


class ShortOrder(PlaceOrder, frozen=True, kw_only=True, tag="short_order"):
    """Borrow shares of the open market and sell them at once. (S 5.6)"""

    company: Ticker
    quantity: Quantity
    title: ClassVar[str] = mark("Short order")

    def check(self, state: SectorsState) -> None:
        if not state.options.short_orders:
            raise Refused("Short orders are switched off in this game.", "A6")
        company = _living(state, self.company)
        if company.status != ACTIVE:
            raise Refused(
                "{ticker} is inactive. Only active companies can be shorted."
                if company.status == INACTIVE
                else "{ticker} is insolvent. Only active companies can be shorted.",
                "A23",
                ticker=self.company,
            )
        if not numbers.short_actions_left(state, self.actor):
            raise Refused("You already have {most} shorts, the maximum. Cover one first.", "S 5.2", most=SHORT_ACTIONS)
        most = state.options.max_short_quantity
        if most and self.quantity > most:
            raise Refused(
                "You can short at most {most} shares per order; you chose {quantity}.",
                "R-8",
                most=most,
                quantity=self.quantity,
            )


class OptionOrder(PlaceOrder, frozen=True, kw_only=True, tag="option_order"):
    """Buy one option contract on sale. (S 5.7)"""

    contract: Number
    bid: Price | None = None
    title: ClassVar[str] = mark("Option order")

    def check(self, state: SectorsState) -> None:
        if not state.options.option_orders:
            raise Refused("Option contracts are switched off in this game.", "A6")
        contract = state.contracts.get(self.contract)
        if contract is None or contract.owner is not None:
            raise Refused("Contract {contract} is not on sale.", "S 5.7", contract=self.contract)
        self._check_bid(state, contract.premium)
        if any(
            o.seat == self.actor and o.kind == OPTION_ORDER and o.contract == contract.id for o in state.orders.values()
        ):
            raise Refused("You have already ordered this contract in this stock round.", "covers")

    def _check_bid(self, state: SectorsState, premium: int) -> None:
        if state.options.distribution == "bid":
            if self.bid is None:
                raise Refused("Bid at least the premium, {premium}; your order has no bid.", "S 5.7", premium=premium)
            if self.bid < premium:
                raise Refused(
                    "Bid at least the premium, {premium}; you bid {bid}.", "S 5.7", premium=premium, bid=self.bid
                )
        elif self.bid is not None:
            raise Refused("Leave the bid empty: only games with “highest bid” take one.", "S 5.7")


class CoverShort(Action, frozen=True, kw_only=True, tag="cover_short"):
    """Buy back the shares of one open short, whole. (S 5.6, A32)"""

    order: Number
    title: ClassVar[str] = mark("Cover")

    def slot(self) -> str:
        return f"cover {self.order}"

    def check(self, state: SectorsState) -> None:
        short = next((s for s in numbers.open_shorts(state, self.actor) if s.id == self.order), None)
        if short is None:
            raise Refused("You have no open short number {order}.", "S 5.6", order=self.order)
        cost, cash = short.quantity * state.companies[short.company].price, state.cash(self.actor)
        if cash + short.margin < cost:
            raise Refused(
                "Covering costs {cost}; you have {cash} and the margin frees {margin}. Leave the short open.",
                "A32",
                cost=cost,
                cash=cash,
                margin=short.margin,
            )


class ExerciseOption(Action, frozen=True, kw_only=True, tag="exercise_option"):
    """Collect price − strike per share of an own contract. (S 5.7)"""

    contract: Number
    title: ClassVar[str] = mark("Exercise")

    def slot(self) -> str:
        return f"exercise {self.contract}"

    def check(self, state: SectorsState) -> None:
        contract = state.contracts.get(self.contract)
        if contract is None or contract.owner != self.actor:
            raise Refused("You own no contract number {contract}.", "S 5.7", contract=self.contract)
        price = state.companies[contract.company].price
        if price < contract.strike:
            raise Refused(
                "The price of {ticker} is {price}, below the strike of {strike}.",
                "S 5.7",
                ticker=contract.company,
                price=price,
                strike=contract.strike,
            )


class VoteRevenue(Action, frozen=True, kw_only=True, tag="vote_revenue"):
    """Vote what a company does with its revenue, weighing as many votes as own shares. (S 6.5)"""

    company: Ticker
    choice: Literal["full", "half", "retain"]
    title: ClassVar[str] = mark("Revenue vote")

    def slot(self) -> str:
        return f"vote_revenue {self.company}"

    def check(self, state: SectorsState) -> None:
        company = _living(state, self.company)
        if not company.revenue:
            raise Refused("{ticker} has no revenue to distribute this turn.", "S 6.5", ticker=self.company)
        if not state.shares(self.company, self.actor):
            raise Refused("You own no {ticker} shares, so you have no vote.", "S 6.5", ticker=self.company)


class VoteActions(Action, frozen=True, kw_only=True, tag="vote_actions"):
    """Vote for up to as many different actions as the company's tier allows; also ahead, for a company still to come.
    None at all, and ready: to abstain ahead. (S 6.7)"""

    company: Ticker
    actions: Annotated[list[str], Meta(max_length=3)]
    ready: bool = False
    title: ClassVar[str] = mark("Company vote")

    def slot(self) -> str:
        return f"vote_actions {self.company}"

    def serves(self, state: SectorsState) -> bool:
        acting = acting_company(state)
        return acting is not None and acting.ticker == self.company

    def is_ready_ahead(self) -> bool:
        return self.ready

    def check(self, state: SectorsState) -> None:
        company = _living(state, self.company)
        if not has_yet_to_act(state, company) or company.status != ACTIVE:
            raise Refused("{ticker} has no vote left this turn.", "S 6.7", ticker=self.company)
        if not state.shares(self.company, self.actor):
            raise Refused("You own no {ticker} shares, so you have no vote.", "S 6.7", ticker=self.company)
        if not self.actions and not self.ready:
            raise Refused(
                "Choose an action for {ticker}, or abstain ahead and be ready for its vote.",
                "S 6.7",
                ticker=self.company,
            )
        most = numbers.tier(state, company).actions
        if len(self.actions) > most or len(set(self.actions)) < len(self.actions):
            raise Refused(
                "{ticker} takes up to {most} different actions; you chose {chosen}.",
                "S 6.7",
                ticker=self.company,
                most=most,
                chosen=len(self.actions),
            )
        for key in self.actions:
            self._check_action(state, company, key)

    def _check_action(self, state: SectorsState, company: Company, key: str) -> None:
        if key not in COMPANY_ACTIONS:
            raise Refused("There is no company action {action}.", "S 6.9", action=key)
        if not is_unlocked(state, company, key):
            title = COMPANY_ACTIONS[key].title  # in English: a ballot cast ahead may be dropped, which is stored
            raise Refused("{ticker} cannot take {action}.", "S 6.10", ticker=self.company, action=title)


class Contribute(Action, frozen=True, kw_only=True, tag="contribute"):
    """Give an insolvent company cash, or own shares sold at today's price; public, immediate and final. (S 6.12)"""

    cash: Number = 0
    shares: Number = 0
    title: ClassVar[str] = mark("Contribution")
    is_public: ClassVar[bool] = True

    def check(self, state: SectorsState) -> None:
        company = acting_company(state)
        if company is None:
            raise Refused("No company is asking for contributions.", "S 6.12")
        held, cash = state.shares(company.ticker, self.actor), state.ledger.balance(cash_of(self.actor))
        if not held:
            raise Refused("You own no {ticker} shares, so you cannot contribute.", "R-18", ticker=company.ticker)
        if not self.cash and not self.shares:
            raise Refused("Contribute at least 1 dollar or 1 share.", "S 6.12")
        if self.cash > cash:
            raise Refused("You have {cash}; you offered {offered}.", "S 6.12", cash=cash, offered=self.cash)
        if self.shares > held:
            raise Refused(
                "You own {held} {ticker} shares; you offered {shares}.",
                "S 6.12",
                held=held,
                ticker=company.ticker,
                shares=self.shares,
            )

    def carry_out(self, play: Play[SectorsState]) -> None:
        contributions.give(play, self.actor, self.cash, self.shares)


SectorsAction = (
    Ready
    | Pass
    | Withdraw
    | BidInfluence
    | PledgeHeadline
    | VoteTranche
    | DistributeTranche
    | MarketOrder
    | LimitOrder
    | ShortOrder
    | OptionOrder
    | CoverShort
    | ExerciseOption
    | VoteRevenue
    | VoteActions
    | Contribute
)
ORDERS = (MarketOrder, LimitOrder, ShortOrder, OptionOrder)
ACTIONS: dict[str, type[Action]] = {str(kind.__struct_config__.tag): kind for kind in SectorsAction.__args__}
