"""Influence bid, turn order, new companies, and the first turn. (S 1.5, 4.1, 4.3, 7.8)"""

import pytest

from tests.rulesets.sectors.table import Table

THREE = {"AGRO": "defensive", "COAL": "energy", "BOLT": "industrial"}


def three_sectors(table: Table, **words: object) -> Table:
    for ticker, sector in THREE.items():
        table.company(ticker, **{"sector": sector, **words})
    return table


# --- the influence bid


def test_bids_make_the_order_and_points_kept_are_dollars(table: Table) -> None:
    """S 1.5: bids 50, 20 and none; refunds 0, 30, 50, paid by the bank."""
    table.starts(3)
    table.cid.bids(50)
    table.ada.bids(20)
    table.clock_runs_out()
    assert table.in_priority() == ["cid", "ada", "bob"]
    assert table.cash() == {"ada": 330, "bob": 350, "cid": 300}
    assert table.bank == 7500 - 80
    assert table.state.incomes == [0, 0, 0]


def test_ties_are_drawn_level_by_level_highest_first(table: Table) -> None:
    """S 1.5, A8: one draw per tied level."""
    table.starts(5)
    for name, points in {"ada": 10, "bob": 30, "cid": 30, "dan": 10, "eve": 10}.items():
        table.asks(name, "bid_influence", points=points)
    table.draws(influence_tie=[[2, 1], [4, 0, 3]])
    table.clock_runs_out()
    assert table.in_priority() == ["cid", "bob", "eve", "ada", "dan"]


def test_a_bid_may_be_replaced_and_withdrawn_until_the_phase_closes(table: Table) -> None:
    """Decision *revise*: a withdrawn bid counts as 0 points."""
    table.starts(3)
    table.ada.bids(50)
    table.ada.bids(7)
    table.bob.bids(40)
    table.bob.withdraws("bid_influence")
    table.cid.bids(3)
    table.clock_runs_out()
    assert table.state.bids == {0: 7, 1: 0, 2: 3}
    assert table.in_priority() == ["ada", "cid", "bob"]


def test_a_bid_cannot_exceed_the_points_of_the_player(table: Table) -> None:
    """S 1.5."""
    table.starts(2)
    with table.refuses("S 1.5", "50 influence points, not 51"):
        table.ada.bids(51)
    with table.refuses("S 5.1"):
        table.ada.bids(-1)
    table.ada.bids(0)
    table.ada.bids(50)


def test_submitting_closes_nothing_but_everybody_ready_does(table: Table) -> None:
    """S 4.4: the phase closes early when every player is ready."""
    table.starts(2)
    table.ada.bids(5)
    table.bob.bids(6)
    assert table.phase == "influence_bid"
    table.ada.is_ready()
    assert table.phase == "influence_bid"
    table.bob.is_ready()
    assert table.phase == "stock_orders"


def test_the_bids_are_secret_until_all_are_in(table: Table) -> None:
    """S 1.5, *secrets*."""
    table.starts(3)
    table.ada.bids(33)
    assert table.view("ada").mine == {"bid_influence": {"kind": "bid_influence", "points": 33}}
    for viewer in ("bob", "cid", None):
        seen = table.view(viewer)
        assert seen.mine == {}
        assert {player.bid for player in seen.players} == {None}
        assert seen.player(0).state == "submitted"
    assert table.events("bid_revealed") == []
    table.clock_runs_out()
    assert table.view("bob").player(0).bid == 33


# --- the first turn


def test_the_first_turn_has_no_start_no_tranches_no_options_and_no_shorts(table: Table) -> None:
    """S 4.3, 4.1: phase by phase."""
    table.starts(2).clock_runs_out()
    assert table.phases == ["influence_bid", "influence_resolve", "stock_orders"]
    table.clock_runs_out()
    assert table.phases[3:10] == [
        "stock_results",
        "production",
        "price_adjustment",
        "capital_gains",
        "divestment",
        "end_turn",
        "start_turn",
    ]
    assert table.phase == "start_turn"
    assert table.state.turn == 2


def test_a_company_floated_in_the_first_turn_operates_and_sells_nothing(table: Table) -> None:
    """S 4.3: demand 0, a throughput of |3 - 0| costs two steps and the operating cost of 20, nothing is paid out."""
    table.at("stock_orders", turn=1).company("BOLT", status="inactive", price=60, treasury=600).cash_is(ada=900)
    table.ada.buys("BOLT", 6, at="ipo")
    table.play_to("company_vote")
    assert (table.status("BOLT"), table.price("BOLT"), table.treasury("BOLT")) == ("active", 51, 580)
    assert (table.of("BOLT").revenue, table.of("BOLT").choice) == (0, "")
    assert "revenue_vote" not in table.phases
    assert "revenue_distribution" not in table.phases


# --- the start of a turn


def test_the_poorest_comes_first(table: Table) -> None:
    """S 7.8: ascending net worth."""
    table.at("start_turn", just_before=True, sectors={"energy": {}}).cash_is(ada=500, bob=100, cid=300).play_on()
    assert table.in_priority() == ["bob", "cid", "ada"]


def test_equal_worths_keep_their_order(table: Table) -> None:
    """S 7.8, A70: last turn's relative order."""
    table.at("start_turn", just_before=True, sectors={"energy": {}}).cash_is(ada=300, bob=300, cid=200).priority(
        "cid", "bob", "ada"
    ).play_on()
    assert table.in_priority() == ["cid", "bob", "ada"]


def test_worth_counts_shares_margins_and_what_covering_costs(table: Table) -> None:
    """Decision *net worth*: cash + shares + margin - cover cost; INACTIVE shares at the stock price (A71 detail)."""
    table.at("start_turn", just_before=True, sectors={"energy": {}})
    table.company("BOLT", price=60).company("IDLE", status="inactive", price=55, ipo_price=20)
    table.cash_is(ada=100, bob=260, cid=200).holdings("BOLT", ada=2).holdings("IDLE", cid=1)
    table.short("bob", "BOLT", 2, 47)
    table.play_on()
    worths = {name: table.view().player(table.seat(name)).net_worth for name in table.names}
    assert worths == {"ada": 220, "bob": 260 + 47 - 120, "cid": 255}
    assert table.in_priority() == ["bob", "ada", "cid"]


def test_a_third_turn_opens_a_growth_company_in_the_richest_sector(table: Table) -> None:
    """S 7.8: new company GROWTH, INACTIVE, treasury of ten IPO prices, the sector's base demand +1."""
    three_sectors(table.at("start_turn", just_before=True, turn=3)).company("COAL", price=80)
    table.draws(company_name=["WindFusion"], ipo_price=[31], unit_price=[44]).play_on()
    wind = table.of("WF")
    assert (wind.sector, wind.tier, wind.status, wind.price, wind.unit_price) == (
        "energy",
        "growth",
        "inactive",
        32,
        44,
    )
    assert (table.treasury("WF"), table.places("WF")["ipo"]) == (320, 10)
    assert (table.sector_of("energy").base_demand, table.sector_of("defensive").base_demand) == (3, 2)
    assert len(table.state.companies) == 4


def test_averages_are_exact(table: Table) -> None:
    """R-5: 6.5 beats 6, which a floored average would call a tie for the better sector."""
    three_sectors(table.at("start_turn", just_before=True, turn=6), price=6)
    table.company("NUTS", sector="industrial", price=7)
    table.play_on()
    assert [event.sector for event in table.events("company_opened")] == ["Industrial"]


def test_equal_averages_go_to_the_better_sector_priority(table: Table) -> None:
    """S 7.8."""
    three_sectors(table.at("start_turn", just_before=True, turn=3), price=55)
    table.sector("industrial", priority=1).sector("defensive", priority=2).sector("energy", priority=3)
    table.play_on()
    assert [event.sector for event in table.events("company_opened")] == ["Industrial"]


def test_averages_count_insolvent_companies_and_neither_idle_nor_bankrupt_ones(table: Table) -> None:
    """S 7.8: ACTIVE and INSOLVENT."""
    table.at("start_turn", just_before=True, turn=3).company(
        "COAL", sector="energy", status="insolvent", price=60, treasury=0
    )
    table.company("AGRO", sector="defensive", price=55).company("RICH", sector="defensive", status="inactive", price=98)
    table.company("BOLT", sector="industrial", price=51).company(
        "DEAD", sector="industrial", status="bankrupt", price=600, treasury=0
    )
    table.play_on()
    assert [event.sector for event in table.events("company_opened")] == ["Energy"]


def test_a_sector_without_any_living_company_gets_a_startup_too(table: Table) -> None:
    """S 7.8: both parts in one turn; an idle company keeps its sector alive."""
    table.at("start_turn", just_before=True, turn=3).company("AGRO", sector="defensive", price=55)
    table.company("IDLE", sector="energy", status="inactive").company(
        "DEAD", sector="industrial", status="bankrupt", treasury=0
    )
    table.play_on()
    assert [(event.sector, event.tier) for event in table.events("company_opened")] == [
        ("Consumer Defensive", "Growth"),
        ("Industrial", "Startup"),
    ]
    assert table.sector_of("industrial").base_demand == 3


def test_nothing_floated_means_no_company_in_a_richest_sector(table: Table) -> None:
    """S 7.8: the first part is skipped."""
    three_sectors(table.at("start_turn", just_before=True, turn=3), status="inactive").play_on()
    assert table.events("company_opened") == []


@pytest.mark.parametrize(("turn", "opens"), [(2, 0), (4, 0), (5, 0), (6, 1)])
def test_companies_open_every_third_turn(table: Table, turn: int, opens: int) -> None:
    """S 7.8."""
    three_sectors(table.at("start_turn", just_before=True, turn=turn)).play_on()
    assert len(table.events("company_opened")) == opens


def test_a_ticker_in_use_bars_its_name_from_the_draw(table: Table) -> None:
    """A15 detail: SteelMakers (SM) is not drawn while SafeMarkets (SM) is in play."""
    table.at("start_turn", just_before=True, turn=3, sectors={"energy": {}}).company(
        "SM", name="SafeMarkets", sector="defensive", price=3
    )
    table.company("BOLT", sector="industrial", price=80).draws(company_name=["SteelMakers"])
    with pytest.raises(ValueError, match="not possible"):
        table.play_on()
    table.script["company_name"] = ["BuildTech"]
    table.play_on()
    assert table.of("BT").name == "BuildTech"


def test_the_ipo_discount_is_off_by_default(table: Table) -> None:
    """A71."""
    table.at("start_turn", just_before=True).company("IDLE", status="inactive", price=55).play_on()
    assert table.of("IDLE").ipo_price == 55


def test_the_ipo_discount_lowers_the_ipo_price_of_idle_companies_alone(table: Table) -> None:
    """A71 detail: 5 off, never below 5, the stock price stays; not for the company opened in this very phase."""
    three_sectors(table.at("start_turn", just_before=True, turn=3)).options(ipo_discount=True)
    table.company("IDLE", sector="energy", status="inactive", price=55).company(
        "LAST", sector="energy", status="inactive", price=8
    )
    table.draws(ipo_price=[45]).play_on()
    new = table.of(table.events("company_opened")[0].company)
    assert (table.of("IDLE").ipo_price, table.price("IDLE"), table.of("LAST").ipo_price) == (50, 55, 5)
    assert (table.of("AGRO").ipo_price, new.ipo_price) == (47, new.price)


def test_a_discounted_share_costs_the_ipo_price(table: Table) -> None:
    """A71 detail, S 5.4: the IPO sells at its own price before and after the float."""
    table.at("stock_orders").company("IDLE", status="inactive", price=55, ipo_price=42).cash_is(ada=300)
    table.ada.buys("IDLE", 6, at="ipo")
    table.clock_runs_out()
    assert (table.ada.cash, table.status("IDLE"), table.price("IDLE")) == (300 - 252, "active", 55)


def test_a_new_turn_forgets_last_turns_income_and_ended_orders(table: Table) -> None:
    """Decision *income*: End Turn's review still shows the old turn, the next one starts empty."""
    table.at("end_turn", reviews=True, turn=2).company("BOLT").player("ada", income=90)
    table.limit("ada", "sell", "BOLT", 1, 30).limit("bob", "sell", "BOLT", 1, 30, status="rejected")
    table.play_on()
    assert (table.phase, table.ada.income, table.state.turn) == ("end_turn", 90, 2)
    table.play_on()
    assert (table.phase, table.ada.income, table.state.turn) == ("start_turn", 0, 3)
    assert table.orders() == {"ada": "open"}


def test_a_new_turn_forgets_what_companies_did_in_the_last(table: Table) -> None:
    """S 7.8: production, revenue, choice and frozen moves belong to one turn; slots and demand stay."""
    table.at("start_turn", just_before=True, turn=4).company(
        "COAL", sector="energy", price=60, filled=1, temporary_demand=2
    )
    table.company("COAL", produced=3, sold=2, revenue=100, choice="full", frozen_moves=2).play_on()
    coal = table.of("COAL")
    assert (coal.produced, coal.sold, coal.revenue, coal.choice, coal.frozen_moves) == (0, 0, 0, "", 0)
    assert (coal.filled, coal.temporary_demand) == (1, 2)
