"""How a game ends: the last turn, the broken bank, the settlement of shorts, and who stands where. (S 4.5, R-6)"""

from __future__ import annotations

import pytest

from game.engine.ledger import BANK, OUTSIDE, cash_of
from game.rulesets.sectors.ledger import SectorsLedger
from tests.rulesets.sectors.table import Table


def last(table: Table, **words: object) -> Table:
    """The end of the last of eight turns."""
    return table.at("end_turn", turn=8, **words)


@pytest.mark.parametrize(("turn", "end"), [(7, ""), (8, "turns")])
def test_the_game_ends_with_its_last_turn(table: Table, turn: int, end: str) -> None:
    """S 4.5: with the economy and the loans of that end of turn, without consumers moving."""
    table.company("ACME", has_loan=True, treasury=100, sector="energy", choice="full", revenue=10).at(
        "end_turn", turn=turn
    ).clock_runs_out()
    assert (table.state.end, table.phase) == (end, "" if end else "start_turn")
    assert table.position.is_over == bool(end)
    assert (table.state.economy, table.treasury("ACME")) == (11, 99)
    assert table.sector_of("energy").consumers == (0 if end else 11)
    assert not table.events("bank_broke")


def test_nothing_happens_after_the_end(table: Table) -> None:
    last(table).clock_runs_out()
    with table.refuses("S 4.5"):
        table.ada.is_ready()
    over = table.position
    assert table.clock_runs_out().position is over
    assert table.view().phase is None


@pytest.mark.parametrize(("bank", "is_over"), [(31, False), (30, True), (29, True)])
def test_the_bank_breaks_at_nothing(table: Table, bank: int, is_over: bool) -> None:
    """S 4.5: 300 of revenue over 10 shares, one of them in a hand."""
    table.company("ACME", revenue=300).holdings("ACME", ada=1).at("revenue_vote", bank=bank).ada.votes("ACME", "full")
    table.play_to("company_vote")
    assert table.state.bank_broke == is_over == table.view().bank_broke
    assert not table.position.is_over
    table.clock_runs_out()
    assert (table.position.is_over, table.state.end) == (is_over, "bank" if is_over else "")


def test_a_broken_bank_stays_broken_and_the_turn_is_played_out(table: Table) -> None:
    """A20: taxes bring it back above 0; the company still acts."""
    table.company("ACME", revenue=5000).holdings("ACME", ada=6).at("revenue_vote", bank=2900).ada.votes("ACME", "full")
    table.play_to("company_vote")
    assert table.bank == -100
    table.ada.votes("ACME", "loan")
    table.clock_runs_out()
    assert table.bank == -100 + 210
    assert (table.state.end, table.state.turn) == ("bank", 2)
    assert [event.action for event in table.events("action_done")] == ["loan"]
    assert len(table.events("bank_broke")) == 1


def test_a_bank_that_broke_in_the_last_turn_is_the_reason(table: Table) -> None:
    last(table, bank_low=0).clock_runs_out()
    assert table.state.end == "bank"


def test_at_the_end_shorts_give_their_margins_back_before_any_is_paid(table: Table) -> None:
    """R-6, R-6 order: 71 and 15 come back, then 3 × 60 and 1 × 60 go; no price moves, shares return."""
    table.company("ACME", price=60).short("ada", "ACME", 3, 47).short("ada", "ACME", 1, 30).holdings("ACME", ada=2)
    last(table).clock_runs_out()
    assert (table.ada.cash, table.ada.margin) == (300 + 71 + 15 - 240, 0)
    assert (table.price("ACME"), table.places("ACME")) == (60, {"ipo": 0, "market": 8, "aside": 0})
    assert table.bank == 7500 + 240
    worth = {standing.seat: standing.score for standing in table.view().standings}
    assert worth == {0: 146 + 120, 1: 300, 2: 300}
    assert table.money_is_conserved()


def test_who_cannot_pay_for_his_shorts_ends_at_nothing(table: Table) -> None:
    """R-6: never below 0."""
    table.company("ACME", price=98).cash_is(ada=10).short("ada", "ACME", 3, 20)
    last(table).clock_runs_out()
    assert (table.ada.cash, table.paid("short cover")) == (0, 40)
    assert table.view().standings[-1].score == 0


def test_a_margin_that_is_free_pays_for_another_short(table: Table) -> None:
    """R-6 order: 10 + 5 + 150 does not pay 294 + 20; short by short 130 would be left."""
    table.company("A", price=98).company("B", price=20).cash_is(ada=10).short("ada", "A", 3, 3).short(
        "ada", "B", 1, 300
    )
    last(table).clock_runs_out()
    assert (table.ada.cash, table.paid("short cover")) == (0, 165)


def test_limits_and_contracts_are_worth_nothing_in_the_end(table: Table) -> None:
    """S 4.5."""
    table.company("ACME", price=98).contract("ACME", strike=10, owner="ada").limit("ada", "sell", "ACME", 1, 200)
    last(table).clock_runs_out()
    assert [standing.score for standing in table.view().standings] == [300, 300, 300]


def test_net_worth_is_cash_and_shares_of_living_companies(table: Table) -> None:
    """S 4.5."""
    table.company("ACME", price=98).company("IDLE", price=20, status="inactive").company(
        "GONE", price=98, status="bankrupt"
    )
    table.holdings("ACME", bob=2).holdings("IDLE", bob=1)
    last(table).clock_runs_out()
    assert next((standing.seat, standing.score) for standing in table.view().standings) == (1, 516)


def test_equal_net_worths_share_the_place(table: Table) -> None:
    """S 4.5: 1, 1, 3."""
    last(table.seats("ada", "bob", "cid", "dan").cash_is(ada=100, bob=400, cid=400, dan=200)).clock_runs_out()
    assert [(s.seat, s.place, s.score) for s in table.view().standings] == [
        (1, 1, 400),
        (2, 1, 400),
        (3, 3, 200),
        (0, 4, 100),
    ]
    assert [(e.seat, e.place) for e in table.events("final_worth")] == [(1, 1), (2, 1), (3, 3), (0, 4)]


def test_while_it_runs_an_open_short_counts_at_the_current_price(table: Table) -> None:
    """Net worth: cash + shares + margin − cover cost; it decides the next turn's priority."""
    table.company("ACME", price=60).short("ada", "ACME", 3, 47).at("stock_orders")
    assert table.view().player(0).net_worth == 300 + 71 - 180
    assert table.view().standings == ()


def test_the_least_the_bank_has_held_is_remembered() -> None:
    """A20: that it recovers does not matter."""
    ledger = SectorsLedger()
    ledger.pay(OUTSIDE, BANK, 100)
    assert ledger.bank_low is None
    ledger.pay(BANK, cash_of(0), 100)
    ledger.pay(cash_of(0), BANK, 50)
    ledger.pay(BANK, cash_of(0), 10)
    assert (ledger.bank_low, ledger.balance(BANK)) == (0, 40)
