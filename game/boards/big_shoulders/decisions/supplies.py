"""How a company comes by the cubes that its factories lack: from the supply chain, and by trades in Haymarket.
(BS 7.3, BS 6.5)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from game.rulesets.big_shoulders.tables import COLUMN_PRICES, CUBES, Cube
from game.rulesets.big_shoulders.view import CompanyView, ShouldersView

PAIR = 2  # cubes of a kind for one of another


class Supply(msgspec.Struct, frozen=True):
    """Cubes to buy as `10:coal`, trades as `wood:coal` in their order, and the price of the cubes."""

    cubes: tuple[str, ...] = ()
    trades: tuple[str, ...] = ()
    price: int = 0


def needed(company: CompanyView, first: int, last: int) -> Counter[Cube]:
    """The cubes that these factories use beyond those that the company holds."""
    return +_balance(company, first, last)


def _balance(company: CompanyView, first: int, last: int) -> Counter[Cube]:
    """What these factories lack of each kind; negative where the company has more than they use."""
    balance: Counter[Cube] = Counter()
    for factory in company.factories[first - 1 : last]:
        balance.update(factory.inputs)
    balance.subtract(company.cubes)
    return balance


class Market:
    """The cubes that are left to be taken, the cheapest of a kind first; those of the company cost nothing."""

    def __init__(self, view: ShouldersView, own: Mapping[Cube, int], *, may_buy: bool) -> None:
        self.units: dict[Cube, list[tuple[int, str]]] = {cube: [(0, "")] * own.get(cube, 0) for cube in CUBES}
        for column, price in COLUMN_PRICES.items() if may_buy else ():
            for cube, number in view.supply[column].items():
                self.units[cube] += [(price, f"{column}:{cube}")] * number
        self.bought: list[str] = []
        self.price = 0

    def take(self, cube: Cube, number: int) -> int:
        """Take cubes of a kind, up to a number, and return how many were taken."""
        units, self.units[cube] = self.units[cube][:number], self.units[cube][number:]
        self.bought += [name for _, name in units if name]
        self.price += sum(price for price, _ in units)
        return len(units)

    def cheapest_pair(self, but: Cube) -> Cube | None:
        """The kind of which two cost least."""
        pairs = {cube: units[:PAIR] for cube, units in self.units.items() if cube != but and len(units) >= PAIR}
        return min(pairs, key=lambda cube: sum(price for price, _ in pairs[cube]), default=None)


def supplied(
    view: ShouldersView, company: CompanyView, first: int, last: int, *, may_buy: bool, may_trade: bool
) -> Supply | None:
    """The cheapest cubes for these factories, what the chain lacks by trades; None where that is not enough, or costs
    more than the company has."""
    balance = _balance(company, first, last)
    market = Market(view, -balance, may_buy=may_buy)
    missing = {cube: number - market.take(cube, number) for cube, number in (+balance).items()}
    trades, there = [], Counter(view.haymarket)
    for cube in Counter(missing).elements():
        give = market.cheapest_pair(cube) if may_trade and there[cube] else None
        if give is None:
            return None
        market.take(give, PAIR)
        there[cube] -= 1
        trades.append(f"{give}:{cube}")
    return Supply(tuple(market.bought), tuple(trades), market.price) if market.price <= company.cash else None


def best_supply(
    view: ShouldersView, company: CompanyView, first: int, staffed: int, *, may_buy: bool
) -> tuple[int, Supply]:
    """The last factory to run, and its supply: all that can run without trades, and more if their goods bring more than
    the cubes cost."""
    best = (first - 1, Supply())
    for last in range(first, staffed + 1):
        plain = supplied(view, company, first, last, may_buy=may_buy, may_trade=False)
        best = (last, plain) if plain else best
    for last in range(best[0] + 1, staffed + 1):
        traded = supplied(view, company, first, last, may_buy=may_buy, may_trade=True)
        goods = sum(factory.goods for factory in company.factories[best[0] : last])
        if traded and traded.price - best[1].price < goods * company.good_price:
            best = (last, traded)
    return best
