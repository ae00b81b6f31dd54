"""Tranches: offered every third turn, voted for in secret, shared out by their winners. (S 1.9, 7.9)"""

import pytest

from tests.rulesets.sectors.table import Table


@pytest.fixture
def fair(table: Table) -> Table:
    """Turn 3 with three pools among four players."""
    table.at("tranche_vote", turn=3).seats("ada", "bob", "cid", "dan")
    table.company("COAL", sector="energy").company("WIND", sector="energy").company("CARE", sector="healthcare")
    table.company("IDLE", sector="energy", status="inactive").company(
        "DEAD", sector="energy", status="bankrupt", treasury=0
    )
    table.tranche("energy", cash=40, prestige=1).tranche("healthcare", cash=9, prestige=1)
    return table.tranche("energy", cash=51)


def vote(table: Table, **votes: int) -> Table:
    for name, number in votes.items():
        table.asks(name, "vote_tranche", tranche=number)
    return table.clock_runs_out()


# --- the offer


def test_pools_are_drawn_at_the_start_of_the_turn(table: Table) -> None:
    """S 1.9: the pot is 100, a draw is of what remains less 1, the last pool takes the rest; two tokens in all."""
    table.at("start_turn", just_before=True, turn=3, sectors={"energy": {}, "healthcare": {}}).seat_count(5)
    table.draws(tranche_sectors=[["healthcare", "energy"]], tranche_cash=[60, 39, 0]).play_on()
    seen = [(t.sector, t.cash, t.prestige, t.ability) for t in table.view("ada").tranches]
    assert seen == [
        ("healthcare", 60, 1, "Regulatory Shield"),
        ("energy", 39, 1, "Carbon Credit"),
        ("healthcare", 0, 0, "Regulatory Shield"),
        ("energy", 1, 0, "Carbon Credit"),
    ]


@pytest.mark.parametrize("draws", [[100], [40, 60]])
def test_a_draw_never_takes_all_that_remains(table: Table, draws: list[int]) -> None:
    """S 1.9: 0 to remaining - 1."""
    table.at("start_turn", just_before=True, turn=3, sectors={"energy": {}}).seat_count(4).draws(tranche_cash=draws)
    with pytest.raises(ValueError, match="not possible"):
        table.play_on()


@pytest.mark.parametrize(("turn", "pools"), [(2, 0), (3, 2), (4, 0), (6, 2)])
def test_tranches_come_every_third_turn(table: Table, turn: int, pools: int) -> None:
    """S 1.9: 3, 6, 9, …"""
    table.at("start_turn", just_before=True, turn=turn, sectors={"energy": {}}).play_on()
    assert len(table.state.tranches) == pools
    table.clock_runs_out()
    assert (table.phase == "tranche_vote") == (pools > 0)


# --- the vote


def test_a_single_vote_wins_and_two_win_nothing(fair: Table) -> None:
    """S 7.9."""
    vote(fair, ada=1, bob=2, cid=2)
    assert [pool.winner for pool in fair.state.tranches] == [0, None, None]
    assert fair.phase == "tranche_distribution"
    fair.clock_runs_out()
    assert fair.cash() == {"ada": 340, "bob": 300, "cid": 300, "dan": 300}
    assert fair.phase == "stock_orders"


def test_nothing_won_skips_the_distribution(fair: Table) -> None:
    """S 4.1: phases 6 and 7 are skipped when no pool was won."""
    vote(fair, ada=1, bob=1)
    assert fair.phases == ["tranche_vote_resolve", "stock_orders"]


def test_all_pools_won_double_their_cash(fair: Table) -> None:
    """S 7.9, 1.9: the bank pays 200 instead of 100; it is income."""
    vote(fair, ada=1, bob=2, cid=3)
    assert [pool.cash for pool in fair.state.tranches] == [80, 18, 102]
    fair.clock_runs_out()
    assert fair.cash() == {"ada": 380, "bob": 318, "cid": 402, "dan": 300}
    assert (fair.bank, fair.paid("tranche")) == (7300, 200)
    assert fair.state.incomes == [80, 18, 102, 0]


def test_one_vote_a_player_the_last_one_counts(fair: Table) -> None:
    """S 7.9, *revise*."""
    fair.ada.votes_for_tranche(1)
    fair.ada.votes_for_tranche(3)
    fair.bob.votes_for_tranche(2)
    fair.bob.withdraws("vote_tranche")
    fair.clock_runs_out()
    assert [pool.winner for pool in fair.state.tranches] == [None, None, 0]


def test_a_late_withdrawal_of_a_pledge_leaves_the_tranche_vote(fair: Table) -> None:
    """*slots of sealed inputs*."""
    fair.ada.votes_for_tranche(3)
    for late in ("pledge_headline", "bid_influence", "order", ""):
        with fair.refuses("revise", "submitted nothing"):
            fair.ada.withdraws(late)
    fair.clock_runs_out()
    assert [pool.winner for pool in fair.state.tranches] == [None, None, 0]


def test_there_is_no_fourth_pool(fair: Table) -> None:
    with fair.refuses("S 7.9", "There is no tranche 4. Tranches this turn: 3."):
        fair.ada.votes_for_tranche(4)


def test_votes_are_secret(fair: Table) -> None:
    """*secrets*."""
    fair.ada.votes_for_tranche(3)
    for viewer in ("bob", None):
        seen = fair.view(viewer)
        assert (seen.mine, seen.player(0).state) == ({}, "submitted")
        assert [tranche.winner for tranche in seen.tranches] == [None, None, None]


# --- the distribution


def test_cash_goes_where_the_winner_says_and_the_rest_to_him(fair: Table) -> None:
    """S 7.9, A73: cash in any split among all; it is the receiver's income."""
    vote(fair, ada=1)
    fair.ada.distributes(bob=25, dan=5)
    fair.clock_runs_out()
    assert fair.cash() == {"ada": 310, "bob": 325, "cid": 300, "dan": 305}
    assert fair.state.incomes == [10, 25, 0, 5]
    assert fair.money_is_conserved()


def test_prestige_and_ability_go_to_companies_of_the_sector(fair: Table) -> None:
    """A72: any but a bankrupt one, an INACTIVE company too; two different ones if he likes."""
    vote(fair, ada=1)
    fair.ada.distributes(prestige_to="IDLE", ability_to="WIND")
    fair.clock_runs_out()
    assert (fair.of("IDLE").prestige, fair.view().company("WIND").abilities) == (1, ("Carbon Credit",))


def test_prizes_not_given_are_lost(fair: Table) -> None:
    """A73."""
    vote(fair, ada=1).clock_runs_out()
    assert [company.prestige for company in fair.state.companies.values()] == [0] * 5
    assert all(company.abilities == () for company in fair.view().companies)


def test_the_last_pool_to_give_an_ability_decides_who_keeps_it(fair: Table) -> None:
    """A72: pools resolve in ascending order; one holder a sector (S 6.11)."""
    vote(fair, ada=3, bob=1)
    fair.ada.distributes(ability_to="WIND")
    fair.bob.distributes(ability_to="COAL")
    fair.clock_runs_out()
    holders = [company.ticker for company in fair.view().companies if company.abilities]
    assert holders == ["WIND"]


def test_an_ability_leaves_its_old_holder(fair: Table) -> None:
    """S 6.11."""
    fair.company("COAL", abilities=["carbon_credit"])
    vote(fair, ada=1)
    fair.ada.distributes(ability_to="WIND")
    fair.clock_runs_out()
    assert [company.ticker for company in fair.view().companies if company.abilities] == ["WIND"]


def test_what_a_winner_may_not_give(fair: Table) -> None:
    """S 7.9, 1.9, A72."""
    vote(fair, ada=1, cid=3)
    with fair.refuses("S 7.9", "has 40 in cash; you gave away 41"):
        fair.ada.distributes(bob=41)
    with fair.refuses("A72", "CARE is not in "):
        fair.ada.distributes(ability_to="CARE")
    with fair.refuses("S 5.1", "DEAD is bankrupt"):
        fair.ada.distributes(ability_to="DEAD")
    with fair.refuses("S 1.9", "no prestige"):
        fair.cid.distributes(prestige_to="COAL")
    with fair.refuses("S 5.1", "no company NOPE"):
        fair.ada.distributes(prestige_to="NOPE")
    with fair.refuses("S 7.9", "no seat 9"):
        fair.ada.asks("distribute_tranche", cash={"9": 1})
    with fair.refuses("S 4.4 phase 6"):
        fair.bob.distributes(ada=1)


def test_wishes_are_secret(fair: Table) -> None:
    """*secrets*."""
    vote(fair, ada=1, bob=2)
    fair.ada.distributes(prestige_to="COAL", bob=40)
    for viewer in ("bob", None):
        seen = fair.view(viewer)
        assert seen.mine == {}
        assert seen.company("COAL").prestige == 0
    fair.clock_runs_out()
    assert fair.view().company("COAL").prestige == 1


def test_only_winners_are_waited_for(fair: Table) -> None:
    """S 4.4 phase 6."""
    vote(fair, ada=1)
    fair.ada.is_ready()
    assert fair.phase == "stock_orders"


def test_a_wish_serves_its_own_turn_only(fair: Table) -> None:
    """A73: in turn 6 the winner who says nothing keeps the cash; in between there are no tranches."""
    fair.draws(tranche_cash=[50, 30])
    vote(fair, ada=1)
    fair.ada.distributes(bob=40)
    fair.clock_runs_out().play_to("start_turn")
    assert (fair.state.turn, fair.view().tranches) == (4, ())
    fair.play_to("tranche_vote")
    vote(fair, ada=1).clock_runs_out()
    assert [(event.giver, event.seat, event.amount) for event in fair.events("tranche_paid")] == [
        (0, 1, 40),
        (0, 0, 50),
    ]
