"""Estimates of what a company may still earn, from a bot's view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from game.rulesets.big_shoulders.tables import APPEAL_BONUSES, COLUMN_PRICES, COMPANIES, DECADES, Company
from game.rulesets.big_shoulders.view import CompanyView, ShouldersSeat, ShouldersView

CUBE_PRICE = 17  # dollars, on average
DEAR_CUBE = 25  # dollars for keeping a cube that is needed
RARE_CUBE = 40  # dollars for a cube that a factory needs and nobody sells
APPEAL_STEP = 9  # dollars for a space of the appeal track
BONUS_WORTH = 45  # dollars for a bonus on it


class Outlook:
    """A view with the numbers that decisions need."""

    def __init__(self, view: ShouldersView) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.me: ShouldersSeat = view.player(view.seat)
        self.companies = {company.key: company for company in view.companies}
        self.operations_left = DECADES - view.turn + (view.operation is None or not view.operation.is_paid)

    def own(self) -> list[CompanyView]:
        return [company for company in self.view.companies if company.director_seat == self.seat]

    def share(self, company: Company) -> float:
        """The fraction of a dividend that this seat gets."""
        return self.me.shares.get(company, 0) / 10

    def goods_per_run(self, company: CompanyView) -> int:
        """Goods of the factories that have all their staff, from left to right."""
        return sum(goods_of(company, at) for at in running(company, spaces_free(company)))

    def cubes_wanted(self, company: CompanyView, factories: Iterable[int]) -> dict[str, int]:
        """Cubes that these factories need beyond those the company has."""
        wanted: dict[str, int] = {}
        for at in factories:
            for cube in company.factories[at].inputs:
                wanted[cube] = wanted.get(cube, 0) + 1
        return {
            cube: missing
            for cube, number in wanted.items()
            if (missing := number - company.cubes.get(cube, 0)) > 0  # type: ignore[call-overload]
        }

    def worth_of_cubes(self, company: CompanyView, cubes: Mapping[Any, int]) -> float:
        """Dollars of cubes that its factories use, more for those that the supply chain lacks."""
        wanted = self.cubes_wanted(company, range(len(company.factories)))
        on_sale = {cube for column in COLUMN_PRICES for cube in self.view.supply[column]}
        return sum(
            min(number, wanted.get(cube, 0)) * (CUBE_PRICE if cube in on_sale else RARE_CUBE)
            for cube, number in cubes.items()
        )

    def reserve(self, company: CompanyView, free: Sequence[int]) -> int:
        """Dollars that the next operation will spend on cubes if `free` staff spaces are free."""
        missing = self.cubes_wanted(company, running(company, free))
        return DEAR_CUBE * sum(missing.values())

    def potential(self, company: CompanyView) -> float:
        """Dollars a share and decade that a company may come to pay."""
        goods = sum(factory.goods for factory in company.factories[:2])
        return goods * company.good_price / 10


def spaces_free(company: CompanyView) -> list[int]:
    """Free staff spaces by factory."""
    return [factory.staff - factory.workers - factory.automated for factory in company.factories]


def running(company: CompanyView, free: Sequence[int]) -> list[int]:
    """The places of the factories that can run with this number of free spaces, from left to right."""
    count = next((at for at, spaces in enumerate(free) if spaces), len(free))
    return list(range(count))


def goods_of(company: CompanyView, at: int) -> int:
    """What a run of a factory makes."""
    factory, printed = company.factories[at], COMPANIES[company.key].factories[at]
    extra = printed.extra if factory.has_manager else 0
    return factory.goods + extra + (factory.automated == factory.staff)


def appeal_worth(appeal: int, steps: int) -> float:
    """The worth in dollars of moving on the appeal track."""
    to = min(16, appeal + steps)
    bonuses = sum(appeal < space <= to for space in APPEAL_BONUSES)
    return APPEAL_STEP * (to - appeal) + BONUS_WORTH * bonuses
