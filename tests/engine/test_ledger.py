"""Money and shares: double entry, nobody but the bank below zero, every share in one place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.engine.chance import Chance
from game.engine.ledger import BANK, OUTSIDE, Ledger, LedgerError, cash_of, hand_of
from game.engine.play import Play
from game.rulesets.sectors.ledger import IPO, MARKET

ACCOUNTS = st.sampled_from([BANK, OUTSIDE, cash_of(0), cash_of(1)])
PLACES = st.sampled_from([IPO, MARKET, hand_of(0), hand_of(1)])


@given(st.lists(st.tuples(ACCOUNTS, ACCOUNTS, st.integers(-2, 50))))
def test_whatever_is_asked_money_is_conserved(asked: list[tuple[str, str, int]]) -> None:
    ledger = Ledger()
    ledger.pay(OUTSIDE, cash_of(0), 60)
    for payer, payee, amount in asked:
        before = dict(ledger.cash)
        may = amount >= 0 and (payer in (BANK, OUTSIDE) or before.get(payer, 0) >= amount)
        try:
            ledger.pay(payer, payee, amount)
        except LedgerError:
            assert not may
            assert ledger.cash == before
        else:
            assert may
        ledger.assert_sound()


@given(st.lists(st.tuples(PLACES, PLACES, st.integers(-2, 12))))
def test_whatever_is_asked_shares_are_conserved(asked: list[tuple[str, str, int]]) -> None:
    ledger = Ledger()
    ledger.issue("ACME", IPO, 10)
    for giver, taker, count in asked:
        may = 0 <= count <= ledger.at("ACME", giver)
        try:
            ledger.hand_over("ACME", giver, taker, count)
        except LedgerError:
            assert not may
        else:
            assert may
        assert ledger.existing("ACME") == 10
        assert min(ledger.shares["ACME"].values()) >= 0


def test_an_empty_hand_is_forgotten() -> None:
    ledger = Ledger()
    ledger.issue("ACME", IPO, 2)
    ledger.hand_over("ACME", IPO, hand_of(1), 2)
    ledger.hand_over("ACME", hand_of(1), MARKET, 2)
    assert ledger.shares["ACME"] == {IPO: 0, MARKET: 2}


def test_no_more_shares_are_destroyed_than_there_are() -> None:
    ledger = Ledger()
    ledger.issue("ACME", MARKET, 2)
    ledger.destroy("ACME", MARKET, 1)
    with pytest.raises(LedgerError, match="fewer than 2"):
        ledger.destroy("ACME", MARKET, 2)
    assert ledger.existing("ACME") == 1


def test_a_ledger_that_is_off_or_overdrawn_is_found_out() -> None:
    with pytest.raises(LedgerError, match="off by 5"):
        Ledger(cash={BANK: 5}).assert_sound()
    with pytest.raises(LedgerError, match="below zero"):
        Ledger(cash={BANK: 5, cash_of(0): -5}).assert_sound()


def test_a_play_writes_down_what_moved_and_pays_only_what_is_there() -> None:
    ledger = Ledger()
    play: Play[None] = Play(None, ledger, Chance("s"), {})
    play.pay(OUTSIDE, cash_of(0), 30, why="set-up")
    assert play.pay_up_to(cash_of(0), BANK, 50, why="tax") == 30
    assert play.pay_up_to(cash_of(0), BANK, 50, why="tax") == 0
    assert [(t.payer, t.payee, t.amount, t.why) for t in play.transfers] == [
        (OUTSIDE, "cash:0", 30, "set-up"),
        ("cash:0", BANK, 30, "tax"),
    ]
