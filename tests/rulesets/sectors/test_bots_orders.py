"""The house bot's orders: what it buys and leaves, what it sells short and covers, its options and its limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.rulesets.sectors.thinking import asked

if TYPE_CHECKING:
    from tests.rulesets.sectors.table import Table


def busy(table: Table, *, cid: int = 6, **words: Any) -> Table:
    """A company that sells all it makes and pays well; cid holds what is not on the market."""
    fields = {
        "sector": "materials",
        "tier": "startup",
        "price": 60,
        "unit_price": 70,
        "base_demand": 3,
        "treasury": 400,
    }
    table.sector("materials", consumers=20, base_demand=3)
    return table.company("BUSY", **{**fields, "ipo": 0, "market": 4, **words}).holdings("BUSY", cid=cid)


def idle(table: Table, **words: Any) -> Table:
    """A company that nobody asks anything of, with no money left to change it."""
    fields = {"tier": "growth", "price": 80, "unit_price": 20, "treasury": 65, "has_loan": True, "ipo": 0, **words}
    return table.company("IDLE", **fields)


def test_it_buys_what_promises_most(table: Table) -> None:
    """Of two companies at the same price it takes the one that earns."""
    busy(table).company("ACME", price=60, treasury=65, unit_price=20, has_loan=True).at("stock_orders", turn=3).cash_is(
        ada=300
    )
    (order,) = asked(table, "ada")
    assert (order["company"], order["side"]) == ("BUSY", "buy")


def test_it_keeps_a_little_cash(table: Table) -> None:
    busy(table).at("stock_orders", turn=3).cash_is(ada=80)
    assert asked(table, "ada") == []


def test_what_is_ordered_already_is_paid_for(table: Table) -> None:
    """D3: in the first edition orders resolve after the third sub-round, so the second does not spend the same
    money."""
    table.options(edition=1)
    busy(table).at("stock_orders", turn=3).cash_is(ada=300)
    table.order("ada", "market", "BUSY", quantity=4, status="pending", turn=3)
    assert asked(table, "ada") == []


def test_it_leaves_what_will_be_worth_less(table: Table) -> None:
    idle(table, market=5).holdings("IDLE", ada=5).at("stock_orders", turn=6)
    (order,) = asked(table, "ada")
    assert (order["company"], order["side"], order["quantity"]) == ("IDLE", "sell", 5)


def test_it_sells_short_what_will_fall(table: Table) -> None:
    """S 5.6: no demand, a throughput of 4, and shares to borrow."""
    idle(table, market=6).holdings("IDLE", bob=4).at("stock_orders", turn=4).cash_is(ada=300)
    (order,) = asked(table, "ada", temper="bear")
    assert (order["kind"], order["company"]) == ("short_order", "IDLE")


def test_the_margin_of_a_short_stays_bearable(table: Table) -> None:
    """S 5.6: half of the value is locked; a bear locks three fifths of its cash at most."""
    idle(table, market=6).holdings("IDLE", bob=4).at("stock_orders", turn=4).cash_is(ada=100)
    (order,) = asked(table, "ada", temper="bear")
    assert order["quantity"] == 1


def test_it_does_not_sell_short_what_earns(table: Table) -> None:
    busy(table).at("stock_orders", turn=4).cash_is(ada=50)
    assert asked(table, "ada", temper="bear") == []


def owing(table: Table, *, price: int, cash: int = 300) -> Table:
    """Two shares of IDLE sold short at 80."""
    idle(table, price=price, market=4).short("ada", "IDLE", 2, 80).holdings("IDLE", bob=4)
    return table.cash_is(ada=cash).at("cover_shorts", turn=4)


def test_a_short_that_goes_on_falling_stays_open(table: Table) -> None:
    assert asked(owing(table, price=70), "ada") == []


def test_a_short_is_covered_before_it_hurts(table: Table) -> None:
    """The price stands a quarter above the one at which it was opened."""
    assert [request["kind"] for request in asked(owing(table, price=104), "ada")] == ["cover_short"]


def test_a_short_is_covered_while_it_can_be_paid(table: Table) -> None:
    """A32: covering costs 140, of which the margin frees 80."""
    assert [request["kind"] for request in asked(owing(table, price=70, cash=70), "ada")] == ["cover_short"]


def test_a_short_of_what_will_rise_is_covered(table: Table) -> None:
    busy(table, cid=4).short("ada", "BUSY", 2, 60).cash_is(ada=400).at("cover_shorts", turn=4)
    assert [request["kind"] for request in asked(table, "ada")] == ["cover_short"]


def test_an_option_is_bought_when_the_price_will_pass_its_strike(table: Table) -> None:
    """S 5.7: nothing else is on sale, and four turns bring BUSY far above 75."""
    busy(table, market=0, cid=10).contract("BUSY", strike=75, premium=30, term=4, shares=5).cash_is(ada=200).at(
        "stock_orders", turn=3
    )
    (order,) = asked(table, "ada", temper="trader")
    assert order["kind"] == "option_order"


def test_an_option_out_of_reach_is_left(table: Table) -> None:
    busy(table, market=0, cid=10).contract("BUSY", strike=300, premium=30, term=1, shares=5).cash_is(ada=200).at(
        "stock_orders", turn=3
    )
    assert asked(table, "ada", temper="trader") == []


def test_an_option_is_exercised_at_the_last_chance(table: Table) -> None:
    """S 5.7: its term is over, so it waits no longer."""
    busy(table, price=80).contract("BUSY", strike=70, term=2, age=2, owner="ada").at("exercise_options", turn=4)
    assert [request["kind"] for request in asked(table, "ada")] == ["exercise_option"]


def test_an_option_waits_while_the_price_is_rising(table: Table) -> None:
    busy(table, price=80).contract("BUSY", strike=70, term=3, owner="ada").at("exercise_options", turn=4)
    assert asked(table, "ada") == []


def test_a_stop_lies_below_what_is_foreseen(table: Table) -> None:
    """S 5.5: all its shares, below the fall that the throughput explains."""
    busy(table, market=0, cid=4).holdings("BUSY", ada=6).cash_is(ada=0).at("stock_orders", turn=3)
    (order,) = asked(table, "ada", mood=0)
    assert (order["kind"], order["side"], order["quantity"]) == ("limit_order", "sell", 6)
    assert order["value"] < 60


def test_a_bargain_waits_for_the_dip(table: Table) -> None:
    """S 5.5: too dear today, but the throughput will bring the price down before the dividend lifts it."""
    busy(table, base_demand=5, market=2, cid=8).cash_is(ada=82).at("stock_orders", turn=3)
    (order,) = asked(table, "ada", mood=9)
    assert (order["kind"], order["side"], order["value"]) == ("limit_order", "buy", 55)
