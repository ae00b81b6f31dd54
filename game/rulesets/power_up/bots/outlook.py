"""What everybody would have if the game ended now, and how a purchase or a placement would change it."""

from __future__ import annotations

from collections.abc import Mapping

from game.rulesets.power_up.forecast import MERGER
from game.rulesets.power_up.numbers import Holder, bonuses
from game.rulesets.power_up.tables.common import largest_grant
from game.rulesets.power_up.view import PowerUpView, holders

Held = Mapping[Holder, int]

NEAR = 1.5  # how much more a bonus counts that a tile of the own hand would pay out
GROWTH = 3  # dollars that a share is expected to gain for each tile the company has


class Outlook:
    """Holders and prices of the active companies, from one seat's place."""

    def __init__(self, view: PowerUpView) -> None:
        assert view.seat is not None
        self.seat: int = view.seat
        self._seats = len(view.players)
        self._has_department = view.department is not None
        active = [company for company in view.companies if company.is_active]
        self.held: dict[str, Held] = {company.key: holders(company) for company in active}
        self._prices = {company.key: company.price for company in active}
        self._sizes = {company.key: company.size for company in active}
        results = [result for ahead in view.ahead if ahead.case == MERGER for result in ahead.results]
        self._near = {gone.company for result in results for gone in result.acquisitions}

    def founders(self) -> Held:
        """Who would hold shares of a company it founds; of the Department's, the middle of what may be granted."""
        return {self.seat: 1, None: largest_grant(self._seats) // 2} if self._has_department else {self.seat: 1}

    def lead(self, now: Mapping[str, tuple[Held, int]]) -> float:
        """How far new holders and prices of some companies bring the seat ahead of the others' average."""
        return sum(self._lead_in(*then) - self._lead_in(*self._before(key)) for key, then in now.items())

    def gain_of_buying(self, key: str, count: int) -> float:
        """What `count` shares of a company bring in the end beyond their price."""
        held, price = self.held[key], self._prices[key]
        more = {**held, self.seat: held.get(self.seat, 0) + count}
        gain = self._lead_in(more, price) - self._lead_in(held, price) - count * price
        return gain * (NEAR if key in self._near else 1) + count * GROWTH * self._sizes[key]

    def _before(self, key: str) -> tuple[Held, int]:
        return self.held.get(key, {}), self._prices.get(key, 0)

    def _lead_in(self, held: Held, price: int) -> float:
        """What a company pays the seat, less what it pays the others on average."""
        extra = bonuses(held, price)
        paid = {holder: shares * price + extra.get(holder, 0) for holder, shares in held.items() if holder is not None}
        mine = paid.pop(self.seat, 0)
        return mine - sum(paid.values()) / (self._seats - 1)
