"""What the board shows of a position: players, companies, sectors, the track and the sequence of play."""

from __future__ import annotations

import pytest

from game.engine import referee
from game.engine.chance import Chance
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.ruleset import SECTORS
from tests.rulesets.sectors.table import Table


@pytest.fixture
def board(table: Table) -> Table:
    """ACME of energy, floated and busy; IDLE of technology, not floated; ada, bob and cid in the order cid, ada,
    bob."""
    table.at("stock_orders", turn=3, sub_round=2).priority("cid", "ada", "bob")
    table.company(
        "ACME",
        sector="energy",
        price=47,
        ipo_price=40,
        unit_price=12,
        tier="established",
        treasury=321,
        prestige=4,
        has_loan=True,
    )
    table.company("ACME", base_demand=3, temporary_demand=2, temporary_supply=1).ipo_holds(ACME=1).market_holds(ACME=3)
    table.company("IDLE", sector="technology", status="inactive", price=60, ipo_price=55)
    table.holdings("ACME", ada=4, cid=2).holdings("IDLE", bob=1)
    table.sector("energy", priority=2, base_demand=5, temporary_demand=2, consumers=6).sector("technology", priority=1)
    return table


def test_players_in_their_priority(board: Table) -> None:
    """S 7.8: numbered from 1, with what everybody may know."""
    board.player("ada", income=70)
    seen = [(p.seat, p.priority, p.cash, p.certificates, p.holdings, p.income) for p in board.view().players]
    assert seen == [(2, 1, 300, 2, {"ACME": 2}, 0), (0, 2, 300, 4, {"ACME": 4}, 70), (1, 3, 300, 1, {"IDLE": 1}, 0)]
    worth = {player.seat: player.net_worth for player in board.view().players}
    assert worth == {0: 300 + 4 * 47, 1: 300 + 60, 2: 300 + 2 * 47}


def test_only_the_own_line_is_yours(board: Table) -> None:
    assert [player.seat for player in board.view("bob").players if player.is_you] == [1]
    assert not [player.seat for player in board.view().players if player.is_you]
    own = next(player for player in board.view("bob").players if player.is_you)
    assert (own.limit_actions, own.short_actions) == (5, 2)


def test_bids_are_shown_once_they_are_resolved(table: Table) -> None:
    """S 1.5: not while phase 1 is open, and from then on for good."""
    table.starts(2)
    table.bob.bids(20)
    assert [player.bid for player in table.view("bob").players] == [None, None]
    table.clock_runs_out()
    assert {player.seat: player.bid for player in table.view().players} == {0: 0, 1: 20}


def test_bids_are_shown_while_their_result_is_reviewed() -> None:
    """A19: phase 2 shows what it resolved."""
    chance = Chance("a review of bids")
    position = referee.close(
        SECTORS, referee.start(SECTORS, Options(), 2, chance, reviews=True).position, chance
    ).position
    view = SECTORS.view(position, None)
    assert view.phase is not None
    assert (view.phase.name, [player.bid for player in view.players]) == ("influence_resolve", [0, 0])


def test_a_new_game_has_all_shares_in_its_ipos(table: Table) -> None:
    """S 1.3."""
    places = {(c.ipo, c.market, c.aside, c.existing) for c in table.starts(3).view().companies}
    assert places == {(10, 0, 0, 10)}


def test_a_sector_with_its_companies(board: Table) -> None:
    """S 7.7: in sector priority; what it draws is base and temporary demand together."""
    technology, energy = board.view().sectors
    assert (technology.key, energy.key, technology.priority, energy.priority) == ("technology", "energy", 1, 2)
    assert (energy.demand, energy.base_demand, energy.temporary_demand, energy.consumers) == (7, 5, 2, 6)
    assert [company.ticker for company in energy.companies] == ["ACME"]


def test_a_company_with_its_figures(board: Table) -> None:
    """S 6.1, 6.2."""
    acme = board.view().company("ACME")
    assert (acme.price, acme.ipo_price, acme.unit_price, acme.treasury, acme.prestige, acme.has_loan) == (
        47,
        40,
        12,
        321,
        4,
        True,
    )
    assert (acme.ipo, acme.market, acme.aside, acme.existing, acme.cap, acme.holdings) == (1, 3, 0, 10, 6, {0: 4, 2: 2})
    assert (acme.demand, acme.base_demand, acme.temporary_demand) == (5, 3, 2)
    assert (acme.tier_title, acme.actions, acme.shortfall, acme.tier_supply) == ("Established", 2, 400, 5)
    assert (acme.supply, acme.temporary_supply) == (6, 1)
    assert (acme.throughput, acme.throughput_steps, acme.operating_cost) == (1, 0, 50)
    assert (acme.is_floated, acme.float_needs, acme.is_acting, acme.has_acted, acme.contributed) == (
        True,
        0,
        False,
        False,
        0,
    )


def test_an_idle_company_says_what_it_needs_to_float(board: Table) -> None:
    """S 5.4: technology floats at half of its shares, here five; one is sold."""
    idle = board.view().company("IDLE")
    percent = next(sector.float_percent for sector in board.view().sectors if sector.key == "technology")
    assert (idle.is_floated, idle.float_needs) == (False, percent // 10 - 1)


def test_bankrupt_companies_stand_last(board: Table) -> None:
    board.company("ABLE", sector="energy", status="bankrupt", unit_price=1)
    energy = board.view().sectors[1]
    assert [company.ticker for company in energy.companies] == ["ACME", "ABLE"]
    assert not energy.companies[1].is_floated


def test_the_company_that_acts_and_those_that_have(table: Table) -> None:
    """S 6.7."""
    for ticker in ("ACME", "BOLT", "COAL"):
        table.company(ticker, price=47).holdings(ticker, ada=6)
    view = table.at("company_vote", queue=["COAL", "ACME", "BOLT"], acted=["COAL"]).view()
    assert (view.acting, view.queue) == ("ACME", ("COAL", "ACME", "BOLT"))
    assert [company.ticker for company in view.companies if company.is_acting] == ["ACME"]
    assert [company.ticker for company in view.companies if company.has_acted] == ["COAL"]
    assert view.phase is not None
    assert view.phase.company == "ACME"


def test_what_an_insolvent_company_has_been_given(table: Table) -> None:
    """S 6.12: of the company that asks only."""
    for ticker in ("ACME", "BOLT"):
        table.company(ticker, price=47, status="insolvent", tier="startup").holdings(ticker, ada=6)
    table.at("contributions", queue=["ACME", "BOLT"]).ada.contributes(cash=30)
    assert {company.ticker: company.contributed for company in table.view().companies} == {"ACME": 30, "BOLT": 0}


def test_outside_the_company_phases_no_company_acts(board: Table) -> None:
    view = board.view()
    assert (view.acting, view.queue) == (None, ())
    assert view.phase is not None
    assert (view.phase.name, view.phase.company, view.phase.sub_round) == ("stock_orders", None, 3)


def test_the_rail_tells_what_was_what_is_and_what_comes(board: Table) -> None:
    """S 4.1: rounds take the state of their phases."""
    rail = {group.name: group.state for group in board.view().rail}
    assert (rail["stock"], rail["operating"], rail["upkeep"]) == ("now", "todo", "todo")
    stock = next(group for group in board.view().rail if group.name == "stock")
    states = {phase.name: phase.state for phase in stock.phases}
    assert (states["stock_orders"], states["market_orders"], states["limit_settlement"]) == ("now", "todo", "skip")
    assert {phase.name for phase in stock.phases if phase.waits} == {"stock_orders", "cover_shorts", "exercise_options"}


def test_a_round_played_this_turn_is_done(table: Table) -> None:
    """S 4.1: one of whose phases was played; another of which none was is skipped."""
    table.at("stock_orders", turn=4).company("ACME", price=47, unit_price=10, base_demand=3).holdings("ACME", ada=6)
    rail = {group.name: group.state for group in table.play_to("company_vote").view().rail}
    assert (rail["stock"], rail["operating"], rail["tranches"]) == ("done", "now", "skip")


def test_the_head_of_the_board(board: Table) -> None:
    board.with_(economy=13, bank=777, pool=40).options(consumers=46, max_turns=11)
    view = board.view("ada")
    assert (view.seat, view.turn, view.max_turns, view.edition, view.economy, view.bank, view.pool) == (
        0,
        3,
        11,
        2,
        13,
        777,
        40,
    )
    assert (view.bank_broke, view.economy_moves, view.certificate_limit, view.end, view.standings) == (
        False,
        False,
        19,
        "",
        (),
    )


def test_the_economy_moves_once_every_sector_has_floated(board: Table) -> None:
    """R-20."""
    assert board.sector("technology", has_floated=True).view().economy_moves


def test_the_end_is_told_at_the_end(table: Table) -> None:
    """S 4.5."""
    table.company("ACME", price=47).holdings("ACME", ada=2).at("end_turn", turn=8).clock_runs_out()
    view = table.view()
    assert (view.end, view.phase) == ("turns", None)
    assert [(standing.seat, standing.place) for standing in view.standings] == [(0, 1), (1, 2), (2, 2)]


def test_contracts_count_their_turns_once_they_are_owned(table: Table) -> None:
    """S 5.7."""
    table.at("stock_orders").company("ACME", price=47).contract("ACME", term=3, strike=60)
    table.contract("ACME", term=3, strike=60, owner="ada", age=1)
    assert [(contract.owner, contract.turns_left) for contract in table.view().contracts] == [(None, None), (0, 2)]


def test_own_inputs_are_shown_to_their_owner_as_they_would_be_sent(board: Table) -> None:
    board.ada.buys("ACME", 2)
    sent = {"kind": "market_order", "company": "ACME", "side": "buy", "location": "market", "quantity": 2}
    assert board.view("ada").mine == {"order": sent}
    assert board.view("bob").mine == board.view().mine == {}


def test_who_is_ready_sees_it(board: Table) -> None:
    board.ada.is_ready()
    assert (board.view("ada").is_ready, board.view("bob").is_ready, board.view().is_ready) == (True, False, False)
    assert {player.seat: player.state for player in board.view().players} == {
        0: "ready",
        1: "untouched",
        2: "untouched",
    }


def test_tranches_and_headlines_are_numbered_from_one(table: Table) -> None:
    """S 1.10, 7.9: an empty headline slot keeps its number."""
    table.at("tranche_vote", turn=3).company("ACME", sector="energy").headlines(("energy", 1), None, ("energy", -2))
    view = table.tranche("energy", cash=60, prestige=2).tranche("energy", cash=40).view()
    assert [(pool.number, pool.cash, pool.prestige, pool.winner) for pool in view.tranches] == [
        (1, 60, 2, None),
        (2, 40, 0, None),
    ]
    assert [(headline.slot, headline.move, headline.cost) for headline in view.headlines] == [(1, 1, 30), (3, -2, 50)]


def test_while_an_action_is_looked_at_its_company_is_the_one_that_acts(table: Table) -> None:
    """S 6.7: also after the last one."""
    for ticker in ("ACME", "BOLT"):
        table.company(ticker, price=47, treasury=500).holdings(ticker, ada=6)
    table.at("company_vote", queue=["ACME", "BOLT"], acting="ACME", reviews=True)
    for ticker in ("ACME", "BOLT"):
        view = table.play_to("company_action").view()
        assert view.phase is not None
        assert (view.acting, view.phase.company, view.queue) == (ticker, ticker, ("ACME", "BOLT"))
        assert (view.company(ticker).is_acting, view.company(ticker).has_acted) == (True, True)
        table.clock_runs_out()


def test_no_company_acts_before_its_phase(table: Table) -> None:
    """R-2: the order is locked in phase 24, and nobody votes yet."""
    view = (
        table.company("ACME", price=47)
        .holdings("ACME", ada=6)
        .at("production", reviews=True)
        .play_to("price_adjustment")
        .view()
    )
    assert (view.queue, view.acting, view.company("ACME").is_acting) == (("ACME",), None, False)
