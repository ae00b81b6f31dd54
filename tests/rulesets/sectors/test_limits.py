"""Limit orders: opened, triggered by any price change, settled next turn at their value. (S 5.5, A24, A27-A29)"""

import pytest

from tests.rulesets.sectors.table import Table

TRIGGERED = "filled_pending_settlement"


@pytest.fixture
def floor(table: Table) -> Table:
    return table.at("stock_orders").seats("ada", "bob", "cid", cash=1000).company("ACME", price=47)


# --- placing and opening


def test_a_value_at_the_current_price_is_refused(floor: Table) -> None:
    """Decision *limits*: that is a market order; one beside it is fine, on the chart or not."""
    with floor.refuses("limits", "price is already 47"):
        floor.ada.limits("buy", "ACME", 1, 47)
    floor.ada.limits("buy", "ACME", 1, 48)
    floor.ada.limits("sell", "ACME", 1, 700)


def test_it_opens_at_the_end_of_its_own_stock_round(floor: Table) -> None:
    """S 5.5: price changes before phase 19 do not trigger it."""
    floor.ada.limits("buy", "ACME", 1, 51)
    floor.bob.buys("ACME", 4)
    floor.clock_runs_out()
    assert (floor.price("ACME"), floor.orders("limit")) == (55, {"ada": "pending"})
    floor.clock_runs_out()
    assert "open_limits" in floor.phases
    assert floor.events("limit_opened")[0].price == 51


def test_opening_touches_pending_orders_only(floor: Table) -> None:
    """S 5.5: an open one is not opened again, a triggered one stays triggered."""
    floor.limit("bob", "buy", "ACME", 1, 20).limit("cid", "buy", "ACME", 1, 20, status=TRIGGERED)
    floor.ada.limits("buy", "ACME", 1, 10)
    floor.clock_runs_out().clock_runs_out()
    assert [event.seat for event in floor.events("limit_opened")] == [0]
    assert floor.orders() == {"ada": "open", "bob": "open", "cid": TRIGGERED}


def test_it_can_trigger_in_the_very_turn_it_was_placed(floor: Table) -> None:
    """S 5.5: the throughput penalty of phase 21 comes after its opening; it settles next turn only."""
    floor.ada.limits("buy", "ACME", 2, 43)
    floor.clock_runs_out().clock_runs_out()
    assert floor.phase == "start_turn"
    assert (floor.price("ACME"), floor.orders("limit")) == (39, {"ada": TRIGGERED})
    floor.play_to("stock_orders")
    assert (floor.orders("limit"), floor.shares("ACME"), floor.ada.cash) == ({"ada": "filled"}, {"ada": 2}, 1000 - 86)


# --- triggers


@pytest.mark.parametrize(
    ("side", "value", "move", "status"),
    [
        ("buy", 43, "fall", TRIGGERED),
        ("buy", 39, "fall", TRIGGERED),
        ("buy", 38, "fall", "open"),
        ("buy", 47, "fall", TRIGGERED),
        ("buy", 48, "fall", "open"),
        ("buy", 45, "fall", TRIGGERED),
        ("buy", 51, "rise", TRIGGERED),
        ("buy", 55, "rise", TRIGGERED),
        ("buy", 56, "rise", "open"),
        ("buy", 46, "rise", "open"),
        ("sell", 43, "fall", TRIGGERED),
        ("sell", 39, "fall", TRIGGERED),
        ("sell", 47, "fall", TRIGGERED),
        ("sell", 38, "fall", "open"),
        ("sell", 51, "rise", "open"),
        ("sell", 47, "rise", "open"),
        ("sell", 55, "rise", "open"),
    ],
)
def test_what_triggers(floor: Table, side: str, value: int, move: str, status: str) -> None:
    """A27: 47 falls to 39 or rises to 55; both ends count; sells on falls only."""
    floor.limit("ada", side, "ACME", 1, value).holdings("ACME", bob=4)
    if move == "fall":
        floor.bob.sells("ACME", 2)
    else:
        floor.bob.buys("ACME", 2)
        floor.cid.buys("ACME", 2)
    floor.clock_runs_out()
    assert floor.price("ACME") == (39 if move == "fall" else 55)
    assert floor.orders("limit") == {"ada": status}


def test_filling_a_slot_without_a_step_triggers_nothing(floor: Table) -> None:
    """S 5.5: the price must change."""
    floor.limit("ada", "buy", "ACME", 1, 47)
    floor.bob.buys("ACME", 1)
    floor.clock_runs_out()
    assert (floor.filled("ACME"), floor.orders("limit")) == (1, {"ada": "open"})


def test_only_its_own_company_triggers_it(floor: Table) -> None:
    floor.company("BOLT", price=47).limit("ada", "buy", "BOLT", 1, 51)
    floor.bob.buys("ACME", 2)
    floor.clock_runs_out()
    assert floor.orders("limit") == {"ada": "open"}


def test_an_order_triggers_once(floor: Table) -> None:
    floor.limit("ada", "buy", "ACME", 1, 51).holdings("ACME", cid=2)
    floor.bob.buys("ACME", 2)
    floor.clock_runs_out()
    floor.cid.sells("ACME", 1)
    floor.clock_runs_out()
    assert len(floor.events("limit_triggered")) == 1


def test_any_cause_of_a_move_triggers(table: Table) -> None:
    """S 5.5: a cover, opened shorts, and an option's bonus."""
    table.at("cover_shorts").seats("ada", "bob", cash=1000).company("ACME", price=47, existing=30)
    table.short("bob", "ACME", 4, 47).limit("ada", "buy", "ACME", 1, 51)
    table.order("bob", "short", "ACME", quantity=3, status="pending").limit("ada", "sell", "ACME", 1, 55)
    table.company("BOLT", price=47).contract("BOLT", strike=40, owner="bob").limit("ada", "buy", "BOLT", 1, 50)
    table.bob.covers(2)
    table.clock_runs_out()
    table.bob.exercises(1)
    table.clock_runs_out()
    causes = ["a short was covered", "shares were shorted", "an option was exercised"]
    assert [move.why for move in table.events("price_moved")[:3]] == causes
    assert [event.price for event in table.events("limit_triggered")[:3]] == [51, 55, 50]


# --- settlement


def settle(table: Table) -> Table:
    return table.at("limit_settlement").play_on()


def test_it_settles_at_its_value_not_at_the_price(floor: Table) -> None:
    """S 5.5: bank and income by the value; the proceeds are taxable (A62)."""
    floor.holdings("ACME", bob=4).limit("ada", "buy", "ACME", 2, 60, status=TRIGGERED).limit(
        "bob", "sell", "ACME", 3, 39, status=TRIGGERED
    )
    settle(floor)
    assert floor.cash() == {"ada": 1000 - 120, "bob": 1000 + 117, "cid": 1000}
    assert floor.state.incomes == [0, 117, 0]
    assert floor.bank == 7500 + 120 - 117
    assert floor.shares("ACME") == {"ada": 2, "bob": 1}


def test_settlements_go_by_player_priority_then_age(floor: Table) -> None:
    """S 5.5."""
    floor.priority("bob", "ada", "cid").market_holds(ACME=4).company("ACME", ipo=6)
    floor.limit("ada", "buy", "ACME", 3, 40, status=TRIGGERED).limit("bob", "buy", "ACME", 2, 41, status=TRIGGERED)
    floor.limit("bob", "buy", "ACME", 1, 42, status=TRIGGERED)
    settle(floor)
    assert [(floor.names[e.seat], e.price) for e in floor.events("order_filled")] == [("bob", 41), ("bob", 42)]
    assert floor.rejections() == {"ada": "3 wanted, 1 left."}


def test_a_better_placed_buyer_cannot_use_what_is_settled_after_him(floor: Table) -> None:
    """S 5.5: one list in priority order."""
    floor.company("ACME", ipo=7).holdings("ACME", bob=3)
    floor.limit("ada", "buy", "ACME", 1, 40, status=TRIGGERED).limit("bob", "sell", "ACME", 3, 40, status=TRIGGERED)
    settle(floor)
    assert floor.orders("limit") == {"ada": "rejected", "bob": "filled"}


def test_the_full_quantity_or_nothing(floor: Table) -> None:
    """A28: shares, cash and cap, each named in the rejection."""
    floor.cash_is(ada=119).holdings("ACME", bob=5).company("ACME", price=47)
    floor.limit("ada", "buy", "ACME", 3, 40, status=TRIGGERED).limit("bob", "buy", "ACME", 2, 40, status=TRIGGERED)
    floor.limit("cid", "sell", "ACME", 1, 40, status=TRIGGERED)
    settle(floor)
    assert floor.rejections() == {
        "ada": "it costs 120, cash is 119.",
        "bob": "it would make 7 shares, the ownership cap is 6.",
        "cid": "1 to sell, 0 held.",
    }


def test_the_cap_is_tested_on_running_holdings(floor: Table) -> None:
    """A28: ada's older order takes her to the cap, the younger is beyond it; bob's sale makes room for his purchase."""
    floor.holdings("ACME", ada=4).company("BOLT").holdings("BOLT", bob=6)
    floor.limit("ada", "buy", "ACME", 2, 40, status=TRIGGERED).limit("ada", "buy", "ACME", 1, 41, status=TRIGGERED)
    floor.limit("bob", "sell", "BOLT", 2, 39, status=TRIGGERED).limit("bob", "buy", "BOLT", 2, 42, status=TRIGGERED)
    settle(floor)
    assert floor.rejections() == {"ada": "it would make 7 shares, the ownership cap is 6."}
    assert (floor.shares("ACME"), floor.shares("BOLT")) == ({"ada": 6}, {"bob": 6})


def test_one_net_move_after_all_settlements(floor: Table) -> None:
    """A29: 4 bought, 2 sold: two slots, one step."""
    floor.holdings("ACME", bob=2).limit("ada", "buy", "ACME", 4, 60, status=TRIGGERED).limit(
        "bob", "sell", "ACME", 2, 40, status=TRIGGERED
    )
    settle(floor)
    assert [(move.was, move.now) for move in floor.events("price_moved")] == [(47, 51)]


def test_an_order_triggered_by_a_settlement_waits_for_the_next_turn(floor: Table) -> None:
    """A28: the fall of a settlement triggers cid's sell, which is not settled in this phase."""
    floor.holdings("ACME", bob=3, cid=2)
    floor.limit("bob", "sell", "ACME", 3, 50, status=TRIGGERED).limit("cid", "sell", "ACME", 2, 39)
    settle(floor)
    assert floor.price("ACME") == 35
    assert floor.orders("limit") == {"bob": "filled", "cid": TRIGGERED}
    floor.play_to("start_turn").play_to("stock_orders")
    assert floor.events("order_filled")[-1].seat == 2
    assert floor.events("order_filled")[-1].price == 39


def test_the_action_returns_whether_filled_or_rejected(floor: Table) -> None:
    """A24, A28: at once, for this turn's orders."""
    floor.holdings("ACME", ada=1)
    floor.limit("ada", "sell", "ACME", 1, 40, status=TRIGGERED).limit("ada", "sell", "ACME", 1, 40, status=TRIGGERED)
    for value in (10, 12, 14):
        floor.limit("ada", "buy", "ACME", 1, value)
    settle(floor)
    assert sorted(order.status for order in floor.state.orders.values()) == [
        "filled",
        "open",
        "open",
        "open",
        "rejected",
    ]
    assert floor.view("ada").player(0).limit_actions == 2
    floor.ada.limits("buy", "ACME", 1, 16)


def test_the_phase_is_skipped_when_nothing_awaits_settlement(floor: Table) -> None:
    """S 4.1 phase 8."""
    floor.limit("ada", "buy", "ACME", 1, 39)
    settle(floor)
    assert floor.phases == ["stock_orders"]


def test_an_insolvent_companys_limits_settle(floor: Table) -> None:
    """A23."""
    floor.company("ACME", status="insolvent", treasury=0).limit("ada", "buy", "ACME", 2, 20, status=TRIGGERED)
    settle(floor)
    assert floor.shares("ACME") == {"ada": 2}
