"""Option contracts: on sale, bought, aging, exercised. (S 1.11, 5.7, A14, A33)"""

import pytest

from game.rulesets.sectors.phases.upkeep import option_prices
from game.rulesets.sectors.tables.common import OPTION_BUNDLES, OPTION_TERMS
from game.rulesets.sectors.tables.second_edition import SECOND_EDITION
from tests.rulesets.sectors.table import Table


@pytest.fixture
def pit(table: Table) -> Table:
    """Two contracts on sale on ACME at 47."""
    table.at("stock_orders").seats("ada", "bob", "cid", cash=300).company("ACME", price=47)
    return table.contract("ACME", strike=51, premium=20, term=2, shares=5, bonus=1).contract(
        "ACME", strike=40, premium=35
    )


def close_round(table: Table) -> Table:
    return table.clock_runs_out().clock_runs_out()


# --- the offer


def test_three_new_contracts_replace_the_unsold_ones_at_every_end_of_turn(table: Table) -> None:
    """S 1.11: drawn on ACTIVE companies only (A23), prices from the price of the moment."""
    table.at("end_turn", sectors={"energy": {}}).company("COAL", sector="energy", price=47)
    table.company("WEAK", sector="energy", status="insolvent", treasury=0).company(
        "IDLE", sector="energy", status="inactive"
    )
    table.contract("COAL", strike=90).contract("COAL", strike=91, owner="ada", term=4)
    table.draws(contract_term=[2, 1, 4], contract_bundle=[(5, 1), (3, 1), (12, 2)]).play_on()
    seen = [(c.company, c.term, c.shares, c.bonus, c.strike, c.premium, c.owner) for c in table.view().contracts]
    assert seen == [
        ("COAL", 4, 3, 1, 91, 10, 0),
        ("COAL", 2, 5, 1, 73, 59, None),
        ("COAL", 1, 3, 1, 71, 29, None),
        ("COAL", 4, 12, 2, 78, 198, None),
    ]


@pytest.mark.parametrize(("status", "treasury"), [("inactive", 470), ("insolvent", 0)])
def test_without_an_active_company_there_are_no_contracts(table: Table, status: str, treasury: int) -> None:
    """S 1.11."""
    table.at("end_turn", sectors={"energy": {}}).company("COAL", status=status, treasury=treasury).play_on()
    assert table.state.contracts == {}


def test_a_contract_is_drawn_on_an_active_company_only(table: Table) -> None:
    """A23."""
    table.at("end_turn", sectors={"energy": {}}).company("ACME").company("WEAK", status="insolvent", treasury=0)
    table.draws(contract_company=["WEAK"])
    with pytest.raises(ValueError, match="not possible"):
        table.play_on()
    table.script.clear()


@pytest.mark.parametrize(
    ("price", "term", "volatility", "shares", "strike", "premium"),
    [
        (47, 2, 45, 5, 73, 59),
        (47, 1, 20, 3, 59, 17),
        (100, 1, 90, 3, 195, 105),
        (60, 4, 50, 12, 102, 264),
        (3, 3, 70, 7, 6, 9),
    ],
)
def test_strike_and_premium(price: int, term: int, volatility: int, shares: int, strike: int, premium: int) -> None:
    """S 1.11, A14: P(1 + r + v) and P(r + v/3) a share, both rounded up."""
    assert option_prices(price, SECOND_EDITION.option_rates_percent[term], volatility, shares) == (strike, premium)


def test_terms_rates_and_bundles() -> None:
    """S 1.11, A14: term 1 at 5 %."""
    assert (OPTION_TERMS, SECOND_EDITION.option_rates_percent) == ((1, 2, 3, 4), {1: 5, 2: 10, 3: 15, 4: 20})
    assert OPTION_BUNDLES == ((3, 1), (5, 1), (7, 1), (10, 2), (12, 2))


# --- buying


def test_a_contract_is_sold_for_its_premium(pit: Table) -> None:
    """S 5.7: to the bank, no income, no price move."""
    pit.ada.wants(1)
    close_round(pit)
    assert (pit.ada.cash, pit.paid("premium"), pit.state.contracts[1].owner) == (280, 20, 0)
    assert "open_options" in pit.phases
    assert pit.orders("option") == {"ada": "open"}
    assert not [move for move in pit.events("price_moved") if "apart" not in move.why]


def test_the_earliest_sub_round_wins(pit: Table) -> None:
    """S 5.7: before priority; the loser pays nothing."""
    pit.priority("bob", "ada", "cid")
    pit.ada.wants(1)
    pit.clock_runs_out()
    pit.bob.wants(1)
    close_round(pit)
    assert pit.state.contracts[1].owner == 0
    assert pit.rejections() == {"bob": "the contract went to another player."}
    assert pit.bob.cash == 300


def test_within_a_sub_round_player_priority_decides(pit: Table) -> None:
    """S 5.7."""
    pit.priority("cid", "bob", "ada")
    for name in pit.names:
        pit.asks(name, "option_order", contract=1)
    close_round(pit)
    assert pit.state.contracts[1].owner == 2


def test_under_the_bid_strategy_the_highest_bid_wins_and_is_paid(pit: Table) -> None:
    """S 5.7: ties by player priority; never below the premium."""
    pit.options(distribution="bid").priority("cid", "bob", "ada")
    with pit.refuses("S 5.7", "at least the premium, 20"):
        pit.ada.wants(1, bid=19)
    with pit.refuses("S 5.7", "at least the premium, 20"):
        pit.ada.wants(1)
    pit.ada.wants(1, bid=33)
    pit.bob.wants(1, bid=33)
    pit.cid.wants(1, bid=32)
    close_round(pit)
    assert pit.cash() == {"ada": 300, "bob": 267, "cid": 300}


def test_who_cannot_pay_leaves_it_to_the_next_in_line(pit: Table) -> None:
    """S 5.7, A22: looked at when it resolves."""
    pit.cash_is(ada=19)
    pit.ada.wants(1)
    pit.bob.wants(1)
    close_round(pit)
    assert pit.rejections() == {"ada": "it costs 20, cash is 19."}
    assert pit.state.contracts[1].owner == 1


def test_who_can_just_pay_gets_it(pit: Table) -> None:
    """S 5.7."""
    pit.cash_is(ada=20)
    pit.ada.wants(1)
    close_round(pit)
    assert (pit.ada.cash, pit.state.contracts[1].owner) == (0, 0)


def test_a_contract_is_ordered_once_a_stock_round_by_the_same_player(pit: Table) -> None:
    """Decision *covers*."""
    pit.ada.wants(1)
    pit.ada.wants(1)
    pit.clock_runs_out()
    with pit.refuses("covers", "already ordered this contract"):
        pit.ada.wants(1)
    pit.ada.wants(2)
    close_round(pit)
    assert {contract.owner for contract in pit.state.contracts.values()} == {0}
    assert pit.ada.cash == 300 - 20 - 35


def test_under_the_priority_strategy_a_contract_takes_no_bid(pit: Table) -> None:
    """S 5.7."""
    with pit.refuses("S 5.7", "only games with “highest bid”"):
        pit.ada.wants(1, bid=30)


def test_only_contracts_on_sale_can_be_ordered(pit: Table) -> None:
    """S 5.7."""
    pit.contract("ACME", strike=60, owner="bob")
    for number in (3, 9):
        with pit.refuses("S 5.7", f"Contract {number} is not on sale"):
            pit.ada.wants(number)


def test_a_term_1_contract_ordered_late_is_not_yet_older(pit: Table) -> None:
    """S 5.7: phase 16 comes before 17."""
    pit.ada.wants(1)
    close_round(pit)
    assert "expire_contracts" not in pit.phases
    assert pit.view().contracts[0].turns_left == 2


# --- age


@pytest.mark.parametrize("term", [1, 2, 3, 4])
def test_a_contract_of_term_t_dies_in_phase_16_of_the_turn_t_plus_1_later(table: Table, term: int) -> None:
    """S 5.7: bought in turn T it lives in T … T + t."""
    table.at("stock_orders", turn=2).options(max_turns=30).company("ACME", price=47, treasury=5000, base_demand=3)
    table.contract("ACME", strike=600, premium=20, term=term)
    table.ada.wants(1)
    close_round(table)
    bought = table.state.turn - (table.phase == "start_turn")
    while not table.events("contract_expired"):
        table.clock_runs_out()
    died = [e.turn for e in table.events("phase_opened") if e.phase == "expire_contracts"][-1]
    assert died == bought + term + 1
    assert (table.ada.cash, table.paid("option payout")) == (280, 0)
    assert 1 not in table.state.contracts


def test_a_contract_about_to_die_can_still_be_exercised_the_turn_before(table: Table) -> None:
    """S 5.7: age 0 of term 1 becomes 1 and lives; age 1 dies before phase 18."""
    table.at("expire_contracts").company("ACME", price=60).contract("ACME", strike=47, term=1, owner="ada", age=0)
    table.contract("ACME", strike=47, term=1, owner="bob", age=1).play_on()
    assert table.phase == "exercise_options"
    assert [offer.fixed for offer in table.ada.offers()] == [{"contract": 1}]
    assert table.bob.offers() == []


# --- exercise


def test_an_exercise_pays_price_less_strike_per_share_then_the_price_rises(table: Table) -> None:
    """S 5.7: (80 - 73) x 5 = 35 from the bank, income, then one step."""
    table.at("exercise_options", reviews=True).company("COAL", sector="energy", price=80).contract(
        "COAL", strike=73, shares=5, bonus=1, owner="ada"
    )
    table.ada.exercises(1)
    table.clock_runs_out()
    assert (table.ada.cash, table.paid("option payout")) == (335, 35)
    assert (table.events("price_moved")[0].was, table.events("price_moved")[0].now) == (80, 86)
    assert table.orders("option") == {"ada": "filled"}
    assert 1 not in table.state.contracts


def test_it_can_be_exercised_in_the_turn_it_was_bought(pit: Table) -> None:
    """S 5.7: strike 40, price 47, 3 shares: 21."""
    pit.ada.wants(2)
    close_round(pit)
    assert pit.phase == "exercise_options"
    pit.ada.exercises(2)
    pit.clock_runs_out()
    assert pit.ada.cash == 300 - 35 + 21


def test_price_equal_to_strike_pays_nothing_but_lifts_the_price(table: Table) -> None:
    """A33."""
    table.at("exercise_options").company("ACME", price=80).contract("ACME", strike=80, bonus=2, owner="ada")
    table.ada.exercises(1)
    table.clock_runs_out()
    assert table.ada.cash == 300
    assert table.events("price_moved")[0].now == 92


def test_a_price_below_the_strike_is_refused(table: Table) -> None:
    """S 5.7."""
    table.at("exercise_options").company("ACME", price=80).contract("ACME", strike=81, owner="ada").contract(
        "ACME", strike=70, owner="ada"
    )
    with table.refuses("S 5.7", "is 80, below", "strike of 81"):
        table.ada.exercises(1)
    with table.refuses("S 5.7", "no contract number 9"):
        table.ada.exercises(9)
    table.ada.exercises(2)


def test_every_exercise_pays_at_the_price_of_the_phases_start(table: Table) -> None:
    """Decision *covers*: the bonuses of all follow after all payouts."""
    table.at("exercise_options").seats("ada", "bob").company("ACME", price=80)
    table.contract("ACME", strike=70, shares=10, bonus=2, owner="ada").contract(
        "ACME", strike=70, shares=10, bonus=2, owner="bob"
    )
    table.ada.exercises(1)
    table.bob.exercises(2)
    table.clock_runs_out()
    assert table.cash() == {"ada": 400, "bob": 400}
    assert [move.now for move in table.events("price_moved")][:2] == [92, 104]


def test_a_contract_not_exercised_stays(table: Table) -> None:
    table.at("exercise_options").company("ACME", price=80).contract("ACME", strike=70, term=4, owner="ada")
    table.clock_runs_out()
    assert (table.ada.cash, table.state.contracts[1].owner) == (300, 0)


def test_phase_18_is_skipped_when_no_contract_has_met_its_strike(table: Table) -> None:
    """S 4.1."""
    table.at("expire_contracts").company("ACME", price=80).contract("ACME", strike=81, term=4, owner="ada").play_on()
    assert table.phases[:2] == ["expire_contracts", "stock_results"]


def test_an_exercise_is_secret_and_may_be_withdrawn(table: Table) -> None:
    """*secrets*, *revise*; the contract itself is public."""
    table.at("exercise_options").company("ACME", price=80).contract("ACME", strike=70, term=4, owner="ada")
    table.ada.exercises(1)
    assert table.view("bob").mine == table.view().mine == {}
    assert table.view("bob").contracts[0].owner == 0
    table.ada.withdraws("exercise 1")
    table.clock_runs_out()
    assert table.ada.cash == 300


def test_the_payout_is_taxed(table: Table) -> None:
    """S 7.1: (80 - 40) x 12 = 480 at 5 %."""
    table.at("exercise_options").company("ACME", price=80).contract("ACME", strike=40, shares=12, bonus=2, owner="ada")
    table.ada.exercises(1)
    table.play_to("start_turn")
    assert table.paid("capital gains") == 24
