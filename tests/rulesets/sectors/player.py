"""One player at a table of rules tests, speaking in the rulebook's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from game.engine import referee
from game.rulesets.sectors.ruleset import SECTORS

if TYPE_CHECKING:
    from tests.rulesets.sectors.table import Table


class Player:
    """One player at the table, speaking in the rulebook's words."""

    def __init__(self, table: Table, name: str) -> None:
        self.table = table
        self.name = name
        self.seat = table.seat(name)

    def asks(self, kind: str, **fields: Any) -> Player:
        self.table.asks(self.name, kind, **fields)
        return self

    def bids(self, points: int) -> Player:
        return self.asks("bid_influence", points=points)

    def pledges(self, headline: int) -> Player:
        return self.asks("pledge_headline", headline=headline)

    def votes_for_tranche(self, number: int) -> Player:
        return self.asks("vote_tranche", tranche=number)

    def distributes(self, prestige_to: str | None = None, ability_to: str | None = None, **cash: int) -> Player:
        gifts = {str(self.table.seat(name)): amount for name, amount in cash.items()}
        return self.asks("distribute_tranche", cash=gifts, prestige_to=prestige_to, ability_to=ability_to)

    def buys(self, company: str, quantity: int, *, at: str = "market", bid: int | None = None) -> Player:
        return self.asks("market_order", company=company, side="buy", location=at, quantity=quantity, bid=bid)

    def sells(self, company: str, quantity: int, *, at: str = "market", bid: int | None = None) -> Player:
        return self.asks("market_order", company=company, side="sell", location=at, quantity=quantity, bid=bid)

    def limits(self, side: str, company: str, quantity: int, value: int) -> Player:
        return self.asks("limit_order", company=company, side=side, quantity=quantity, value=value)

    def shorts(self, company: str, quantity: int) -> Player:
        return self.asks("short_order", company=company, quantity=quantity)

    def wants(self, contract: int, bid: int | None = None) -> Player:
        return self.asks("option_order", contract=contract, bid=bid)

    def covers(self, order: int) -> Player:
        return self.asks("cover_short", order=order)

    def exercises(self, contract: int) -> Player:
        return self.asks("exercise_option", contract=contract)

    def votes(self, company: str, *what: str, ready: bool = False) -> Player:
        """A revenue vote (`full`, `half`, `retain`) or a ballot of company actions."""
        if what[0] in ("full", "half", "retain"):
            return self.asks("vote_revenue", company=company, choice=what[0])
        return self.asks("vote_actions", company=company, actions=list(what), ready=ready or None)

    def contributes(self, cash: int = 0, shares: int = 0) -> Player:
        return self.asks("contribute", cash=cash, shares=shares)

    def is_ready(self) -> Player:
        return self.asks("ready")

    def passes(self) -> Player:
        return self.asks("pass")

    def withdraws(self, slot: str = "order") -> Player:
        return self.asks("withdraw", of=slot)

    @property
    def cash(self) -> int:
        return self.table.state.cash(self.seat)

    @property
    def margin(self) -> int:
        return self.table.state.margin(self.seat)

    @property
    def income(self) -> int:
        return self.table.state.incomes[self.seat]

    def offers(self) -> list[Any]:
        return referee.offers(SECTORS, self.table.position, self.seat)
