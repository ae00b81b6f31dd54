"""The price chart and every kind of move on it. (S 3)"""

from itertools import pairwise

import pytest

from game.rulesets.sectors import prices
from game.rulesets.sectors.tables.chart import LAST, PRICES, STEP_OF, TIER_STARTS, nearest_step, slots_at
from tests.rulesets.sectors.table import Table


def test_the_chart_is_the_recommended_one() -> None:
    """S 3.1, 3.2, A16: 79 steps, 21 opens the second tier."""
    assert len(PRICES) == 79
    assert list(PRICES) == sorted(set(PRICES))
    assert [PRICES[start] for start in TIER_STARTS] == [3, 21, 153, 302, 512]
    assert list(TIER_STARTS) == [0, 13, 39, 55, 72]
    assert {step: PRICES[step] for step in (7, 12, 21, 38, 54, 71, 78)} == {
        7: 10,
        12: 20,
        21: 47,
        38: 145,
        54: 291,
        71: 498,
        78: 600,
    }


def test_every_price_is_the_printed_one() -> None:
    """S 3.1, A16: tier by tier, as sums."""
    starts = [*TIER_STARTS, len(PRICES)]
    assert [sum(PRICES[first:after]) for first, after in pairwise(starts)] == [132, 1896, 3496, 6732, 3888]


@pytest.mark.parametrize(
    ("price", "slots"), [(3, 1), (20, 1), (21, 2), (145, 2), (153, 4), (291, 4), (302, 5), (498, 5), (512, 6), (600, 6)]
)
def test_slots_by_tier(price: int, slots: int) -> None:
    """S 3.1."""
    assert slots_at(STEP_OF[price]) == slots


@pytest.mark.parametrize(
    ("rolled", "snapped"),
    [(45, 43), (57, 55), (58, 60), (62, 60), (63, 65), (100, 98), (101, 98), (102, 104), (20, 20), (22, 21)],
)
def test_prices_snap_to_the_nearest_and_midpoints_go_down(rolled: int, snapped: int) -> None:
    """S 1.3."""
    assert PRICES[nearest_step(rolled)] == snapped


SLOT_FILLS = [
    (20, 0, 1, 21, 0),
    (20, 0, 3, 23, 0),
    (21, 1, 1, 23, 0),
    (138, 0, 5, 153, 1),
    (18, 0, 4, 23, 0),
    (291, 3, 1, 302, 0),
    (302, 4, 6, 324, 0),
    (498, 0, 5, 512, 0),
    (512, 5, 13, 555, 0),
    (145, 1, 3, 153, 2),
    (35, 0, 3, 39, 1),
    (600, 0, 9, 600, 0),
]


@pytest.mark.parametrize(("price", "filled", "shares", "end", "left"), SLOT_FILLS)
def test_slot_filling(price: int, filled: int, shares: int, end: int, left: int) -> None:
    """S 3.4."""
    step, now_filled = prices.after_buying(STEP_OF[price], filled, shares)
    assert (PRICES[step], now_filled) == (end, left)


@pytest.mark.parametrize(("price", "filled", "shares", "end", "left"), SLOT_FILLS)
def test_slot_filling_at_the_table(table: Table, price: int, filled: int, shares: int, end: int, left: int) -> None:
    """S 3.4: the same moves by orders on the open market."""
    table.at("stock_orders").company("ACME", price=price, filled=filled, existing=40).cash_is(ada=20_000)
    table.ada.buys("ACME", shares)
    table.clock_runs_out()
    assert (table.price("ACME"), table.filled("ACME")) == (end, left)


def test_falling_resets_the_slots(table: Table) -> None:
    """S 3.4: 23 with one slot filled, four sold: 16 with none. A17."""
    table.at("stock_orders").company("ACME", price=23, filled=1).holdings("ACME", ada=4)
    table.ada.sells("ACME", 4)
    table.clock_runs_out()
    assert (table.price("ACME"), table.filled("ACME")) == (16, 0)


@pytest.mark.parametrize(
    ("start", "steps", "end", "shielded"),
    [
        (23, 4, 16, 20),
        (153, 9, 92, 145),
        (302, 1, 291, 291),
        (512, 3, 470, 498),
        (10, 4, 6, 6),
        (5, 9, 3, 3),
        (60, 2, 51, 51),
    ],
)
def test_falls_and_the_regulatory_shield(start: int, steps: int, end: int, shielded: int) -> None:
    """S 3.3, 3.6: a shielded fall enters the next lower tier at its top only; the first tier shields nothing."""
    assert PRICES[prices.after_fall(STEP_OF[start], steps, is_shielded=False)] == end
    assert PRICES[prices.after_fall(STEP_OF[start], steps, is_shielded=True)] == shielded


def test_the_shield_holds_one_event_not_the_next(table: Table) -> None:
    """S 3.6, decision *shield*: each sub-round's net is one event."""
    table.at("stock_orders").company("CARE", sector="healthcare", price=23, abilities=["regulatory_shield"]).holdings(
        "CARE", ada=6
    )
    table.ada.sells("CARE", 4)
    table.clock_runs_out()
    assert table.price("CARE") == 20
    table.ada.sells("CARE", 2)
    table.clock_runs_out()
    assert table.price("CARE") == 16


def test_the_top_and_the_bottom_hold(table: Table) -> None:
    """S 3.3."""
    table.at("stock_orders").company("HIGH", price=600).company("LOW", price=3).cash_is(ada=5000).holdings("LOW", bob=3)
    table.ada.buys("HIGH", 6)
    table.bob.sells("LOW", 3)
    table.clock_runs_out()
    assert (table.price("HIGH"), table.price("LOW")) == (PRICES[LAST], 3)


def test_a_plain_step_up_crosses_tiers_and_resets_slots(table: Table) -> None:
    """S 3.3, A17: an option's bonus of 2 steps from 145."""
    table.at("exercise_options").company("ACME", price=145, filled=1).contract("ACME", strike=100, bonus=2, owner="ada")
    table.ada.exercises(1)
    table.clock_runs_out()
    assert (table.events("price_moved")[0].was, table.events("price_moved")[0].now) == (145, 161)


def test_only_a_floated_company_moves(table: Table) -> None:
    """A91: purchases in the IPO never move the price, not even those that float the company."""
    table.at("stock_orders").company("NEWCO", status="inactive", price=55)
    table.cash_is(ada=900)
    table.ada.buys("NEWCO", 6, at="ipo")
    table.clock_runs_out()
    assert (table.status("NEWCO"), table.price("NEWCO"), table.filled("NEWCO")) == ("active", 55, 0)
