"""A standing order: a market order that waits, sub-round by sub-round, for a price that its player states. (*standing
order*)"""

from __future__ import annotations

from typing import ClassVar, Literal

from game.engine.actions import Action, Refused
from game.engine.language import mark
from game.rulesets.sectors.naming import Ticker
from game.rulesets.sectors.orders import (
    LimitOrder,
    MarketOrder,
    OptionOrder,
    PlaceOrder,
    Price,
    Quantity,
    ShortOrder,
    floated,
)
from game.rulesets.sectors.state import BANKRUPT, SectorsState


class StandingOrder(PlaceOrder, frozen=True, kw_only=True, tag="standing_order"):
    """Buy on the open market in the first sub-round of the turn that begins at `limit` or less, or sell in the first
    that begins at `limit` or more. Until then it waits; an order that its player places meanwhile replaces it. A
    purchase under the bid strategy bids the limit. (standing order)"""

    company: Ticker
    side: Literal["buy", "sell"]
    limit: Price
    quantity: Quantity
    title: ClassVar[str] = mark("Standing order")

    def serves(self, state: SectorsState) -> bool:
        company = state.companies[self.company]
        if company.status == BANKRUPT:
            return True  # refused then, so that its player is told at once
        return company.price <= self.limit if self.side == "buy" else company.price >= self.limit

    def with_facts(self, state: SectorsState) -> Action:
        return self

    def means(self, state: SectorsState) -> list[Action]:
        return [self.placed(state)] if self.serves(state) else []

    def placed(self, state: SectorsState) -> MarketOrder:
        """The market order that a standing order becomes."""
        bids = state.options.distribution == "bid" and self.side == "buy"
        return MarketOrder(
            actor=self.actor,
            company=self.company,
            side=self.side,
            location="market",
            quantity=self.quantity,
            bid=self.limit if bids else None,
        )

    def check(self, state: SectorsState) -> None:
        floated(state, self.company)
        if self.serves(state):
            self.placed(state).check(state)

    def check_ahead(self, state: SectorsState) -> None:
        self.check(state)
        if not self.serves(state):
            raise Refused(
                TOO_HIGH if self.side == "buy" else TOO_LOW,
                "standing order",
                ticker=self.company,
                limit=self.limit,
                now=state.companies[self.company].price,
                code="limit_not_reached",
            )


TOO_HIGH = mark("No sub-round of the turn began with {ticker} at {limit} or less; its price is {now}.")
TOO_LOW = mark("No sub-round of the turn began with {ticker} at {limit} or more; its price is {now}.")
ORDERS = (MarketOrder, LimitOrder, ShortOrder, OptionOrder, StandingOrder)
"""Everything that can be a seat's order in a sub-round."""
