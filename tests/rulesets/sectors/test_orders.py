"""Placing orders: sub-rounds, concealment, refusals, counters. (S 5.1, 5.2, 4.1 phases 9–11)"""

import pytest

from tests.rulesets.sectors.table import Table

# --- sub-rounds


def test_the_stock_round_goes_on_until_a_sub_round_without_orders(market: Table) -> None:
    """S 4.1, A74, *rounds*: 10, 11 and 12 are skipped when there is nothing to show."""
    market.ada.buys("ACME", 1)
    market.clock_runs_out()
    market.bob.sells("ACME", 1)
    market.clock_runs_out()
    assert market.phases == ["order_review", "order_reveal", "market_orders", "stock_orders"] * 2
    market.clock_runs_out()
    assert market.phases[8:10] == ["stock_results", "production"]


def test_a_sub_round_of_rejected_orders_ends_the_round(market: Table) -> None:
    """Decision *rounds*."""
    market.ada.sells("ACME", 1)
    market.cid.buys("ACME", 9)
    market.clock_runs_out()
    assert set(market.rejections()) == {"ada", "cid"}
    assert market.phases == ["order_review", "order_reveal", "market_orders", "stock_results", *market.phases[4:]]


def test_one_order_that_is_not_rejected_keeps_the_round_open(market: Table) -> None:
    """Decision *rounds*: among rejected ones."""
    market.ada.sells("ACME", 1)
    market.bob.sells("ACME", 1)
    market.clock_runs_out()
    assert market.phase == "stock_orders"


@pytest.mark.parametrize("kind", ["limit", "short", "option"])
def test_a_pending_order_keeps_the_round_open(market: Table, kind: str) -> None:
    """*rounds detail*: limit, short and option orders wait for 15, 17, 19; phase 12 is skipped without market
    orders."""
    if kind == "limit":
        market.ada.limits("buy", "ACME", 1, 35)
    elif kind == "short":
        market.ada.shorts("ACME", 1)
    else:
        market.ada.wants(1)
    market.clock_runs_out()
    assert market.phases == ["order_review", "order_reveal", "stock_orders"]
    assert market.orders() == {"ada": "pending"}


def test_there_are_no_more_sub_rounds_than_the_option_says(market: Table) -> None:
    """Option `max_sub_rounds`, A74."""
    market.options(max_sub_rounds=2)
    for _ in range(2):
        assert market.phase == "stock_orders"
        market.ada.buys("ACME", 1)
        market.clock_runs_out()
    assert market.phase != "stock_orders"
    assert len(market.events("order_filled")) == 2


def test_one_order_a_sub_round_the_last_one_stands(market: Table) -> None:
    """S 5.1, *revise*: of whatever kind."""
    market.ada.buys("ACME", 1)
    market.ada.limits("buy", "ACME", 1, 35)
    market.clock_runs_out()
    assert [(o.kind, o.seat) for o in market.state.orders.values()] == [("limit", 0)]


def test_an_order_may_be_withdrawn_or_passed_away(market: Table) -> None:
    """*revise*: nothing is left of it, no counter is charged."""
    market.ada.limits("buy", "ACME", 1, 35)
    market.ada.withdraws()
    market.bob.shorts("ACME", 1)
    market.bob.passes()
    market.clock_runs_out()
    assert market.state.orders == {}
    assert market.phases[0] == "stock_results"


def test_nothing_to_withdraw_is_refused(market: Table) -> None:
    """*revise*."""
    with market.refuses("revise", "submitted nothing"):
        market.ada.withdraws()


def test_an_order_that_comes_too_late_is_refused(market: Table) -> None:
    """S 4.4: late or in the wrong phase."""
    market.play_to("company_vote")
    with market.refuses("S 4.4 phase 25", "Market order is not possible in phase 25"):
        market.bob.buys("ACME", 1)


# --- where an order may be placed


def test_the_ipo_takes_market_buys_only(market: Table) -> None:
    """S 5.1."""
    with market.refuses("S 5.1", "cannot sell to the IPO"):
        market.bob.sells("ACME", 1, at="ipo")
    market.ada.buys("IDLE", 1, at="ipo")
    market.ada.buys("ACME", 1, at="ipo")


def test_an_empty_ipo_sells_nothing(market: Table) -> None:
    """S 5.1."""
    with market.refuses("S 5.1", "WEAK has no IPO shares left"):
        market.ada.buys("WEAK", 1, at="ipo")


def test_a_company_not_floated_has_no_open_market(market: Table) -> None:
    """S 5.1, 5.4."""
    for ask in (
        lambda: market.ada.buys("IDLE", 1),
        lambda: market.ada.sells("IDLE", 1),
        lambda: market.ada.limits("buy", "IDLE", 1, 20),
    ):
        with market.refuses("S 5.1", "IDLE is not floated"):
            ask()
    with market.refuses("A23", "IDLE has not floated"):
        market.ada.shorts("IDLE", 1)


def test_a_bankrupt_company_takes_no_order(market: Table) -> None:
    """S 5.1."""
    for ask in (
        lambda: market.ada.buys("DEAD", 1, at="ipo"),
        lambda: market.ada.sells("DEAD", 1),
        lambda: market.ada.limits("sell", "DEAD", 1, 20),
        lambda: market.ada.shorts("DEAD", 1),
    ):
        with market.refuses("S 5.1", "DEAD is bankrupt"):
            ask()


def test_an_insolvent_company_takes_market_and_limit_orders_but_no_shorts(market: Table) -> None:
    """A23."""
    market.ada.buys("WEAK", 1)
    market.bob.limits("buy", "WEAK", 1, 10)
    market.cid.sells("WEAK", 1)
    with market.refuses("A23", "WEAK is insolvent"):
        market.ada.shorts("WEAK", 1)
    market.clock_runs_out()
    assert market.orders() == {"ada": "filled", "bob": "pending", "cid": "filled"}


def test_an_unknown_company_is_refused_with_the_ones_there_are(market: Table) -> None:
    with market.refuses("S 5.1", "no company NOPE", "ACME, IDLE, WEAK, DEAD"):
        market.ada.buys("NOPE", 1)


@pytest.mark.parametrize("quantity", [0, -1, 10**9])
def test_a_quantity_is_a_whole_number_of_at_least_one(market: Table, quantity: int) -> None:
    """S 5.1."""
    with market.refuses("S 5.1", "Quantity must be a whole number from 1 to"):
        market.ada.buys("ACME", quantity)


def test_placing_looks_at_no_money_and_no_shares(market: Table) -> None:
    """S 5.1: only the resolution does."""
    market.cash_is(ada=0)
    market.ada.buys("ACME", 90)
    market.ada.sells("ACME", 90)
    market.ada.shorts("ACME", 90)
    market.ada.limits("sell", "ACME", 90, 40)
    market.ada.wants(1)


def test_orders_can_be_switched_off(market: Table) -> None:
    """A6."""
    market.options(limit_orders=False, short_orders=False, option_orders=False)
    with market.refuses("A6", "Limit orders are switched off"):
        market.ada.limits("buy", "ACME", 1, 30)
    with market.refuses("A6", "Short orders are switched off"):
        market.ada.shorts("ACME", 1)
    with market.refuses("A6", "Option contracts are switched off"):
        market.ada.wants(1)


def test_a_player_cannot_act_for_another_seat(market: Table) -> None:
    """The actor is stamped by the site and never read from the request."""
    with market.refuses("S 5.1", "does not say who asks"):
        market.ada.asks("market_order", company="ACME", side="buy", location="market", quantity=1, actor=1)


# --- bids


def test_under_the_bid_strategy_a_purchase_carries_a_bid(market: Table) -> None:
    """S 5.3: at least the IPO price in the IPO, at least the current price on the open market."""
    market.options(distribution="bid").company("IDLE", ipo_price=35)
    with market.refuses("S 5.3", "at least 47", "no bid"):
        market.ada.buys("ACME", 1)
    with market.refuses("S 5.3", "at least 47", "46"):
        market.ada.buys("ACME", 1, bid=46)
    with market.refuses("S 5.3", "at least 35", "34"):
        market.ada.buys("IDLE", 1, at="ipo", bid=34)
    with market.refuses("S 5.3"):
        market.bob.sells("ACME", 1, bid=50)
    market.ada.buys("ACME", 1, bid=47)
    market.ada.buys("IDLE", 1, at="ipo", bid=35)
    market.bob.sells("ACME", 1)


def test_under_the_priority_strategy_nothing_carries_a_bid(market: Table) -> None:
    """S 5.3."""
    with market.refuses("S 5.3"):
        market.ada.buys("ACME", 1, bid=60)
    with market.refuses("S 5.7"):
        market.ada.wants(1, bid=60)


# --- counters


def test_five_limit_orders_and_no_more(market: Table) -> None:
    """S 5.2: charged when phase 9 closes; refused at 0."""
    for value in (10, 12, 14, 16):
        market.limit("ada", "buy", "ACME", 1, value)
    market.ada.limits("buy", "ACME", 1, 18)
    market.ada.limits("buy", "ACME", 1, 20)
    assert market.view("ada").player(0).limit_actions == 1
    market.clock_runs_out()
    assert market.view("ada").player(0).limit_actions == 0
    with market.refuses("S 5.2", "already have 5 limit orders"):
        market.ada.limits("buy", "ACME", 1, 23)
    market.ada.buys("ACME", 1)


def test_two_short_orders_and_no_more(market: Table) -> None:
    """S 5.2."""
    market.short("ada", "ACME", 1, 47)
    market.ada.shorts("ACME", 1)
    market.clock_runs_out()
    assert market.view("ada").player(0).short_actions == 0
    with market.refuses("S 5.2", "already have 2 shorts"):
        market.ada.shorts("ACME", 1)


# --- round trips


def test_round_trips_are_allowed_by_default(market: Table) -> None:
    """Option `no_round_trips`, default off; R-12: several sells too."""
    market.ada.buys("ACME", 1)
    market.clock_runs_out()
    market.ada.sells("ACME", 1)
    market.clock_runs_out()
    assert [event.side for event in market.events("order_filled")] == ["buy", "sell"]


def test_the_option_forbids_them_within_a_stock_round(market: Table) -> None:
    """*round trips*: after a fill only, IPO purchases included; same direction, other companies, limits and the IPO
    stay open."""
    market.options(no_round_trips=True)
    market.ada.buys("ACME", 1, at="ipo")
    market.bob.sells("ACME", 1)
    market.cid.sells("WEAK", 1)
    market.clock_runs_out()
    with market.refuses("round trips", "already bought ACME in this stock round"):
        market.ada.sells("ACME", 1)
    with market.refuses("round trips", "already sold ACME in this stock round"):
        market.bob.buys("ACME", 1)
    market.ada.buys("ACME", 1)
    market.ada.limits("sell", "ACME", 1, 40)
    market.bob.buys("ACME", 1, at="ipo")
    market.cid.sells("WEAK", 1)
    market.ada.buys("WEAK", 1)


def test_a_rejected_order_or_a_settled_limit_is_no_round_trip(table: Table) -> None:
    """*round trips*."""
    table.at("limit_settlement").options(no_round_trips=True).company("ACME", price=47)
    table.company("WEAK", price=20).holdings("ACME", ada=3, bob=1)
    table.limit("ada", "sell", "ACME", 1, 50, status="filled_pending_settlement").play_on()
    assert table.orders() == {"ada": "filled"}
    table.ada.buys("ACME", 9)
    table.bob.sells("ACME", 1)
    table.clock_runs_out()
    table.ada.sells("ACME", 1)
    table.clock_runs_out()
    table.ada.sells("ACME", 1)


def test_a_new_turn_forgets_the_trades(market: Table) -> None:
    """*round trips*: of one stock round."""
    market.options(no_round_trips=True)
    market.bob.sells("ACME", 1)
    market.clock_runs_out().play_to("start_turn").play_to("stock_orders")
    market.bob.buys("ACME", 1)
