"""Phase 24: prices follow distributions, campaigns fade, and the order of action is locked."""

from __future__ import annotations

import pytest

from tests.rulesets.sectors.table import Table


def adjusted(table: Table) -> Table:
    return table.at("price_adjustment", reviews=True).clock_runs_out()


MOVES = [
    (10, 100, 21, 29),
    (9, 80, 21, 23),
    (20, 19, 20, 20),
    (20, 20, 21, 21),
    (18, 40, 21, 21),
    (47, 200, 65, 65),
    (55, 250, 75, 75),
    (145, 300, 153, 161),
    (138, 700, 153, 177),
    (291, 600, 302, 313),
    (498, 5000, 512, 555),
    (585, 2000, 600, 600),
    (600, 6000, 600, 600),
]


@pytest.mark.parametrize(("start", "paid", "end", "boom"), MOVES)
def test_a_dividend_lifts_the_price_to_the_next_tier_at_most(
    table: Table, start: int, paid: int, end: int, boom: int
) -> None:
    """S 3.5, 6.6; Boom Cycle goes up to three steps beyond."""
    table.company("PLAIN", sector="cyclical", price=start, revenue=paid, choice="full", filled=0)
    table.company("BOOM", sector="cyclical", price=start, revenue=paid, choice="full", abilities=["boom_cycle"])
    adjusted(table)
    assert (table.price("PLAIN"), table.price("BOOM")) == (end, boom)


def test_half_a_dividend_counts_half_rounded_down(table: Table) -> None:
    """S 6.6: 93 of 187 at 47 is one step, 47 of 94 too, 46 of 93 none."""
    for ticker, revenue in (("A", 187), ("B", 94), ("C", 93)):
        table.company(ticker, price=47, revenue=revenue, choice="half")
    adjusted(table)
    assert [table.price(ticker) for ticker in "ABC"] == [51, 51, 47]


def test_retaining_is_one_step_down_and_no_revenue_is_none(table: Table) -> None:
    """S 6.6, A42."""
    table.company("KEEP", price=47, revenue=100, choice="retain").company("NONE", price=47)
    adjusted(table)
    assert (table.price("KEEP"), table.price("NONE")) == (43, 47)


def test_slots_start_anew_when_the_price_moves_and_stay_when_it_does_not(table: Table) -> None:
    """A17."""
    table.company("UP", price=47, filled=1, revenue=50, choice="full").company(
        "DOWN", price=47, filled=1, revenue=50, choice="retain"
    )
    table.company("SAME", price=47, filled=1, revenue=40, choice="full")
    adjusted(table)
    assert (table.filled("UP"), table.filled("DOWN"), table.filled("SAME")) == (0, 0, 1)


def test_the_price_is_that_after_the_throughput_penalty(table: Table) -> None:
    """S 6.6: demand 1 of 3 costs a step, 47 to 43; 43 paid out is one step of 43."""
    table.company("ACME", base_demand=1, unit_price=43, price=47).sector("industrial", consumers=1).holdings(
        "ACME", ada=3
    )
    table.at("production", reviews=True).play_to("revenue_vote")
    table.ada.votes("ACME", "full")
    table.play_to("price_adjustment")
    assert table.price("ACME") == 47


def test_a_dividend_move_triggers_limit_orders(table: Table) -> None:
    """A27: 47 to 55; a sell does not trigger on a rise."""
    table.company("ACME", price=47, revenue=100, choice="full")
    table.limit("ada", "buy", "ACME", 1, 55).limit("bob", "sell", "ACME", 1, 50).limit("cid", "buy", "ACME", 1, 56)
    adjusted(table)
    assert table.orders("limit") == {"ada": "filled_pending_settlement", "bob": "open", "cid": "open"}


def test_campaigns_fade_by_one_and_lasting_numbers_do_not(table: Table) -> None:
    """S 6.6: sectors, companies that have floated, and the supply of all."""
    same = {"temporary_demand": 3, "temporary_supply": 2, "base_demand": 2, "base_supply": 1}
    table.company("ACME", **same).company("IDLE", **same, status="inactive").company(
        "POOR", **same, status="insolvent", treasury=0
    )
    table.company("ZERO").sector("industrial", temporary_demand=3).sector("energy", temporary_demand=0)
    adjusted(table)
    fading = [(table.of(t).temporary_demand, table.of(t).temporary_supply) for t in ("ACME", "IDLE", "POOR", "ZERO")]
    assert fading == [(2, 1), (3, 1), (2, 1), (0, 0)]
    assert (table.of("ACME").base_demand, table.of("ACME").base_supply) == (2, 1)
    assert (table.sector_of("industrial").temporary_demand, table.sector_of("energy").temporary_demand) == (2, 0)


def test_a_campaign_of_four_counts_four_three_two_one(table: Table) -> None:
    """S 6.6."""
    table.company("ACME", temporary_demand=4).at("production", reviews=True)
    seen = []
    for _ in range(5):
        table.clock_runs_out().play_to("production")
        seen += [table.events("produced")[-1].demand]
        table.clock_runs_out()
    assert seen == [4, 3, 2, 1, 0]


def test_the_order_of_action_is_locked_over_all_sectors(table: Table) -> None:
    """S 6.6, R-2, A35: active and insolvent ones together, cheapest first; sectors do not matter."""
    table.company("DEAR", unit_price=70, sector="technology").company("CHEAP", unit_price=30, sector="materials")
    table.company("POOR", unit_price=50, status="insolvent", treasury=0).company(
        "IDLE", unit_price=10, status="inactive"
    )
    table.company("GONE", unit_price=10, status="bankrupt").sector("technology", priority=1)
    adjusted(table)
    assert table.state.queue == ["CHEAP", "POOR", "DEAR"]
    assert [event.order for event in table.events("order_locked")] == [("CHEAP", "POOR", "DEAR")]


def test_the_order_is_locked_after_the_fading(table: Table) -> None:
    """S 6.6: a fading campaign no longer outweighs a lasting demand."""
    table.company("BASE", base_demand=1).company("FADES", temporary_demand=2, base_demand=0).company(
        "STILL", temporary_demand=3
    )
    adjusted(table)
    assert table.state.queue == ["STILL", "BASE", "FADES"]
