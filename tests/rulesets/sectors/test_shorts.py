"""Shorts: opened, charged, covered. (S 5.6, A24, A30-A32, A97-A99)"""

import pytest

from game.rulesets.sectors import numbers
from tests.rulesets.sectors.table import Table


@pytest.fixture
def floor(table: Table) -> Table:
    return table.at("stock_orders").seats("ada", "bob", "cid", cash=300).company("ACME", price=47)


def close_round(table: Table) -> Table:
    """The orders given, then an empty sub-round."""
    return table.clock_runs_out().clock_runs_out()


# --- opening


def test_a_short_locks_its_margin_and_pays_the_sale(floor: Table) -> None:
    """S 5.6: 3 at 47: V 141, margin 71, proceeds from the bank are income; three steps down."""
    floor.ada.shorts("ACME", 3)
    floor.clock_runs_out().clock_runs_out()
    assert (floor.paid("margin"), floor.paid("short sale")) == (71, 141)
    assert (floor.ada.cash, floor.ada.margin) == (300 - 71 + 141 - 2, 71)  # 2: the tax of the same turn
    assert floor.places("ACME") == {"ipo": 0, "market": 7, "aside": 3}
    assert floor.shares("ACME") == {}
    assert [(m.was, m.now, m.why) for m in floor.events("price_moved")][:1] == [(47, 35, "shares were shorted")]
    assert floor.money_is_conserved()


def test_the_proceeds_are_taxed_as_income(floor: Table) -> None:
    """S 7.1, 5.6: 141 at 2 %."""
    floor.ada.shorts("ACME", 3)
    close_round(floor)
    assert floor.paid("capital gains") == 2


def test_the_margin_comes_out_of_cash_held_before_the_proceeds(floor: Table) -> None:
    """S 5.6: 71 are needed."""
    floor.cash_is(ada=70, bob=71)
    floor.ada.shorts("ACME", 3)
    floor.bob.shorts("ACME", 3)
    floor.clock_runs_out().clock_runs_out()
    assert floor.rejections() == {"ada": "the margin is 71, cash is 70."}
    assert floor.bob.margin == 71


def test_shares_must_lie_on_the_open_market(floor: Table) -> None:
    """S 5.6: served by sub-round first, then player priority."""
    floor.market_holds(ACME=4).company("ACME", ipo=6).priority("cid", "bob", "ada")
    floor.ada.shorts("ACME", 2)
    floor.clock_runs_out()
    floor.bob.shorts("ACME", 2)
    floor.cid.shorts("ACME", 1)
    close_round(floor)
    assert floor.rejections() == {"bob": "2 to borrow, 1 on the open market."}
    assert [floor.names[e.seat] for e in floor.events("short_opened")] == ["ada", "cid"]


def test_the_whole_open_market_can_be_borrowed(floor: Table) -> None:
    """S 5.6, R-8: exactly as many shares as there are."""
    floor.market_holds(ACME=4).company("ACME", ipo=6)
    floor.ada.shorts("ACME", 4)
    close_round(floor)
    assert floor.places("ACME") == {"ipo": 6, "market": 0, "aside": 4}


def test_a_rejected_short_gives_its_action_back(floor: Table) -> None:
    """A24."""
    floor.cash_is(ada=0)
    floor.ada.shorts("ACME", 3)
    close_round(floor)
    assert numbers.short_actions_left(floor.state, 0) == 2


def test_all_shorts_in_a_company_open_at_one_price_and_move_it_once(floor: Table) -> None:
    """A31, *shield detail*: each at the price of the phase's start, then one fall."""
    floor.company("BOLT", price=20)
    floor.ada.shorts("ACME", 2)
    floor.bob.shorts("ACME", 3)
    floor.cid.shorts("BOLT", 1)
    close_round(floor)
    assert [event.price for event in floor.events("short_opened")] == [47, 47, 20]
    shorted = [(m.company, m.was, m.now) for m in floor.events("price_moved") if m.why == "shares were shorted"]
    assert shorted == [("ACME", 47, 29), ("BOLT", 20, 18)]


def test_the_shield_takes_all_shorts_as_one_event(floor: Table) -> None:
    """Decision *shield detail*: 23 falls to 20, however many."""
    floor.company("CARE", sector="healthcare", price=23, abilities=["regulatory_shield"])
    floor.ada.shorts("CARE", 4)
    floor.bob.shorts("CARE", 4)
    close_round(floor)
    assert next((m.was, m.now) for m in floor.events("price_moved") if m.company == "CARE") == (23, 20)


@pytest.mark.parametrize(("most", "quantity", "is_refused"), [(0, 9, False), (3, 3, False), (3, 4, True)])
def test_the_size_of_a_short(floor: Table, most: int, quantity: int, is_refused: bool) -> None:
    """R-8: no limit, or the option's 3."""
    floor.options(max_short_quantity=most)
    if is_refused:
        with floor.refuses("R-8", f"at most {most} shares per order; you chose {quantity}"):
            floor.ada.shorts("ACME", quantity)
    else:
        floor.ada.shorts("ACME", quantity)


def test_borrowed_shares_give_no_vote_no_dividend_no_certificate(floor: Table) -> None:
    """S 5.6, A30, A95."""
    floor.at("stock_orders").short("ada", "ACME", 3, 47).short("bob", "ACME", 1, 47).holdings("ACME", bob=2)
    seen = floor.view().player(0)
    assert (seen.certificates, seen.holdings) == (0, {})
    assert floor.view().player(1).certificates == 2
    assert numbers.cap_of(floor.state, "ACME") == 6


# --- interest


@pytest.mark.parametrize(
    ("quantity", "price", "interest"), [(3, 47, 7), (1, 19, 0), (1, 20, 1), (2, 98, 9), (10, 600, 300)]
)
def test_interest_is_five_percent_of_the_initial_value(table: Table, quantity: int, price: int, interest: int) -> None:
    """S 5.6: floored, whatever the price is now; to the bank."""
    table.at("short_interest").company("ACME", price=29).short("ada", "ACME", quantity, price).cash_is(
        ada=300
    ).play_on()
    assert (table.paid("short interest"), table.ada.cash, table.bank) == (interest, 300 - interest, 7500 + interest)


def test_interest_takes_no_more_than_there_is(table: Table) -> None:
    """A80, A100: never below 0, no forced cover; the margin is not touched."""
    table.at("short_interest").company("ACME").short("ada", "ACME", 3, 47).cash_is(ada=5).play_on()
    assert (table.ada.cash, table.ada.margin, table.orders("short")) == (0, 71, {"ada": "open"})


def test_interest_starts_in_the_turn_after_the_opening(floor: Table) -> None:
    """A97."""
    floor.ada.shorts("ACME", 3)
    close_round(floor)
    assert floor.events("short_interest_paid") == []
    floor.play_to("cover_shorts")
    assert [event.amount for event in floor.events("short_interest_paid")] == [7]
    assert floor.state.turn == 3


# --- covering


@pytest.fixture
def pit(table: Table) -> Table:
    """Covers are asked for; ada is short of 3 at 47."""
    return (
        table.at("cover_shorts")
        .seats("ada", "bob", "cid", cash=300)
        .company("ACME", price=55)
        .short("ada", "ACME", 3, 47)
    )


def test_a_cover_costs_the_current_price_and_frees_the_margin(pit: Table) -> None:
    """S 5.6: the shares return to the open market and fill slots upwards."""
    pit.ada.covers(1)
    pit.clock_runs_out()
    assert (pit.ada.cash, pit.ada.margin, pit.bank) == (300 + 71 - 165, 0, 7500 + 165)
    assert pit.places("ACME") == {"ipo": 0, "market": 10, "aside": 0}
    assert (pit.events("price_moved")[0].was, pit.events("price_moved")[0].now) == (55, 60)
    assert numbers.short_actions_left(pit.state, 0) == 2
    assert pit.money_is_conserved()


def test_nothing_is_covered_unasked(pit: Table) -> None:
    pit.clock_runs_out()
    assert pit.orders("short") == {"ada": "open"}


def test_a_cover_must_be_affordable_with_the_margin_it_frees(pit: Table) -> None:
    """A32: 165 against 93 + 71 is refused, against 94 + 71 it is not."""
    pit.cash_is(ada=93).short("bob", "ACME", 1, 47)
    with pit.refuses("S 4.4 phase 14"):
        pit.ada.covers(1)
    pit.bob.covers(2)


def test_the_refusal_names_cost_cash_and_margin(pit: Table) -> None:
    """A32: with another short that can be paid."""
    pit.cash_is(ada=93).short("ada", "ACME", 1, 47)
    with pit.refuses("A32", "costs 165", "have 93", "frees 71"):
        pit.ada.covers(1)
    pit.ada.covers(2)


def test_the_last_dollar_covers(pit: Table) -> None:
    """A32."""
    pit.cash_is(ada=94)
    pit.ada.covers(1)
    pit.clock_runs_out()
    assert [(event.price, event.margin) for event in pit.events("short_covered")] == [(55, 71)]
    assert pit.ada.cash == 0


def test_covers_follow_player_priority_each_at_the_price_of_its_moment(pit: Table) -> None:
    """A98, *covers*: bob first at 55, then ada at 60 after his two shares' step."""
    pit.priority("bob", "ada", "cid").short("bob", "ACME", 2, 47)
    pit.ada.covers(1)
    pit.bob.covers(2)
    pit.clock_runs_out()
    assert [(pit.names[e.seat], e.price) for e in pit.events("short_covered")] == [("bob", 55), ("ada", 60)]


def test_a_players_covers_go_oldest_first_and_the_second_may_be_dropped(pit: Table) -> None:
    """A32 detail: both looked affordable at declaration; the first one's rise and cost drop the second, which stays
    open."""
    pit.short("ada", "ACME", 3, 60).cash_is(ada=120)
    pit.ada.covers(2)
    pit.ada.covers(1)
    pit.clock_runs_out()
    assert [event.order for event in pit.events("short_covered")] == [1]
    dropped = pit.events("cover_dropped")[0]
    assert (dropped.order, dropped.cost, dropped.cash) == (2, 180, 120 + 71 - 165 + 90)
    assert pit.state.orders[2].status == "open"
    assert pit.ada.margin == 90


def test_a_rise_by_an_earlier_cover_can_drop_a_later_one(pit: Table) -> None:
    """A32 detail: ada could pay 165; after bob's cover it is 180."""
    pit.priority("bob", "ada", "cid").short("bob", "ACME", 2, 47).cash_is(ada=100)
    pit.ada.covers(1)
    pit.bob.covers(2)
    pit.clock_runs_out()
    assert [(pit.names[e.seat], e.cost, e.cash) for e in pit.events("cover_dropped")] == [("ada", 180, 171)]


def test_a_cover_may_be_withdrawn(pit: Table) -> None:
    """*revise*."""
    pit.ada.covers(1)
    pit.ada.withdraws("cover 1")
    pit.clock_runs_out()
    assert pit.events("short_covered") == []


def test_only_ones_own_open_shorts_can_be_covered(pit: Table) -> None:
    """S 5.6."""
    pit.short("bob", "ACME", 1, 47)
    with pit.refuses("S 5.6", "no open short number 2"):
        pit.ada.covers(2)
    with pit.refuses("S 5.6", "no open short number 9"):
        pit.ada.covers(9)
    with pit.refuses("S 4.4 phase 14"):
        pit.cid.covers(1)


def test_covers_are_secret(pit: Table) -> None:
    """*secrets*: the short itself is public."""
    pit.ada.covers(1)
    for viewer in ("bob", None):
        seen = pit.view(viewer)
        assert (seen.mine, [(o.seat, o.kind, o.quantity, o.status) for o in seen.orders]) == (
            {},
            [(0, "short", 3, "open")],
        )
    assert "cover 1" in pit.view("ada").mine


def test_a_short_cannot_be_covered_in_the_turn_of_its_opening(floor: Table) -> None:
    """S 5.6: covering precedes opening."""
    floor.ada.shorts("ACME", 3)
    close_round(floor)
    assert "cover_shorts" not in floor.phases
    assert floor.phases.index("open_shorts") == floor.phases.index("stock_results") - 1
