"""The table as a bot sees it: its view, its seat, its temper, and what everybody could make of the position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from game.engine.chance import Chance
from game.engine.offers import Offer
from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.prospects import prospects_of
from game.rulesets.sectors.bots.tempers import TEMPERS, Temper
from game.rulesets.sectors.view import CompanyView, OrderView, SectorsView

Request = dict[str, Any]


def allowed(offered: Offered) -> list[Offer]:
    """The offers that are not refused."""
    return [offer for offer in offered() if not offer.refused]


class Table:
    """One decision of one seat."""

    def __init__(self, view: SectorsView, chance: Chance, tempers: Sequence[Temper] = TEMPERS) -> None:
        assert view.seat is not None
        self.view = view
        self.chance = chance
        self.seat = view.seat
        self.prospects = prospects_of(view)
        self.companies = self.prospects.companies
        self.turns_left = self.prospects.turns_left  # after this one at most; 0 once the bank is broken
        self.me = view.player(view.seat)
        self._tempers = tempers
        self._temper: Temper | None = None
        self._orders: list[OrderView] | None = None

    @property
    def temper(self) -> Temper:
        """The seat's way of playing: drawn once, the same all game."""
        if self._temper is None:
            self._temper = self.chance.lasting("bot_temper", self.seat, self._tempers)
        return self._temper

    def company(self, ticker: str) -> CompanyView:
        """A company by its ticker."""
        return next(company for company in self.companies if company.ticker == ticker)

    def owned(self) -> list[CompanyView]:
        """Living companies in which the seat holds shares."""
        return [company for company in self.prospects.living if self.seat in company.holdings]

    def shares(self, company: CompanyView) -> int:
        """The seat's own shares."""
        return company.holdings.get(self.seat, 0)

    @property
    def orders(self) -> list[OrderView]:
        """The seat's own orders, ended ones too."""
        if self._orders is None:
            self._orders = [order for order in self.view.orders if order.seat == self.seat]
        return self._orders

    def orders_now(self) -> list[OrderView]:
        """The seat's orders of this stock round."""
        return [order for order in self.orders if order.turn == self.view.turn]

    def shorts(self) -> list[OrderView]:
        """The seat's open shorts."""
        return [order for order in self.orders if order.kind == "short" and order.status == "open"]

    def shorted(self, company: CompanyView) -> int:
        """Shares of a company that the seat owes."""
        return self.me.margin and sum(short.quantity or 0 for short in self.shorts() if short.company == company.ticker)
