"""The table as a bot sees it: its view, its seat, and a few estimates anybody could make."""

from __future__ import annotations

from typing import Any

from game.engine.chance import Chance
from game.engine.offers import Offer
from game.engine.ruleset import Offered
from game.rulesets.sectors.view import CompanyView, SectorsView

Request = dict[str, Any]


def allowed(offered: Offered) -> list[Offer]:
    """The offers that are not refused."""
    return [offer for offer in offered() if not offer.refused]


class Table:
    """One decision of one seat."""

    def __init__(self, view: SectorsView, chance: Chance) -> None:
        assert view.seat is not None
        self.view = view
        self.chance = chance
        self.seat = view.seat
        self.me = view.player(view.seat)
        self.demands = {sector.key: sector.demand for sector in view.sectors}
        self.consumers = {sector.key: sector.consumers for sector in view.sectors}

    def living(self) -> list[CompanyView]:
        """Companies that can still be traded."""
        return [company for company in self.view.companies if company.status != "bankrupt"]

    def owned(self) -> list[CompanyView]:
        """Living companies in which the seat holds shares."""
        return [company for company in self.living() if self.shares(company)]

    def shares(self, company: CompanyView) -> int:
        """The seat's own shares."""
        return company.holdings.get(self.seat, 0)

    @property
    def turns_left(self) -> int:
        """Turns after this one at most; 0 once the bank is broken."""
        return 0 if self.view.bank_broke else self.view.max_turns - self.view.turn

    def units_next(self, company: CompanyView) -> int:
        """Units the company may sell in its next production, at today's demand and the consumers now waiting."""
        return min(company.supply, company.demand, max(self.consumers[company.sector], 1 + self.demands[company.sector]))

    def dividend_next(self, company: CompanyView) -> float:
        """Dollars a share of a full dividend next time, before anybody markets anything."""
        return self.units_next(company) * company.unit_price / company.existing

    def promise(self, company: CompanyView) -> float:
        """How good a share looks for its price: what it may pay and gain over the turns left."""
        potential = min(company.supply, 1 + max(company.demand, 2)) * company.unit_price / company.existing
        health = 0.5 if company.status == "insolvent" or company.treasury < 2 * company.operating_cost else 1.0
        price = company.price if company.is_floated else company.ipo_price
        return health * (potential * (1 + self.turns_left) + price) / price
