"""Inputs that spare a seat later questions: they count as an answer in their own time would, nobody else learns of
them, they can be taken back, and when they end, the reason is told. (Decision *ahead*)"""

from __future__ import annotations

import msgspec
import pytest

from game.engine import leaving, referee
from game.engine.actions import Withdraw
from game.engine.chance import Chance
from game.engine.events import InputAheadDropped
from game.rulesets.sectors.ruleset import SECTORS
from tests.rulesets.sectors.table import Table

NAMES = ("ada", "bob", "cid")


def market(**words: object) -> Table:
    """ACME and BETA are floated; ada and bob hold ACME, cid holds BETA; the first sub-round is open."""
    table = Table().seats(*NAMES, cash=400)
    table.company("ACME", price=20, market=4).company("BETA", price=20, market=6)
    table.holdings("ACME", ada=2, bob=4).holdings("BETA", cid=2)
    return table.options(**words).at("stock_orders")


def dividends() -> Table:
    """ACME and BETA have revenue, and their vote is open; ada and bob hold both."""
    table = Table().seats(*NAMES, cash=400)
    for ticker in ("ACME", "BETA"):
        table.company(
            ticker, sector="energy", treasury=400, price=20, revenue=100, unit_price=10, base_demand=4
        ).holdings(ticker, ada=3, bob=2)
    return table.sector("energy", consumers=40).options(max_turns=23).at("revenue_vote", turn=2)


def dropped(table: Table) -> list[tuple[tuple[int, ...] | None, str]]:
    """Who was told that an input has ended, and why."""
    return [
        (event.audience, event.sentence(table.names.__getitem__))
        for event in table.told
        if isinstance(event, InputAheadDropped)
    ]


def alike(left: Table, right: Table, *viewers: str | None) -> bool:
    """Whether these viewers see the same of both, byte for byte."""
    return all(msgspec.json.encode(left.view(name)) == msgspec.json.encode(right.view(name)) for name in viewers)


# --- done for this stock round


def test_the_closing_empty_sub_round_disappears_when_all_are_done() -> None:
    """*rounds*: one order and three marks are one window; the round ends once the order is resolved."""
    table = market()
    table.ada.buys("BETA", 1)
    for player in (table.ada, table.bob, table.cid):
        player.asks("stop_ordering")
    table.everybody_is_ready()
    assert table.orders() == {"ada": "filled"}
    assert table.phases.count("stock_orders") == 1  # the second one, which nobody was asked in
    assert table.phase not in {"stock_orders", ""}
    assert not table.events("decision_missed")


def test_it_comes_to_what_passing_each_time_comes_to() -> None:
    passing, done = market(), market()
    done.cid.asks("stop_ordering").is_ready()
    passing.cid.passes().is_ready()
    for table in (passing, done):
        table.ada.buys("BETA", 1).is_ready()
        table.bob.is_ready()
    assert passing.phase == done.phase == "stock_orders"
    assert done.view("cid").is_ready
    passing.cid.passes().is_ready()
    for table in (passing, done):
        table.ada.is_ready()
        table.bob.is_ready()
    assert msgspec.json.encode(passing.state) == msgspec.json.encode(done.state)


def test_a_rejected_order_ends_it_and_says_so() -> None:
    table = market()
    table.ada.buys("BETA", 50).asks("stop_ordering")
    table.bob.buys("BETA", 1)
    table.cid.asks("stop_ordering")
    table.everybody_is_ready()
    assert (table.phase, table.view("ada").is_ready, table.view("ada").mine) == ("stock_orders", False, {})
    assert table.view("cid").is_ready, "the rejected order of another ends nothing"
    text = "What you had submitted in advance no longer counts: "
    text += "Your order for BETA was rejected. Do you want to place another?"
    assert dropped(table) == [((0,), text)]


def test_it_is_accepted_with_an_order_after_an_earlier_one_was_rejected() -> None:
    """Only what becomes of the order that was sent with it counts; the rejection was known before."""
    table = market()
    table.ada.buys("BETA", 50)
    table.bob.buys("BETA", 1)
    table.everybody_is_ready()
    assert table.orders()["ada"] == "rejected"
    table.ada.buys("BETA", 1).asks("stop_ordering").is_ready()
    table.bob.buys("BETA", 1)
    table.everybody_is_ready()
    assert table.phase == "stock_orders"
    assert table.view("ada").is_ready
    assert not dropped(table)


def test_a_fall_of_an_own_share_ends_it_and_a_rise_does_not() -> None:
    table = market()
    table.ada.asks("stop_ordering")
    table.cid.asks("stop_ordering")
    table.bob.sells("ACME", 4)
    table.everybody_is_ready()
    assert table.price("ACME") < 20
    told = f"You own shares of ACME, whose price fell from 20 to {table.price('ACME')}."
    assert dropped(table) == [((0,), f"What you had submitted in advance no longer counts: {told}")]
    assert not table.view("ada").is_ready
    assert table.view("cid").is_ready


def test_a_rise_of_what_is_owed_ends_it() -> None:
    table = market().company("ACME", market=2).short("cid", "ACME", 2, 20, status="open")
    table.cid.asks("stop_ordering")
    table.ada.buys("ACME", 2)
    table.everybody_is_ready()
    told = f"You owe shares of ACME, whose price rose from 20 to {table.price('ACME')}."
    assert dropped(table) == [((2,), f"What you had submitted in advance no longer counts: {told}")]


def test_a_company_that_floats_ends_it_for_those_who_can_buy_into_it() -> None:
    """IPO shares of a company that has floated are the most frequent reason to think again."""
    table = market().company("COAL", status="inactive", price=20, ipo=10).cash_is(cid=5)
    table.ada.asks("stop_ordering")
    table.cid.asks("stop_ordering")
    table.bob.buys("COAL", 6, at="ipo")
    table.everybody_is_ready()
    assert table.status("COAL") == "active"
    told = f"COAL has floated, and you can buy its IPO shares at {table.of('COAL').ipo_price}."
    assert dropped(table) == [((0,), f"What you had submitted in advance no longer counts: {told}")]
    assert table.view("cid").is_ready


def test_others_who_buy_into_a_company_not_floated_end_it_for_those_who_can_buy_there() -> None:
    """What another has begun is likelier to float; what one bought there oneself is no news."""
    table = market().company("COAL", status="inactive", price=20, ipo=10).cash_is(cid=5)
    table.ada.asks("stop_ordering")
    table.cid.asks("stop_ordering")
    table.bob.buys("COAL", 2, at="ipo").asks("stop_ordering")
    table.everybody_is_ready()
    assert table.status("COAL") == "inactive"
    (told,) = [why for audience, why in dropped(table) if audience == (0,)]
    assert told.endswith("Others bought shares of COAL from its IPO: 2. It floats when 3 more are sold.")
    assert [player.state for player in table.view("bob").players] == ["untouched", "ready", "ready"]


def test_it_ends_with_the_stock_round() -> None:
    table = market()
    for player in (table.ada, table.bob, table.cid):
        player.asks("stop_ordering")
    table.everybody_is_ready()
    assert table.phase != "stock_orders"
    assert all(table.view(name).mine == {} for name in NAMES)
    table.play_to("stock_orders")
    assert all(not table.view(name).is_ready for name in NAMES)
    assert not dropped(table)


def test_nobody_else_sees_it_before_the_next_sub_round_opens() -> None:
    """A pass and the mark look the same to all others."""
    passing, done = market(), market()
    passing.ada.passes()
    done.ada.asks("stop_ordering")
    assert alike(passing, done, "bob", "cid", None)


@pytest.mark.parametrize("again", ["withdraw", "pass"])
def test_it_is_taken_back(again: str) -> None:
    """Withdrawn where it has made its seat ready, that seat is waited for again."""
    table = market()
    table.ada.asks("stop_ordering").is_ready()
    if again == "withdraw":
        table.ada.withdraws("stop_ordering")
        assert not table.view("ada").is_ready
    else:
        table.ada.passes()
    table.bob.buys("BETA", 1)
    table.everybody_is_ready()
    assert (table.phase, table.view("ada").is_ready) == ("stock_orders", False)


# --- full dividends from now on


def test_full_dividends_are_voted_turn_after_turn() -> None:
    """S 6.5: as if voted each time, and nobody waits for it."""
    table, each = dividends(), dividends()
    table.ada.asks("vote_full_revenue")
    each.ada.votes("ACME", "full").votes("BETA", "full")
    for one in (table, each):
        one.bob.votes("ACME", "retain")
        one.everybody_is_ready()
        assert [event.choice for event in one.events("revenue_voted")] == ["full", "full"]
    assert msgspec.json.encode(table.state) == msgspec.json.encode(each.state)
    table.play_to("revenue_vote")
    assert table.view("ada").is_ready
    assert not table.view("bob").is_ready
    assert not [event for event in table.events("decision_missed") if 0 in event.audience and event.number == "22"]


def test_a_vote_of_its_own_goes_before_it() -> None:
    table = dividends()
    table.ada.asks("vote_full_revenue").votes("BETA", "retain")
    table.everybody_is_ready()
    assert {event.company: event.choice for event in table.events("revenue_voted")} == {
        "ACME": "full",
        "BETA": "retain",
    }


def test_it_is_taken_back_in_any_phase() -> None:
    table = dividends()
    table.ada.asks("vote_full_revenue")
    table.everybody_is_ready()
    assert table.phase != "revenue_vote"
    assert table.view("ada").mine == {}
    assert set(table.view("ada").lasting) == {"vote_full_revenue"}
    table.ada.withdraws("vote_full_revenue")
    assert table.view("ada").lasting == {}
    with table.refuses("revise", "You have submitted nothing by that name"):
        table.ada.withdraws("vote_full_revenue")


def test_it_waits_while_its_seat_has_no_vote_and_ends_with_the_seat() -> None:
    table = dividends()
    table.cid.table.ada.asks("vote_full_revenue")
    table.everybody_is_ready()
    left = leaving.handed_over(table.position, 0)
    assert SECTORS.view(left, 0).lasting == {}


def test_an_insolvent_company_ends_it_and_says_so() -> None:
    table = dividends()
    table.ada.asks("vote_full_revenue")
    table.everybody_is_ready()
    table.play_to("stock_orders")
    table.of("BETA").status = "insolvent"
    table.play_to("revenue_vote")
    told = "BETA is insolvent. Vote on its revenue yourself."
    assert dropped(table) == [((0,), f"What you had submitted in advance no longer counts: {told}")]
    assert (table.view("ada").is_ready, table.view("ada").lasting) == (False, {})


def test_it_is_refused_to_who_owes_more_than_it_owns() -> None:
    table = dividends().short("ada", "BETA", 4, 20)
    with table.refuses("ahead", "You owe more shares of BETA than you own"):
        table.ada.asks("vote_full_revenue")


def test_nobody_else_sees_full_dividends_before_the_next_vote() -> None:
    voted, lasting = dividends(), dividends()
    voted.ada.votes("ACME", "full")
    lasting.ada.asks("vote_full_revenue")
    assert alike(voted, lasting, "bob", "cid", None)
    voted.ada.votes("BETA", "full")
    voted.everybody_is_ready()
    lasting.everybody_is_ready()
    for _ in range(4):
        assert alike(voted, lasting, "bob", "cid", None)
        assert voted.phase != "revenue_vote"
        voted.clock_runs_out()
        lasting.clock_runs_out()


# --- the turn on one sheet


ORDERS = {
    "market_order": {"company": "ACME", "side": "buy", "location": "market", "quantity": 1},
    "limit_order": {"company": "ACME", "side": "buy", "value": 18, "quantity": 1},
    "short_order": {"company": "ACME", "quantity": 1},
    "option_order": {"contract": 1},
}


def opening() -> Table:
    """The turn has begun: a headline and two tranches are on offer, and ACME can be bought."""
    table = Table().seats(*NAMES, cash=400).company("ACME", sector="energy", price=20, market=6)
    table.holdings("ACME", ada=2).headlines(("energy", 1))
    return table.tranche("energy", cash=40).tranche("energy", cash=51).at("start_turn", turn=3)


def test_one_sheet_comes_to_what_three_visits_come_to() -> None:
    """Pledge, tranche vote and first order at once; the two who decide each time end at the same position."""
    sheet, each = opening(), opening()
    sheet.ada.pledges(1).asks("vote_tranche", tranche=2, ready=True)
    sheet.ada.asks("market_order", company="ACME", side="buy", location="market", quantity=1, ready=True).is_ready()
    each.ada.pledges(1).is_ready()
    for table in (sheet, each):
        table.everybody_is_ready()
        assert table.phase == "tranche_vote"
    assert sheet.view("ada").is_ready
    each.ada.votes_for_tranche(2)
    for table in (sheet, each):
        table.everybody_is_ready()
        table.play_to("stock_orders")
    assert sheet.view("ada").is_ready
    each.ada.buys("ACME", 1)
    for table in (sheet, each):
        table.everybody_is_ready()
        assert table.orders() == {"ada": "filled"}
    assert msgspec.json.encode(sheet.state) == msgspec.json.encode(each.state)


def test_an_order_ahead_counts_at_its_price_alone() -> None:
    table = opening().limit("bob", "buy", "ACME", 3, 20, status="filled_pending_settlement")
    table.ada.asks("market_order", company="ACME", side="buy", location="market", quantity=1, ready=True).is_ready()
    table.play_to("stock_orders")
    assert table.price("ACME") > 20
    told = f"You gave this order when the price of ACME was 20; it is {table.price('ACME')} now."
    assert dropped(table) == [((0,), f"What you had submitted in advance no longer counts: {told}")]
    assert (table.view("ada").is_ready, table.view("ada").mine) == (False, {})


def test_an_order_ahead_is_asked_again_without_the_mark() -> None:
    table = opening()
    table.ada.buys("ACME", 1)
    table.play_to("stock_orders")
    assert (table.view("ada").is_ready, set(table.view("ada").mine)) == (False, {"order"})
    table.clock_runs_out()
    assert table.orders() == {"ada": "filled"}


@pytest.mark.parametrize("side", ["buy", "sell"])
@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("ready", [False, True])
@pytest.mark.parametrize("kind", ORDERS)
def test_an_order_of_every_kind_is_dropped_at_another_price_and_brings_its_player_back(
    kind: str, ready: bool, done: bool, side: str
) -> None:
    """Dearer or cheaper, marked or not, and done for the stock round or not: its player is asked this once."""
    table = opening().holdings("ACME", bob=2).limit("bob", side, "ACME", 2, 20, status="filled_pending_settlement")
    table.contract("ACME", shares=2, strike=40, premium=12)
    table.ada.asks(kind, **ORDERS[kind], ready=ready)
    if done:
        table.ada.asks("stop_ordering")
    table.play_to("stock_orders")
    assert [audience for audience, why in dropped(table) if "when the price of ACME was 20" in why] == [(0,)]
    left = {"stop_ordering"} if done and side == "buy" else set()  # the fall of a share it holds ends that too
    assert (table.view("ada").is_ready, set(table.view("ada").mine)) == (False, left)


@pytest.mark.parametrize("kind", ORDERS)
def test_an_order_given_in_its_own_phase_keeps_no_price(kind: str) -> None:
    table = opening().contract("ACME", shares=2, strike=40, premium=12)
    table.play_to("stock_orders")
    table.ada.asks(kind, **ORDERS[kind])
    assert table.view("ada").mine["order"] == {"kind": kind, **ORDERS[kind]}


def test_what_was_given_ahead_is_withdrawn_in_every_phase_until_it_is_used() -> None:
    """Also where its seat decides nothing, and while a result is looked at."""
    table = opening().with_(reviews=True)
    table.bob.asks("vote_tranche", tranche=2)
    table.ada.asks("vote_tranche", tranche=1, ready=True).asks("distribute_tranche", tranche=1, ready=True)
    table.ada.asks("market_order", **ORDERS["market_order"], ready=True).asks("vote_full_revenue")
    phases = []
    while "order" in table.position.pending[0]:
        phases.append(table.phase)
        assert {*table.view("ada").mine, *table.view("ada").lasting} == set(table.position.pending[0])
        for slot in table.position.pending[0]:
            taken = referee.apply(SECTORS, table.position, Withdraw(actor=0, of=slot), Chance("0")).position
            assert slot not in taken.pending[0]
        table.clock_runs_out()
    assert phases == [
        "start_turn",
        "headline_resolve",
        "tranche_vote",
        "tranche_vote_resolve",
        "tranche_distribution",
        "tranche_distribution_resolve",
        "stock_orders",
    ]


def test_who_orders_nothing_is_done_on_the_sheet_too() -> None:
    table = opening()
    table.ada.asks("stop_ordering").is_ready()
    table.play_to("stock_orders")
    assert table.view("ada").is_ready
    table.play_to("company_vote") if "company_vote" in table.phases else None
    assert not dropped(table)


def test_the_sheet_is_nobody_elses_to_see() -> None:
    silent, loud = opening(), opening()
    loud.ada.asks("vote_tranche", tranche=1, ready=True).buys("ACME", 1).asks("stop_ordering")
    assert alike(silent, loud, "bob", "cid", None)
    silent.clock_runs_out()
    loud.clock_runs_out()
    assert [player.state for player in loud.view("bob").players] == ["ready", "untouched", "untouched"]
    assert loud.view("bob").mine == {}


def test_who_cannot_pay_for_a_headline_gives_the_rest_ahead() -> None:
    table = opening().cash_is(cid=5)
    assert [player.state for player in table.view().players if player.seat == 2] == ["none"]
    table.cid.asks("vote_tranche", tranche=1, ready=True)
    table.everybody_is_ready()
    assert (table.phase, table.view("cid").is_ready) == ("tranche_vote", True)


def test_a_vote_for_a_tranche_needs_a_tranche() -> None:
    table = Table().seats(*NAMES, cash=400).company("ACME", sector="energy").headlines(("energy", 1)).at("start_turn")
    with table.refuses("S 7.9", "There is no tranche 1. Tranches this turn: 0."):
        table.ada.asks("vote_tranche", tranche=1, ready=True)


@pytest.mark.parametrize("kind", ORDERS)
def test_every_kind_of_order_may_be_the_first_of_the_turn(kind: str) -> None:
    table = opening().contract("ACME", shares=2, strike=40, premium=12)
    table.ada.asks(kind, **ORDERS[kind], ready=True).is_ready()
    table.play_to("stock_orders")
    assert table.view("ada").is_ready
    table.everybody_is_ready()
    assert [(order.kind, order.seat) for order in table.state.orders.values()] == [(kind.removesuffix("_order"), 0)]


def test_what_becomes_of_a_tranche_is_said_with_the_vote_for_it() -> None:
    """S 7.9: the two who decide each time end at the same position; whoever loses hears nothing of it."""
    sheet, each = opening(), opening()
    sheet.ada.asks("vote_tranche", tranche=2, ready=True)
    sheet.ada.asks("distribute_tranche", tranche=2, ability_to="ACME", cash={"1": 5}, ready=True).is_ready()
    sheet.bob.asks("vote_tranche", tranche=1, ready=True)
    sheet.bob.asks("distribute_tranche", tranche=1, ability_to="ACME", ready=True)
    for table in (sheet, each):
        table.play_to("tranche_vote")
        table.cid.votes_for_tranche(1)
    each.ada.votes_for_tranche(2)
    each.bob.votes_for_tranche(1)
    for table in (sheet, each):
        table.everybody_is_ready()
    assert sheet.phases.count("tranche_distribution") == 1
    assert (sheet.phase, each.phase) == ("stock_orders", "tranche_distribution")
    each.ada.distributes(ability_to="ACME", bob=5)
    each.everybody_is_ready()
    assert msgspec.json.encode(sheet.state) == msgspec.json.encode(each.state)
    assert sheet.view("bob").mine == {}
    assert "distribute_tranche" in sheet.position.pending[1]
    sheet.play_to("start_turn")
    assert 1 not in sheet.position.pending
    assert not dropped(sheet)


def test_a_distribution_that_is_not_possible_any_more_is_asked_for() -> None:
    table = opening()
    table.ada.asks("vote_tranche", tranche=2, ready=True)
    table.ada.asks("distribute_tranche", tranche=2, ability_to="ACME", ready=True).is_ready()
    table.play_to("tranche_vote")
    table.of("ACME").status = "bankrupt"
    table.everybody_is_ready()
    assert (table.phase, table.view("ada").is_ready) == ("tranche_distribution", False)
    line = "What you had submitted in advance no longer counts: ACME is bankrupt and delisted."
    assert dropped(table) == [((0,), line)]


@pytest.mark.parametrize(
    ("wrong", "rule", "words"),
    [
        ({"tranche": 3}, "S 7.9", "There is no tranche 3. Tranches this turn: 2."),
        ({}, "S 7.9", "You have won no tranche this turn"),
        ({"tranche": 1, "ability_to": "BETA"}, "A72", "BETA is not in Energy"),
        ({"tranche": 1, "cash": {"1": 41}}, "S 7.9", "The tranche has 40 in cash; you gave away 41"),
    ],
)
def test_a_distribution_ahead_is_for_a_tranche_on_offer(wrong: dict[str, object], rule: str, words: str) -> None:
    table = opening().company("BETA", sector="cyclical")
    with table.refuses(rule, words):
        table.ada.asks("distribute_tranche", **wrong, ready=True)


def test_a_distribution_ahead_is_nobody_elses_to_see() -> None:
    silent, loud = opening(), opening()
    loud.ada.asks("distribute_tranche", tranche=1, ability_to="ACME", ready=True)
    assert alike(silent, loud, "bob", "cid", None)
    loud.ada.withdraws("distribute_tranche")
    assert alike(silent, loud, "ada")


def test_full_dividends_are_given_with_the_turn_sheet_too() -> None:
    table, silent = opening(), opening()
    table.ada.asks("vote_full_revenue")
    assert alike(table, silent, "bob", "cid", None)
    assert (table.view("ada").mine, set(table.view("ada").lasting)) == ({}, {"vote_full_revenue"})
    assert not table.view("ada").is_ready
    table.ada.withdraws("vote_full_revenue")
    assert alike(table, silent, "ada")
