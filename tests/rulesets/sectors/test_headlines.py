"""Headlines: offered, pledged for in secret, paid and carried out. (S 1.10, A12, A13)"""

import pytest

from tests.rulesets.sectors.table import Table


@pytest.fixture
def news(table: Table) -> Table:
    """Turn 2, three sectors in the order defensive, energy, industrial."""
    return table.at("start_turn", sectors={"defensive": {}, "energy": {}, "industrial": {}}).company(
        "HELIO", sector="energy"
    )


def test_three_headlines_come_with_the_second_turn(news: Table) -> None:
    """S 1.10: a move of 1 costs 30, of 2 it costs 50; duplicates are allowed."""
    news.at("start_turn", just_before=True).draws(
        headline_delta=[1, -2, 1], headline_sector=["energy", "defensive", "energy"]
    ).play_on()
    seen = [(h.slot, h.sector, h.move, h.cost) for h in news.view("bob").headlines]
    assert seen == [(1, "energy", 1, 30), (2, "defensive", -2, 50), (3, "energy", 1, 30)]


def test_a_full_row_loses_its_first_headline(news: Table) -> None:
    """S 1.10, A12."""
    news.at("start_turn", just_before=True, turn=4).headlines(("energy", 1), ("defensive", 2), ("industrial", -1))
    news.draws(headline_delta=[-2], headline_sector=["energy"]).play_on()
    assert [(h.sector, h.move) for h in news.view().headlines] == [("defensive", 2), ("industrial", -1), ("energy", -2)]


def test_the_rest_moves_up_and_empty_slots_are_filled(news: Table) -> None:
    """A12: with a middle slot sold nothing is discarded."""
    news.at("start_turn", just_before=True, turn=4).headlines(("energy", 1), None, ("industrial", -1))
    news.draws(headline_delta=[2], headline_sector=["defensive"]).play_on()
    assert [(h.sector, h.move) for h in news.view().headlines] == [("energy", 1), ("industrial", -1), ("defensive", 2)]
    lines = [(event.slot, event.sector, event.move, event.cost) for event in news.events("headline_offered")]
    assert lines == [(3, "Consumer Defensive", 2, 50)]


@pytest.mark.parametrize(
    ("sector", "move", "order"),
    [
        ("industrial", 1, ["defensive", "industrial", "energy"]),
        ("industrial", 2, ["industrial", "defensive", "energy"]),
        ("defensive", -1, ["energy", "defensive", "industrial"]),
        ("defensive", -2, ["energy", "industrial", "defensive"]),
        ("energy", 2, ["energy", "defensive", "industrial"]),
        ("energy", -2, ["defensive", "industrial", "energy"]),
        ("defensive", 2, ["defensive", "energy", "industrial"]),
        ("industrial", -1, ["defensive", "energy", "industrial"]),
    ],
)
def test_a_paid_headline_moves_its_sector(news: Table, sector: str, move: int, order: list[str]) -> None:
    """S 1.10: positive is earlier, clamped to the sectors there are, the others shift by one."""
    news.headlines((sector, move))
    news.ada.pledges(1)
    news.clock_runs_out()
    assert news.sector_order() == order
    assert [news.sector_of(key).priority for key in order] == [1, 2, 3]
    assert news.state.headlines == [None]


def test_the_cost_is_split_and_the_rest_forgiven(news: Table) -> None:
    """S 1.10: 50 among three is 16 each; the bank gets 48."""
    news.headlines(("industrial", 2))
    for name in news.names:
        news.asks(name, "pledge_headline", headline=1)
    news.clock_runs_out()
    assert news.cash() == {"ada": 284, "bob": 284, "cid": 284}
    assert (news.bank, news.paid("headline")) == (7548, 48)


def test_a_payer_without_money_falls_out_and_the_others_share_anew(news: Table) -> None:
    """A13: 50 among three is 16, too much for cid; among two it is 25, too much for bob; ada pays 50."""
    news.seats("ada", "bob", "cid", "dan").cash_is(bob=20, cid=12).headlines(("industrial", 2), ("energy", 1))
    for name in ("ada", "bob", "cid"):
        news.asks(name, "pledge_headline", headline=1)
    news.clock_runs_out()
    assert [(news.names[e.seat], e.share, e.cash) for e in news.events("pledge_dropped")] == [
        ("cid", 16, 12),
        ("bob", 25, 20),
    ]
    assert news.cash() == {"ada": 250, "bob": 20, "cid": 12, "dan": 300}
    assert news.sector_order()[0] == "industrial"


def test_a_headline_whose_payers_are_all_dropped_stays_unsold(news: Table) -> None:
    """A13."""
    news.cash_is(ada=20).headlines(("industrial", 2), ("energy", 1))
    news.ada.pledges(1)
    news.clock_runs_out()
    assert news.ada.cash == 20
    assert news.sector_order() == ["defensive", "energy", "industrial"]
    assert len(news.view().headlines) == 2


def test_a_pledge_needs_the_smallest_possible_share(news: Table) -> None:
    """A13: floor(50 / 3) = 16."""
    news.cash_is(ada=15, bob=16).headlines(("industrial", 2), ("energy", 1))
    with news.refuses("A13", "at least 16 to pledge (the cost split 3 ways)", "you have 15"):
        news.ada.pledges(1)
    news.ada.pledges(2)
    news.bob.pledges(1)


def test_two_identical_headlines_both_work_in_ascending_slots(news: Table) -> None:
    """S 1.10: duplicates are allowed, each with its own payers."""
    news.headlines(("industrial", 1), ("energy", -1), ("industrial", 1))
    news.ada.pledges(1)
    news.bob.pledges(3)
    news.clock_runs_out()
    assert news.cash() == {"ada": 270, "bob": 270, "cid": 300}
    assert news.sector_order() == ["industrial", "defensive", "energy"]
    assert [headline and headline.sector for headline in news.state.headlines] == [None, "energy", None]


def test_opposite_headlines_are_carried_out_one_after_another(news: Table) -> None:
    """S 1.10: slot 1 first; clamped at the front it moves nothing, then slot 2 throws it back."""
    news.headlines(("defensive", 2), ("defensive", -1))
    news.ada.pledges(2)
    news.bob.pledges(1)
    news.clock_runs_out()
    assert [event.priority for event in news.events("headline_paid")] == [1, 2]
    assert news.sector_order() == ["energy", "defensive", "industrial"]


def test_one_pledge_a_player_replaced_or_withdrawn(news: Table) -> None:
    """S 1.10, *revise*: the last one counts."""
    news.headlines(("industrial", 2), ("energy", 1))
    news.ada.pledges(1)
    news.ada.pledges(2)
    news.bob.pledges(1)
    news.bob.withdraws("pledge_headline")
    news.clock_runs_out()
    assert news.cash() == {"ada": 270, "bob": 300, "cid": 300}
    assert news.sector_order() == ["energy", "defensive", "industrial"]


def test_an_empty_or_missing_slot_is_refused(news: Table) -> None:
    """S 1.10."""
    news.headlines(("industrial", 2), None, ("energy", 1))
    with news.refuses("S 1.10", "no headline in slot 2"):
        news.ada.pledges(2)
    with news.refuses("S 5.1"):
        news.ada.pledges(4)


def test_pledges_are_secret(news: Table) -> None:
    """*secrets*, A13: nobody else sees which headline is pledged for."""
    news.headlines(("industrial", 2), ("energy", 1))
    before = {viewer: news.view(viewer) for viewer in ("bob", "cid", None)}
    news.ada.pledges(2)
    assert news.view("ada").mine["pledge_headline"]["headline"] == 2
    for viewer, seen in before.items():
        now = news.view(viewer)
        assert now.mine == {}
        assert now.headlines == seen.headlines
        assert now.player(0).state == "submitted"


def test_who_cannot_pay_for_any_headline_is_not_waited_for(news: Table) -> None:
    """S 4.4: a seat without a real choice is ready by itself."""
    news.cash_is(ada=9, bob=9, cid=10).headlines(("energy", 1))
    news.cid.is_ready()
    assert news.phase != "start_turn"
