"""Where the first edition opens, deals tranches and trades otherwise. (S 4.2, S 8 D1-D6, D17-D19, D23, D33-D36)"""

import pytest

from game.engine.actions import Refused
from game.rulesets.sectors.options import parse_options
from tests.rulesets.sectors.table import Table


@pytest.fixture
def old(table: Table) -> Table:
    """Turn 2 of a first edition, before the first sub-round."""
    return (
        table.at("stock_orders", options={"edition": 1}).seats("ada", "bob", "cid", cash=1000).company("ACME", price=47)
    )


def test_a_hundred_points_and_two_companies_a_sector(table: Table) -> None:
    """D1, D33, D34: Consumer Defensive starts at GROWTH."""
    table.draws(sectors=["defensive", "energy", "materials"]).starts(3, edition=1)
    assert (
        sorted(c.sector for c in table.state.companies.values())
        == ["defensive"] * 2 + ["energy"] * 2 + ["materials"] * 2
    )
    assert {c.tier for c in table.state.companies.values() if c.sector == "defensive"} == {"growth"}
    with table.refuses("S 1.5", "100 influence points, not 101"):
        table.ada.bids(101)
    table.ada.bids(100)
    table.clock_runs_out()
    assert table.cash() == {"ada": 300, "bob": 400, "cid": 400}


def test_always_three_sub_rounds_resolved_together(old: Table) -> None:
    """D3, *rounds detail*: 10 is skipped for an empty sub-round, 11 and 12 come once, after the third."""
    old.ada.buys("ACME", 1)
    old.clock_runs_out().clock_runs_out()
    old.bob.buys("ACME", 1)
    old.clock_runs_out()
    placing = ["order_review", "stock_orders", "stock_orders", "order_review"]
    assert old.phases[:7] == [*placing, "order_reveal", "market_orders", "stock_results"]


def test_without_any_order_neither_reveal_nor_resolution(old: Table) -> None:
    """*rounds detail*."""
    old.clock_runs_out().clock_runs_out().clock_runs_out()
    assert old.phases[:3] == ["stock_orders", "stock_orders", "stock_results"]


def test_an_order_stays_concealed_until_all_sub_rounds_are_placed(old: Table) -> None:
    """*reveal*: after phase 10 its place alone is known, through the later sub-rounds."""
    old.ada.buys("ACME", 3)
    old.clock_runs_out()
    for viewer in ("bob", None):
        seen = old.view(viewer).orders[0]
        assert (seen.seat, seen.company, seen.location, seen.kind, seen.quantity, seen.side) == (
            0,
            "ACME",
            "market",
            None,
            None,
            None,
        )
    assert old.view("ada").orders[0].quantity == 3
    old.clock_runs_out().clock_runs_out()
    assert old.events("order_revealed")[0].quantity == 3


def test_sub_rounds_resolve_in_ascending_order_whatever_the_priority(old: Table) -> None:
    """S 5.3: cid's earlier order is served before ada's better place."""
    old.priority("ada", "bob", "cid").market_holds(ACME=3).company("ACME", ipo=7)
    old.cid.buys("ACME", 3)
    old.clock_runs_out()
    old.ada.buys("ACME", 1)
    old.clock_runs_out().clock_runs_out()
    assert old.shares("ACME") == {"cid": 3}
    assert old.rejections() == {"ada": "1 wanted, 0 left."}


def test_one_net_move_for_the_whole_stock_round_at_the_starting_price(old: Table) -> None:
    """D4: bought in sub-round 1, sold in 3; everybody at 47; net +1 fills one slot."""
    old.holdings("ACME", bob=2)
    old.ada.buys("ACME", 3)
    old.clock_runs_out().clock_runs_out()
    old.bob.sells("ACME", 2)
    old.clock_runs_out()
    assert old.cash() == {"ada": 1000 - 141, "bob": 1000 + 94, "cid": 1000}
    trades = [move for move in old.events("price_moved") if "more" in move.why]
    assert trades == []
    assert old.events("order_filled")[1].price == 47


def test_a_first_edition_has_no_headlines(table: Table) -> None:
    """D2: Start Turn decides nothing."""
    table.at("start_turn", options={"edition": 1}, sectors={"energy": {}}).company("COAL", sector="energy").play_on()
    assert table.phases == ["start_turn", "stock_orders"]
    assert table.view().headlines == ()


def test_the_third_turn_opens_one_established_company_and_shares_the_pot_evenly(table: Table) -> None:
    """D17, D23: 500 among three pools is 167, 167, 166; a dead sector stays dead."""
    table.at("start_turn", options={"edition": 1}, turn=3).seat_count(4)
    table.company("COAL", sector="energy", price=60).company(
        "DEAD", sector="industrial", status="bankrupt", treasury=0
    ).play_on()
    assert [(event.sector, event.tier) for event in table.events("company_opened")] == [("Energy", "Established")]
    assert [tranche.cash for tranche in table.view().tranches] == [167, 167, 166]
    assert table.phase == "tranche_vote"


def test_all_tranche_phases_are_played_even_if_nothing_was_won(table: Table) -> None:
    """D19."""
    table.at("tranche_vote", turn=3, options={"edition": 1}).company("COAL", sector="energy")
    table.tranche("energy", cash=250).tranche("energy", cash=250).clock_runs_out()
    assert table.phases == [
        "tranche_vote_resolve",
        "tranche_distribution",
        "tranche_distribution_resolve",
        "stock_orders",
    ]


@pytest.mark.parametrize(
    "option", [{"limit_orders": False}, {"short_orders": False}, {"option_orders": False}, {"ipo_discount": True}]
)
def test_what_the_first_edition_leaves_no_choice_in(option: dict[str, bool]) -> None:
    """D35, D36."""
    with pytest.raises(Refused, match="in the first edition"):
        parse_options({"edition": 1, **option})
    assert parse_options({"edition": 2, **option})


@pytest.mark.parametrize(("edition", "acting", "locked"), [(1, "TWO", 0), (2, "THREE", 1)])
def test_the_next_company_is_found_as_things_stand_then_or_was_locked(
    table: Table, edition: int, acting: str, locked: int
) -> None:
    """D22, S 6.6: THREE is before TWO by its prestige, until ONE's card takes it away."""
    table.at("price_adjustment", reviews=True).options(edition=edition).draws(research_draw=["corporate_espionage"])
    table.company("ONE", unit_price=40, sector="energy", treasury=900).company("TWO", unit_price=50, sector="materials")
    table.company("THREE", unit_price=50, prestige=1, sector="energy").with_(deck=["corporate_espionage"])
    for ticker in ("ONE", "TWO", "THREE"):
        table.holdings(ticker, ada=1)
    table.play_on().play_to("company_vote")
    assert table.state.queue == ["ONE", "THREE", "TWO"]
    assert len(table.events("order_locked")) == locked
    table.ada.votes("ONE", "research")
    table.play_to("company_action").play_to("company_vote")
    assert (table.of("THREE").prestige, table.view().acting) == (0, acting)
