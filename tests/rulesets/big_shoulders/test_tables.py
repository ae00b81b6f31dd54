"""The sums of the printed tables, by which a wrong figure shows."""

from __future__ import annotations

from collections import Counter

import pytest

from game.rulesets.big_shoulders.effects import ASSETS, SPACES, TILES, tiles_of
from game.rulesets.big_shoulders.tables import (
    COMPANIES,
    CUBES_IN_GAME,
    DEMAND,
    ISSUED,
    TRADES,
    UNITS,
    VALUES,
    demand_of,
    price_of_workers,
)
from game.rulesets.big_shoulders.values import steps_for


def test_a_company_has_seven_certificates_of_ten_shares() -> None:
    assert sum(ISSUED.values()) == 7
    assert sum(ISSUED[kind] * UNITS[kind] for kind in ISSUED) == 10


def test_there_are_seventy_cubes_and_twenty_one_values() -> None:
    assert sum(CUBES_IN_GAME.values()) == 70
    assert len(VALUES) == 21
    assert list(VALUES) == sorted(set(VALUES))
    assert not any(value % 5 for value in VALUES)


def test_ten_companies_have_twenty_one_factories() -> None:
    assert len(COMPANIES) == 10
    factories = [factory for row in COMPANIES.values() for factory in row.factories]
    assert len(factories) == 21
    assert sum(factory.staff for factory in factories) == 37
    assert sum(factory.goods for factory in factories) == 41
    cubes = Counter(cube for factory in factories for cube in factory.inputs)
    assert cubes == {"livestock": 14, "steel": 13, "coal": 16, "wood": 9}
    assert {row.trade for row in COMPANIES.values()} == set(TRADES)
    assert sum(row.has_slot for row in COMPANIES.values()) == 5
    assert all(price % 10 == 0 for row in COMPANIES.values() for price in row.prices)


@pytest.mark.parametrize(("seats", "eras"), [(2, (6, 8, 8)), (3, (9, 12, 12)), (4, (12, 16, 16))])
def test_every_tile_is_dealt_once(seats: int, eras: tuple[int, ...]) -> None:
    """Three in the first decade and two in each of the others."""
    assert tuple(len(tiles_of(era, seats)) for era in (1, 2, 3)) == eras == (3 * seats, 4 * seats, 4 * seats)


def test_the_fees_and_workers_of_44_tiles_add_up() -> None:
    assert len(TILES) == 44
    assert sum(row.fee for row in TILES.values()) == 1620
    assert sum(row.workers for row in TILES.values()) == 38
    assert sum(row.is_paid_by_bank for row in TILES.values()) == 13


@pytest.mark.parametrize(("seats", "classes"), [(2, [3, 5, 4, 3]), (3, [5, 6, 4, 4]), (4, [6, 6, 6, 6])])
def test_the_demand_tiles_are_15_19_or_24(seats: int, classes: list[int]) -> None:
    assert [len(demand_of(pips, seats)) for pips in DEMAND] == classes


def test_there_are_sixteen_assets_and_nine_spaces() -> None:
    assert len(ASSETS) == 16
    assert len(SPACES) == 9
    assert sum(row.revenue for row in ASSETS.values()) == 180
    assert Counter(row.bonus.automations for row in ASSETS.values()) == {1: 7, 0: 9}
    assert sum(row.bonus.workers for row in ASSETS.values()) == 5


@pytest.mark.parametrize(
    ("market", "workers", "price"), [(9, 3, 80), (1, 3, 140), (12, 5, 110), (12, 12, 360), (0, 2, 100)]
)
def test_workers_are_priced_one_by_one(market: int, workers: int, price: int) -> None:
    assert price_of_workers(market, workers) == price


@pytest.mark.parametrize(
    ("dividend", "price", "steps"),
    [(180, 60, 3), (170, 60, 2), (150, 50, 2), (100, 50, 2), (90, 50, 1), (40, 50, 0), (30, 35, 0), (2000, 10, 2)],
)
def test_steps_of_a_dividend(dividend: int, price: int, steps: int) -> None:
    assert steps_for(dividend, price) == steps
