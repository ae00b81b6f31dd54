"""Phases 28 to 30: capital gains, divestment, economy, loans, contracts and consumers."""

from __future__ import annotations

from typing import Any

import pytest

from game.engine.ledger import OUTSIDE
from game.rulesets.sectors.phases.upkeep import loan_interest, option_prices
from tests.rulesets.sectors.table import Table

# --- capital gains


@pytest.mark.parametrize(
    ("income", "tax"),
    [
        (0, 0),
        (100, 0),
        (101, 2),
        (200, 4),
        (201, 6),
        (300, 9),
        (301, 12),
        (400, 16),
        (401, 20),
        (500, 25),
        (501, 35),
        (640, 44),
    ],
)
def test_the_bracket_of_the_whole_income_taxes_all_of_it(table: Table, income: int, tax: int) -> None:
    """S 7.1: a boundary takes the lower rate; floored."""
    table.player("ada", income=income).at("capital_gains", reviews=True).clock_runs_out()
    assert (table.ada.cash, table.bank) == (300 - tax, 7500 + tax)
    assert [event.amount for event in table.events("tax_paid")] == [tax] * (income > 100)


def test_tax_is_limited_to_cash(table: Table) -> None:
    """S 7.1."""
    table.player("ada", income=640, cash=10).at("capital_gains", reviews=True).clock_runs_out()
    assert (table.ada.cash, table.events("tax_paid")[0].amount) == (0, 10)


def test_income_is_what_was_realised_this_turn(table: Table) -> None:
    """S 7.1, A62: a limit sell of the last turn settled now, a sale, a dividend; not what a purchase or a margin
    moves."""
    table.company("ACME", price=47, base_demand=3, unit_price=100).holdings("ACME", ada=4).sector(
        "industrial", consumers=3
    )
    table.limit("ada", "sell", "ACME", 1, 40, status="filled_pending_settlement")
    table.at("limit_settlement", reviews=True).clock_runs_out()
    assert table.ada.income == 40
    table.play_to("stock_orders").ada.sells("ACME", 1)
    sold_at = table.price("ACME")
    table.play_to("market_orders")
    assert table.ada.income == 40 + sold_at
    table.play_to("revenue_vote").ada.votes("ACME", "full")
    table.play_to("revenue_distribution")
    assert table.ada.income == 40 + sold_at + 60
    table.play_to("end_turn")
    assert table.ada.income == 40 + sold_at + 60
    table.play_to("start_turn")
    assert table.ada.income == 0


def test_short_proceeds_and_option_payouts_are_income(table: Table) -> None:
    """S 7.1: margins and premiums are not deducted."""
    table.company("ACME", price=75).contract("ACME", strike=60, shares=3, owner="bob")
    table.at("stock_orders", reviews=True).ada.shorts("ACME", 2)
    table.play_to("exercise_options")
    assert (table.ada.income, table.price("ACME")) == (150, 65)
    table.bob.exercises(1)
    table.play_to("stock_results")
    assert table.bob.income == 15


# --- divestment


def overloaded(table: Table) -> Table:
    """Eight seats, limit 15: ada holds 6 A, 6 B and 5 IDLE, two too many."""
    table.seat_count(8).company("A", price=47).company("B", price=51)
    table.company("IDLE", status="inactive", sector="technology", ipo_price=29, price=35)
    table.holdings("A", ada=6).holdings("B", ada=6, bob=4).holdings("IDLE", ada=5)
    return table.at("divestment", reviews=True)


def kept(**lost: int) -> list[list[str]]:
    """A drawn order in which ada's last shares are those named."""
    mine = {"A": 6, "B": 6, "IDLE": 5}
    return [
        [t for t, n in mine.items() for _ in range(n - lost.get(t, 0))] + [t for t, n in lost.items() for _ in range(n)]
    ]


def test_who_holds_too_many_sells_drawn_ones_at_the_price_of_the_moment(table: Table) -> None:
    """S 7.2, A64: each company falls by its own count."""
    overloaded(table).draws(divest=kept(A=1, B=1)).clock_runs_out()
    assert table.state.shares("A", 0) + table.state.shares("B", 0) + table.state.shares("IDLE", 0) == 15
    assert (table.ada.cash, table.price("A"), table.price("B")) == (300 + 47 + 51, 43, 47)
    assert (table.places("A")["market"], table.places("B")["market"]) == (5, 1)
    assert table.bank == 7500 - 98
    assert (table.bob.cash, table.shares("B")["bob"]) == (300, 4)
    assert table.money_is_conserved()


def test_both_shares_of_one_company_are_two_steps_after_both_were_paid(table: Table) -> None:
    """S 7.2."""
    overloaded(table).draws(divest=kept(B=2)).clock_runs_out()
    assert (table.ada.cash, table.price("B"), table.price("A")) == (300 + 102, 43, 47)


def test_shares_of_a_company_not_floated_go_back_to_its_ipo(table: Table) -> None:
    """I16: they bring the IPO price, and no price moves."""
    overloaded(table).draws(divest=kept(IDLE=2)).clock_runs_out()
    assert (table.ada.cash, table.price("IDLE"), table.places("IDLE")["ipo"]) == (300 + 58, 35, 7)


def test_several_players_divest_in_priority_and_a_company_falls_once(table: Table) -> None:
    """Order: all are paid the price before any divestment."""
    overloaded(table).player("bob", shares={"B": 4, "C": 6, "D": 6}).company("C", price=20).company("D", price=20)
    order = [["C"] * 6 + ["D"] * 6 + ["B"] * 4]
    table.priority("bob", "ada", *table.names[2:]).draws(divest=order + kept(B=2)).clock_runs_out()
    assert [(event.seat, event.company, event.shares, event.price) for event in table.events("divested")] == [
        (1, "B", 1, 51),
        (0, "B", 2, 51),
    ]
    assert table.price("B") == 39
    assert len(table.events("price_moved")) == 1


def test_divestment_is_no_taxed_income_and_triggers_limits(table: Table) -> None:
    """S 7.1, 7.2."""
    overloaded(table).limit("cid", "sell", "A", 1, 43).draws(divest=kept(A=2)).clock_runs_out()
    assert table.ada.income == 0
    assert table.orders("limit") == {"cid": "filled_pending_settlement"}


def test_shorted_shares_are_no_certificates_and_the_limit_itself_is_allowed(table: Table) -> None:
    """A95."""
    table.seat_count(8).company("A").company("B").company("C").holdings("A", ada=6).holdings("B", ada=6).holdings(
        "C", ada=3
    )
    table.short("ada", "C", 3, 47).at("divestment", reviews=True).clock_runs_out()
    assert not table.events("divested")


# --- economy


def voted(table: Table, *, sectors: int = 2, **choices: str) -> Table:
    """End of a turn in which companies A, B … of industrial and energy by turns chose so."""
    for place, (ticker, choice) in enumerate(choices.items()):
        sector = ("industrial", "energy")[place % sectors]
        table.company(
            ticker, sector=sector, revenue=0 if choice == "none" else 10, choice="" if choice == "none" else choice
        )
    return table.at("end_turn", economy=10, reviews=True)


@pytest.mark.parametrize(
    ("choices", "score"),
    [
        ({"A": "full", "B": "half"}, 11),
        ({"A": "full", "B": "retain"}, 9),
        ({"A": "full", "B": "full", "C": "retain"}, 10),
        ({"A": "full", "B": "none"}, 10),
        ({"A": "none", "B": "none"}, 10),
        ({"A": "retain", "B": "retain"}, 9),
        ({"A": "full", "B": "none", "C": "full"}, 10),
    ],
)
def test_the_economy_rises_with_a_payer_in_each_sector_and_falls_with_a_retainer(
    table: Table, choices: dict[str, str], score: int
) -> None:
    """S 7.3, A66, A67: zero revenue is neutral."""
    voted(table, **choices).clock_runs_out()
    assert table.state.economy == score


@pytest.mark.parametrize(("latch", "score"), [(True, 11), (False, 10)])
def test_the_economy_moves_once_every_sector_has_floated_a_company(table: Table, latch: bool, score: int) -> None:
    """R-20: a latch; the one that floated there may be gone, but then a payer is missing in its sector."""
    voted(table, A="full", B="full").sector("energy", has_floated=latch).clock_runs_out()
    assert table.state.economy == score


def test_a_bankrupt_company_counts_for_nothing_but_the_latch_stays(table: Table) -> None:
    """R-20."""
    voted(table, A="retain", B="none").company("C", sector="energy", status="bankrupt", choice="retain").sector(
        "energy", has_floated=True
    )
    table.clock_runs_out()
    assert table.state.economy == 9


def test_a_bankrupt_payer_pays_no_more(table: Table) -> None:
    """R-20."""
    voted(table, A="full").company("C", sector="energy", status="bankrupt", choice="full").sector(
        "energy", has_floated=True
    )
    table.clock_runs_out()
    assert table.state.economy == 10


def test_the_economy_never_falls_below_nothing(table: Table) -> None:
    """A7."""
    voted(table, A="retain", B="retain").with_(economy=0).clock_runs_out()
    assert (table.state.economy, table.events("economy_moved")) == (0, [])


# --- loans


@pytest.mark.parametrize(("option", "interest"), [("0.1", 1), ("10", 25)])
def test_loan_interest_leaves_the_game_every_turn(table: Table, option: str, interest: int) -> None:
    """R-4."""
    table.options(loan_interest_percent=option).company("ACME", has_loan=True, treasury=100).company(
        "FREE", treasury=100
    )
    table.at("end_turn", reviews=True)
    outside = table.state.ledger.balance(OUTSIDE)
    table.clock_runs_out()
    assert loan_interest(table.state) == interest
    assert (table.treasury("ACME"), table.treasury("FREE")) == (100 - interest, 100)
    assert (table.bank, table.state.ledger.balance(OUTSIDE)) == (7500, outside + interest)


def test_loan_interest_takes_what_is_there_and_makes_nobody_insolvent(table: Table) -> None:
    """S 7.4, R-4: the debt dies with the company."""
    table.options(loan_interest_percent="10").company("ACME", has_loan=True, treasury=10)
    table.company("GONE", has_loan=True, status="bankrupt", treasury=0).at("end_turn", reviews=True).clock_runs_out()
    assert (table.treasury("ACME"), table.status("ACME")) == (0, "active")
    assert [(event.company, event.amount) for event in table.events("loan_interest_paid")] == [("ACME", 10)]


# --- contracts


def test_option_prices_of_the_worked_example() -> None:
    """S 1.11: Energy, P 47, term 2, 5 shares."""
    assert option_prices(47, 10, 45, 5) == (73, 59)


def test_new_contracts_on_active_companies_replace_the_unsold(table: Table) -> None:
    """S 1.11, A23, A14."""
    table.company("ACME", sector="energy", price=47).company("POOR", status="insolvent", treasury=0).company(
        "IDLE", status="inactive"
    )
    table.contract("ACME", strike=99).contract("ACME", strike=88, owner="ada")
    table.draws(contract_company=["ACME"] * 3, contract_term=[2, 1, 4], contract_bundle=[(5, 1), (3, 1), (12, 2)])
    table.at("end_turn", reviews=True).clock_runs_out()
    kept, *fresh = table.state.contracts.values()
    assert (kept.strike, kept.owner) == (88, 0)
    assert [(c.term, c.shares, c.bonus, c.strike, c.premium, c.owner) for c in fresh] == [
        (2, 5, 1, 73, 59, None),
        (1, 3, 1, 71, 29, None),
        (4, 12, 2, 78, 198, None),
    ]


def test_without_an_active_company_or_with_options_off_none_are_made(table: Table) -> None:
    """S 1.11, A6."""
    table.company("POOR", status="insolvent", treasury=0).at("end_turn", reviews=True).clock_runs_out()
    assert table.state.contracts == {}


def test_options_switched_off(table: Table) -> None:
    """A6."""
    table.options(option_orders=False).company("ACME").at("end_turn", reviews=True).clock_runs_out()
    assert table.state.contracts == {}


# --- consumers


def sectors(table: Table, **demands: Any) -> Table:
    """Sectors in play with a demand each, in this priority."""
    for place, (key, demand) in enumerate(demands.items(), 1):
        table.sector(key, priority=place, base_demand=demand)
    return table.at("end_turn", reviews=True)


def consumers(table: Table) -> dict[str, int]:
    table.clock_runs_out()
    return {key: table.sector_of(key).consumers for key in table.sector_order()}


@pytest.mark.parametrize(
    ("economy", "pool", "moved"),
    [
        (10, 75, (4, 5, 1)),
        (10, 4, (2, 2, 0)),
        (6, 75, (2, 3, 1)),
        (0, 75, (0, 0, 0)),
        (10, 0, (0, 0, 0)),
        (1, 75, (1, 0, 0)),
        (13, 75, (5, 6, 2)),
    ],
)
def test_consumers_are_dealt_out_pass_by_pass(table: Table, economy: int, pool: int, moved: tuple[int, ...]) -> None:
    """S 7.7: demands 2, 3, 1; limited by score and pool."""
    sectors(table, technology=2, energy=3, materials=1).with_(economy=economy, pool=pool)
    assert tuple(consumers(table).values()) == moved
    assert table.state.pool == pool - sum(moved)


def test_fading_demand_draws_too_and_consumers_that_wait_stay(table: Table) -> None:
    """A69."""
    sectors(table, technology=2, energy=3).sector("technology", temporary_demand=2, consumers=5).with_(economy=7)
    assert consumers(table) == {"technology": 9, "energy": 3}


def test_sectors_without_any_demand_draw_nobody(table: Table) -> None:
    """S 7.7: a pass that moves nothing ends it."""
    assert consumers(sectors(table, technology=0, energy=0)) == {"technology": 0, "energy": 0}


def test_the_score_moves_before_the_consumers(table: Table) -> None:
    """S 7.3, 7.7."""
    voted(table, A="full", B="full").sector("industrial", base_demand=50)
    assert sum(consumers(table).values()) == 11
