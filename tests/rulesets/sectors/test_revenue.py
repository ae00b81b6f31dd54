"""Phases 22 and 23: the revenue vote and who is paid what."""

from __future__ import annotations

import pytest

from tests.rulesets.sectors.table import Table


def earning(table: Table, revenue: int = 157, **shares: int) -> Table:
    """ACME has revenue and the vote is open."""
    table.company("ACME", revenue=revenue, treasury=100).holdings("ACME", **(shares or {"ada": 3}))
    return table.at("revenue_vote", reviews=True)


def distributed(table: Table) -> Table:
    return table.clock_runs_out()


@pytest.mark.parametrize(("choice", "dividend", "kept"), [("full", 47, 0), ("half", 23, 79), ("retain", 0, 157)])
def test_the_worked_examples_of_157(table: Table, choice: str, dividend: int, kept: int) -> None:
    """S 6.5, A43, A44: three of ten shares; the odd dollar of a half is the treasury's."""
    earning(table).ada.votes("ACME", choice)
    bank = table.bank
    distributed(table)
    assert (table.ada.cash, table.treasury("ACME")) == (300 + dividend, 100 + kept)
    assert table.bank == bank - dividend - kept  # what falls on shares of nobody stays with the bank (A40)
    assert table.ada.income == dividend
    assert table.money_is_conserved()


def test_the_most_shares_win(table: Table) -> None:
    earning(table, ada=3, bob=2, cid=2)
    table.ada.votes("ACME", "retain")
    table.bob.votes("ACME", "full")
    table.cid.votes("ACME", "full")
    distributed(table)
    assert table.of("ACME").choice == "full"
    (vote,) = table.events("revenue_voted")
    assert (vote.full, vote.half, vote.retain) == (4, 0, 3)


@pytest.mark.parametrize(
    ("priority", "choice"),
    [(("cid", "ada", "bob"), "half"), (("bob", "cid", "ada"), "full"), (("ada", "bob", "cid"), "full")],
)
def test_a_tie_goes_to_the_best_placed_voter_among_the_tied(
    table: Table, priority: tuple[str, ...], choice: str
) -> None:
    """S 6.5: ada stands outside the tie whatever her place."""
    earning(table, ada=1, bob=3, cid=3).priority(*priority)
    table.ada.votes("ACME", "retain")
    table.bob.votes("ACME", "full")
    table.cid.votes("ACME", "half")
    distributed(table)
    assert table.of("ACME").choice == choice


def test_nobody_votes_retains(table: Table) -> None:
    earning(table)
    distributed(table)
    assert (table.of("ACME").choice, table.treasury("ACME"), table.ada.cash) == ("retain", 257, 300)


def test_a_dividend_is_floored_once_a_player(table: Table) -> None:
    """S 6.5: 19 over 10 shares: 3 of them get 5, not 3 × 1."""
    earning(table, revenue=19, ada=3, bob=1).ada.votes("ACME", "full")
    distributed(table)
    assert table.cash() == {"ada": 305, "bob": 301, "cid": 300}


def test_every_existing_share_is_in_the_divisor(table: Table) -> None:
    """S 6.5: IPO, open market, set aside and issued ones; 120 over 12."""
    table.company("ACME", revenue=120, existing=12, ipo=4).holdings("ACME", ada=3).short("bob", "ACME", 2, 47)
    table.at("revenue_vote", reviews=True)
    table.ada.votes("ACME", "full")
    distributed(table)
    assert table.cash() == {"ada": 330, "bob": 280, "cid": 300}
    assert table.places("ACME") == {"ipo": 4, "market": 3, "aside": 2}


def test_a_short_owes_its_dividends_and_has_no_vote(table: Table) -> None:
    """S 5.6, A30, short dividends: floor(157 × 2 / 10) = 31."""
    earning(table).short("bob", "ACME", 2, 47).ada.votes("ACME", "full")
    with table.refuses("S 4.4 phase 22"):
        table.bob.votes("ACME", "retain")
    bank = table.bank
    distributed(table)
    assert (table.bob.cash, table.paid("short dividend"), table.bank) == (269, 31, bank - 47 + 31)


def test_a_short_pays_what_it_has_after_the_dividends_of_the_company(table: Table) -> None:
    """A99: he holds 10 in cash and one share; 15 come in first, 31 are owed."""
    earning(table, ada=3, bob=1).cash_is(bob=10).short("bob", "ACME", 2, 47).ada.votes("ACME", "full")
    distributed(table)
    assert (table.bob.cash, table.bob.margin) == (0, 47)
    (owed,) = table.events("short_dividend_paid")
    assert (owed.amount, owed.owed) == (25, 31)
    assert table.bob.income == 15


def test_a_short_owes_nothing_of_what_is_retained(table: Table) -> None:
    """S 5.6: and nothing is told of it."""
    earning(table).short("bob", "ACME", 2, 47).ada.votes("ACME", "retain")
    distributed(table)
    assert (table.bob.cash, table.events("short_dividend_paid"), table.events("dividend_paid")) == (300, [], [])


def test_companies_pay_in_production_order(table: Table) -> None:
    """Short dividends: the dividend of the first pays for the short in the second."""
    table.company("LAST", sector="industrial", revenue=100).company("FIRST", sector="technology", revenue=100)
    table.sector("technology", priority=1).sector("industrial", priority=2)
    table.holdings("FIRST", ada=2).holdings("LAST", bob=1).cash_is(ada=0).short("ada", "LAST", 3, 47)
    table.at("revenue_vote", reviews=True)
    table.ada.votes("FIRST", "full")
    table.bob.votes("LAST", "full")
    distributed(table)
    assert table.paid("short dividend") == 20
    assert table.ada.cash == 0


def test_only_shareholders_of_a_company_with_revenue_vote(table: Table) -> None:
    """S 6.5."""
    table.company("DRY", revenue=0).holdings("DRY", bob=1, ada=1)
    earning(table)
    with table.refuses("S 4.4 phase 22"):
        table.bob.votes("ACME", "full")
    with table.refuses("S 6.5", "no revenue"):
        table.ada.votes("DRY", "full")
    with table.refuses("S 5.1"):
        table.ada.asks("vote_revenue", company="ACME", choice="double")


def test_a_shareholder_votes_only_where_he_holds_shares(table: Table) -> None:
    """S 6.5."""
    table.company("TWO", revenue=100).holdings("TWO", bob=1)
    earning(table)
    with table.refuses("S 6.5", "You own no ACME shares"):
        table.bob.votes("ACME", "full")


def test_a_vote_is_secret_and_can_be_changed_and_withdrawn(table: Table) -> None:
    """A84, revise."""
    earning(table, ada=3, bob=2)
    before = table.view("bob")
    table.ada.votes("ACME", "retain")
    table.bob.votes("ACME", "half").withdraws("vote_revenue ACME")
    table.ada.votes("ACME", "full")
    assert table.view("bob").companies == before.companies
    assert table.view("ada").mine == {
        "vote_revenue ACME": {"kind": "vote_revenue", "company": "ACME", "choice": "full"}
    }
    assert table.view("bob").mine == {}
    distributed(table)
    (vote,) = table.events("revenue_voted")
    assert (vote.full, vote.half, vote.retain) == (3, 0, 0)


def test_one_vote_a_company(table: Table) -> None:
    """S 6.5: a shareholder of two votes in both."""
    table.company("TWO", revenue=100).holdings("TWO", ada=2)
    earning(table).ada.votes("ACME", "full").votes("TWO", "retain")
    distributed(table)
    assert (table.of("ACME").choice, table.of("TWO").choice) == ("full", "retain")
    assert (table.ada.cash, table.treasury("TWO")) == (347, 570)


def test_the_vote_closes_when_all_shareholders_are_ready(table: Table) -> None:
    """S 4.4: others are not asked."""
    earning(table, ada=3, bob=2)
    table.ada.votes("ACME", "full").is_ready()
    assert table.phase == "revenue_vote"
    table.bob.is_ready()
    assert table.phase == "revenue_distribution"


def test_without_revenue_there_is_no_vote(table: Table) -> None:
    """Rounds: phases 22 and 23 are skipped."""
    table.company("ACME").holdings("ACME", ada=3).at("production", reviews=True).play_to("price_adjustment")
    assert table.phases == ["production", "price_adjustment"]
    assert table.of("ACME").choice == ""
