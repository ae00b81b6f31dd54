"""Contributions to an insolvent company, its return, and bankruptcy. (S 6.12; phases 25, 26)"""

from __future__ import annotations

from typing import Any

import pytest

from game.engine import referee
from game.engine.actions import Refused
from game.rulesets.sectors.actions import Contribute
from game.rulesets.sectors.ruleset import SECTORS
from tests.rulesets.sectors.table import Table


def broke(table: Table, **company: Any) -> Table:
    """ACME, a Startup at 47 with a shortfall of 200, asks for help; ada holds 3 shares, bob 2."""
    table.company("ACME", **{"status": "insolvent", "treasury": 0, "price": 47, **company}).holdings(
        "ACME", ada=3, bob=2
    )
    return table.at("contributions", acting="ACME", reviews=True)


def judged(table: Table) -> Table:
    return table.play_to("contribution_result")


def test_cash_goes_to_the_treasury_at_once_and_in_public(table: Table) -> None:
    """S 6.12, 7.10: the bank is not touched."""
    broke(table).ada.contributes(cash=120)
    assert (table.ada.cash, table.treasury("ACME"), table.bank) == (180, 120, 7500)
    assert table.view().company("ACME").contributed == 120
    assert table.view("cid").company("ACME").treasury == 120
    table.ada.contributes(cash=30)
    assert table.treasury("ACME") == 150
    assert table.money_is_conserved()


def test_shares_are_sold_at_the_price_of_the_phase_and_the_bank_pays(table: Table) -> None:
    """S 6.12: the price falls only afterwards, by all of them."""
    broke(table).ada.contributes(shares=2)
    table.bob.contributes(cash=10, shares=1)
    assert (table.treasury("ACME"), table.bank, table.price("ACME")) == (151, 7500 - 141, 47)
    assert (table.places("ACME")["market"], table.shares("ACME")) == (8, {"ada": 1, "bob": 1})
    table.ada.contributes(cash=49)
    judged(table)
    assert (table.status("ACME"), table.treasury("ACME"), table.price("ACME")) == ("active", 200, 35)
    assert table.ada.income == 0  # no realised income of the giver


@pytest.mark.parametrize(("given", "status"), [(199, "bankrupt"), (200, "active"), (201, "active")])
def test_exactly_the_shortfall_is_enough_and_one_short_is_not(table: Table, given: int, status: str) -> None:
    broke(table).ada.contributes(cash=given)
    judged(table)
    assert table.status("ACME") == status
    assert table.treasury("ACME") == (given if status == "active" else 0)


@pytest.mark.parametrize(
    ("tier", "shortfall"),
    [
        ("incubator", 100),
        ("startup", 200),
        ("growth", 300),
        ("established", 400),
        ("enterprise", 500),
        ("conglomerate", 600),
        ("titan", 700),
    ],
)
def test_every_tier_has_its_shortfall(table: Table, tier: str, shortfall: int) -> None:
    """S 1.4."""
    broke(table, tier=tier).cash_is(ada=1000).ada.contributes(cash=shortfall)
    judged(table)
    assert [(event.worth, event.shortfall) for event in table.events("reactivated")] == [(shortfall, shortfall)]


def test_money_already_in_the_treasury_does_not_count_but_stays(table: Table) -> None:
    """A41."""
    broke(table, treasury=150).ada.contributes(cash=199)
    judged(table)
    assert table.status("ACME") == "bankrupt"


def test_money_in_the_treasury_is_kept_by_a_company_that_returns(table: Table) -> None:
    """A41."""
    broke(table, treasury=150).ada.contributes(cash=200)
    judged(table)
    assert (table.status("ACME"), table.treasury("ACME")) == ("active", 350)


def test_a_company_that_returns_does_not_act_this_turn_and_gets_no_discount(table: Table) -> None:
    """A60, rounds."""
    broke(table).ada.contributes(cash=200)
    judged(table).clock_runs_out()
    assert (table.phase, table.of("ACME").modifiers) == ("capital_gains", [])
    table.play_to("production")
    assert [event.amount for event in table.events("operating_cost_paid")] == [20]


def test_contributions_of_one_company_do_not_count_for_the_next(table: Table) -> None:
    table.company("NEXT", status="insolvent", treasury=0, unit_price=90).holdings("NEXT", ada=1)
    broke(table).ada.contributes(cash=200)
    table.play_to("contribution_result").play_to("contributions")
    assert (table.view().acting, table.view().company("NEXT").contributed) == ("NEXT", 0)
    judged(table)
    assert (table.status("ACME"), table.status("NEXT")) == ("active", "bankrupt")


def test_only_shareholders_give_and_only_what_they_have(table: Table) -> None:
    """R-18, S 6.12."""
    broke(table)
    with table.refuses("S 4.4 phase 25"):
        table.cid.contributes(cash=10)
    with table.refuses("S 6.12", "You have 300; you offered 301"):
        table.ada.contributes(cash=301)
    with table.refuses("S 6.12", "You own 3 "):
        table.ada.contributes(shares=4)
    with table.refuses("S 6.12", "at least 1"):
        table.ada.contributes()
    with table.refuses("S 5.1"):
        table.ada.contributes(cash=-1)


def test_who_gave_the_last_share_gives_no_more(table: Table) -> None:
    """R-18 (over A59); cash and the last shares may come together."""
    broke(table).bob.contributes(cash=50, shares=2)
    with table.refuses("S 4.4 phase 25"):
        table.bob.contributes(cash=10)
    both = [Contribute(actor=0, shares=3), Contribute(actor=0, cash=10)]
    with pytest.raises(Refused) as refused:
        referee.apply_all(SECTORS, table.position, both, table.chance)
    assert refused.value.rule == "S 4.4 phase 25"


def test_shorted_shares_cannot_be_given(table: Table) -> None:
    """S 6.12, A30."""
    broke(table).short("cid", "ACME", 2, 47)
    with table.refuses("S 4.4 phase 25"):
        table.cid.contributes(shares=1)


def test_contributions_are_final(table: Table) -> None:
    """Revise."""
    broke(table).ada.contributes(cash=50)
    with table.refuses("revise"):
        table.ada.withdraws("contribute")
    with table.refuses("S 4.4 phase 25"):
        table.ada.passes()
    assert table.treasury("ACME") == 50


def test_without_shareholders_it_closes_without_waiting(table: Table) -> None:
    """S 6.12."""
    table.company("ACME", status="insolvent", treasury=0).at("price_adjustment").clock_runs_out()
    assert table.status("ACME") == "bankrupt"
    assert table.state.turn == 3


def test_reactivation_triggers_limit_orders_on_the_way_down(table: Table) -> None:
    """A27: 47 to 39."""
    broke(table).cash_is(ada=1000).limit("cid", "sell", "ACME", 1, 39).ada.contributes(cash=106, shares=2)
    judged(table)
    assert (table.price("ACME"), table.orders("limit")) == (39, {"cid": "filled_pending_settlement"})


# --- bankruptcy


def test_a_bankruptcy_pays_a_tenth_of_the_price_floored_once_a_player(table: Table) -> None:
    """R-14, A61: floor(0.1 × 47 × 3) = 14 and × 2 = 9, at the price before the contributed share."""
    broke(table).holdings("ACME", ada=4).ada.contributes(shares=1)
    bank = table.bank
    judged(table)
    assert table.cash() == {"ada": 314, "bob": 309, "cid": 300}
    assert (table.bank, table.paid("bankruptcy payout")) == (bank - 23, 23)
    assert (table.price("ACME"), table.status("ACME")) == (47, "bankrupt")
    assert [(event.seat, event.shares, event.amount) for event in table.events("liquidation_paid")] == [
        (0, 3, 14),
        (1, 2, 9),
    ]
    assert table.money_is_conserved()


def test_a_bankrupt_company_is_gone_with_its_shares_and_its_money(table: Table) -> None:
    """A82, bank: the IPO's and the market's too; failed contributions are lost."""
    broke(table, ipo=3, revenue=50).ada.contributes(cash=100)
    judged(table)
    company = table.view().company("ACME")
    assert (company.existing, company.ipo, company.market, company.treasury, company.revenue, company.holdings) == (
        0,
        0,
        0,
        0,
        0,
        {},
    )
    assert table.paid("treasury of a bankrupt company") == 100
    assert [event.worth for event in table.events("went_bankrupt")] == [100]
    assert table.ada.income == table.bob.income == 0


def test_a_bankrupt_company_takes_no_orders_and_stays_out_of_everything(table: Table) -> None:
    """S 5.1."""
    broke(table)
    judged(table).play_to("stock_orders")
    with table.refuses("S 5.1", "bankrupt and delisted"):
        table.ada.buys("ACME", 1, at="ipo")
    with table.refuses("S 5.1", "bankrupt and delisted"):
        table.ada.limits("buy", "ACME", 1, 20)
    table.play_to("price_adjustment")
    assert table.state.queue == []
    assert not table.events("produced")


def test_open_instruments_end_with_the_company(table: Table) -> None:
    """A34: limits are rejected and their actions return, contracts are void, sold and unsold alike."""
    table.contract("ACME", strike=60, owner="bob").contract("ACME", strike=60)
    broke(table).limit("ada", "buy", "ACME", 1, 20).limit(
        "cid", "buy", "ACME", 1, 20, status="filled_pending_settlement"
    )
    judged(table)
    assert table.orders("limit") == {"ada": "rejected", "cid": "rejected"}
    assert table.state.contracts == {}
    assert table.view("ada").player(0).limit_actions == 5
    assert [event.seat for event in table.events("contract_expired")] == [1]


def test_a_short_is_closed_at_a_tenth_and_its_margin_is_free(table: Table) -> None:
    """A34 detail: margin 71 back, floor(0.1 × 47 × 3) = 14 to the bank; rounded apart from one’s own shares."""
    broke(table).short("cid", "ACME", 3, 47).short("ada", "ACME", 1, 30)
    judged(table)
    assert (table.cid.cash, table.cid.margin) == (300 + 71 - 14, 0)
    assert table.ada.cash == 300 + 15 - 4 + 14
    assert table.orders("short") == {"cid": "filled", "ada": "filled"}
    assert table.paid("short closed at bankruptcy") == 18
    assert table.view().company("ACME").aside == 0
    assert table.view("cid").player(2).short_actions == 2
    assert table.money_is_conserved()


def test_a_short_closed_at_bankruptcy_pays_what_there_is(table: Table) -> None:
    """A34 detail: opened at 3, the margin of 5 is all there is against floor(0.1 × 291 × 3) = 87."""
    broke(table, price=291).cash_is(cid=0).short("cid", "ACME", 3, 3)
    judged(table)
    assert (table.cid.cash, table.cid.margin, table.paid("short closed at bankruptcy")) == (0, 0, 5)


def test_ballots_ahead_outlive_a_bankruptcy_in_between(table: Table) -> None:
    """Votes."""
    table.company("LATER", unit_price=90).holdings("LATER", ada=2)
    table.company("FIRST", unit_price=10).holdings("FIRST", ada=2)
    table.company("ACME", status="insolvent", treasury=0, unit_price=50).holdings("ACME", ada=1)
    table.at("company_vote", acting="FIRST").ada.votes("LATER", "loan")
    table.clock_runs_out()
    assert (table.phase, table.view().acting) == ("contributions", "ACME")
    table.clock_runs_out()
    assert (table.status("ACME"), table.view().acting) == ("bankrupt", "LATER")
    table.clock_runs_out()
    assert table.events("action_done")[-1].action == "loan"
