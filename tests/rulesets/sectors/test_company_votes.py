"""Phases 25 to 27: who votes, which actions are chosen, and how they are carried out one after another."""

from __future__ import annotations

import pytest

from tests.rulesets.sectors.table import Table


def voting(table: Table, tier: str = "startup", treasury: int = 2000, **shares: int) -> Table:
    """ACME's vote is open."""
    table.company("ACME", tier=tier, treasury=treasury).holdings("ACME", **(shares or {"ada": 3, "bob": 2, "cid": 2}))
    return table.at("company_vote", acting="ACME", reviews=True)


def counted(table: Table) -> list[str]:
    """What the vote chose."""
    table.play_to("company_vote_result")
    return list(table.events("company_voted")[-1].selected)


def done(table: Table) -> list[str]:
    """What was carried out in the end."""
    table.play_to("company_action")
    return [event.action for event in table.events("action_done")]


def test_the_most_shares_choose_one_action(table: Table) -> None:
    """S 6.7."""
    voting(table).ada.votes("ACME", "loan")
    table.bob.votes("ACME", "lobby")
    table.cid.votes("ACME", "lobby")
    assert counted(table) == ["lobby"]
    assert [(t.action, t.shares, t.voters) for t in table.events("company_voted")[0].tallies] == [
        ("lobby", 4, (1, 2)),
        ("loan", 3, (0,)),
    ]
    assert done(table) == ["lobby"]


@pytest.mark.parametrize(("tier", "most"), [("startup", 1), ("established", 2), ("enterprise", 2), ("titan", 3)])
def test_a_tier_takes_so_many_different_actions(table: Table, tier: str, most: int) -> None:
    """S 1.4, 6.7."""
    voting(table, tier)
    wanted = ["loan", "lobby", "expansion" if tier != "titan" else "downsize"]
    if most < 3:
        with table.refuses("S 6.7", f"up to {most} different"):
            table.ada.votes("ACME", *wanted[: most + 1])
    with table.refuses("S 6.7"):
        table.ada.votes("ACME", *["loan"] * 2)
    table.ada.votes("ACME", *wanted[:most])
    assert sorted(counted(table)) == sorted(wanted[:most])


def test_actions_are_carried_out_most_shares_first(table: Table) -> None:
    """S 6.7: the loan pays for what follows."""
    voting(table, "established", treasury=100)
    table.ada.votes("ACME", "expansion", "loan")
    table.bob.votes("ACME", "loan")
    assert done(table) == ["loan", "expansion"]
    assert table.treasury("ACME") == 50


@pytest.mark.parametrize(("priority", "first"), [(("bob", "cid", "ada"), "lobby"), (("cid", "bob", "ada"), "loan")])
def test_a_tie_goes_to_the_action_with_the_best_placed_voter(
    table: Table, priority: tuple[str, ...], first: str
) -> None:
    """A45."""
    voting(table, bob=2, cid=2, ada=1).priority(*priority)
    table.bob.votes("ACME", "lobby")
    table.cid.votes("ACME", "loan")
    table.ada.votes("ACME", "small_marketing")
    assert counted(table) == [first]


def test_the_last_tie_is_the_order_of_the_table(table: Table) -> None:
    """A45: one voter, three actions, two places: 6.9, then 6.10, Extract, Manufacture."""
    voting(table, "titan", ada=3)
    table.ada.votes("ACME", "rapid_expansion", "veto", "small_marketing")
    assert counted(table) == ["small_marketing", "rapid_expansion"]
    actions = [tally.action for tally in table.events("company_voted")[0].tallies]
    assert actions == ["small_marketing", "veto", "rapid_expansion"]


def test_nobody_votes_is_a_veto_with_its_discount(table: Table) -> None:
    """S 6.7."""
    voting(table)
    assert counted(table) == ["veto"]
    assert done(table) == ["veto"]
    assert table.view().company("ACME").operating_cost == 10


def test_a_veto_that_ranks_first_is_alone(table: Table) -> None:
    """VETO, A46."""
    voting(table, "established")
    table.ada.votes("ACME", "veto")
    table.bob.votes("ACME", "loan", "lobby")
    assert counted(table) == ["veto"]
    assert done(table) == ["veto"]


def test_a_veto_in_any_other_rank_uses_no_place(table: Table) -> None:
    """VETO: struck from second place, the third moves up and there is no discount."""
    voting(table, "established", ada=3, bob=2, cid=1)
    table.ada.votes("ACME", "loan")
    table.bob.votes("ACME", "veto")
    table.cid.votes("ACME", "lobby")
    assert counted(table) == ["loan", "lobby"]
    assert done(table) == ["loan", "lobby"]
    assert table.of("ACME").modifiers == []


def test_a_first_choice_that_fails_does_nothing_and_brings_no_veto_back(table: Table) -> None:
    """VETO detail, A47: no effect, no cost, no discount."""
    voting(table, treasury=150)
    table.ada.votes("ACME", "research")
    table.bob.votes("ACME", "veto")
    assert done(table) == []
    (failed,) = table.events("action_failed")
    assert (failed.action, failed.rule) == ("research", "S 6.7")
    assert (table.treasury("ACME"), table.of("ACME").modifiers, table.of("ACME").cards) == (150, [], [])


def test_what_fails_leaves_the_others_their_turn(table: Table) -> None:
    """A47."""
    voting(table, "established", treasury=120)
    table.ada.votes("ACME", "expansion", "small_marketing")
    table.bob.votes("ACME", "expansion")
    assert done(table) == ["small_marketing"]


def test_an_action_that_takes_the_last_dollar_drops_the_rest(table: Table) -> None:
    """A48: even a free one; help is asked for the next time the company would act."""
    voting(table, "established", treasury=150)
    table.ada.votes("ACME", "lobby", "increase_unit_price")
    table.bob.votes("ACME", "lobby")
    assert done(table) == ["lobby"]
    assert (table.status("ACME"), table.of("ACME").unit_price) == ("insolvent", 50)
    table.clock_runs_out()
    assert table.phase == "capital_gains"
    table.play_to("contributions")
    assert (table.state.turn, table.state.acted) == (3, [])


def test_insolvency_is_tested_after_the_whole_effect(table: Table) -> None:
    """A48: the grant arrives before anybody looks."""
    voting(table, treasury=200).with_(deck=["government_grant"]).ada.votes("ACME", "research")
    assert done(table) == ["research"]
    assert (table.status("ACME"), table.treasury("ACME")) == ("active", 500)


def test_a_free_action_never_makes_insolvent(table: Table) -> None:
    """A48."""
    voting(table, treasury=0).ada.votes("ACME", "increase_unit_price")
    assert done(table) == ["increase_unit_price"]
    assert table.status("ACME") == "active"


def test_climbing_a_tier_gives_no_further_action_this_turn(table: Table) -> None:
    """S 6.7: a Growth company acts once even when it becomes Established."""
    voting(table, "growth", ada=3, bob=2)
    table.ada.votes("ACME", "expansion")
    table.bob.votes("ACME", "loan")
    assert done(table) == ["expansion"]
    assert table.of("ACME").tier == "established"


def test_tiered_costs_rise_with_every_company_that_acts(table: Table) -> None:
    """S 6.8: 300, 450, 600, 600; other kinds count apart and sectors together."""
    for place, ticker in enumerate("ABCD"):
        table.company(ticker, treasury=2000, unit_price=10 + place, sector="industrial" if place % 2 else "energy")
        table.holdings(ticker, ada=1)
    table.at("company_vote", acting="A")
    for ticker in "ABCD":
        table.ada.votes(ticker, "large_marketing")
        table.clock_runs_out()
    assert [event.cost for event in table.events("action_done")] == [300, 450, 600, 600]


@pytest.mark.parametrize(
    ("action", "costs"),
    [("large_marketing", [300, 450, 600, 600]), ("lobby", [150, 300, 500, 500]), ("outsource", [200, 300, 400, 400])],
)
@pytest.mark.parametrize("before", range(4))
def test_the_tiered_prices(table: Table, action: str, costs: list[int], before: int) -> None:
    """S 6.8, 6.9."""
    voting(table).with_(executed={action: before}).ada.votes("ACME", action)
    assert done(table) == [action]
    assert table.treasury("ACME") == 2000 - costs[before]


def test_tiered_costs_begin_anew_each_operating_round_and_failures_do_not_count(table: Table) -> None:
    """S 6.8: incremented by execution only."""
    table.company("POOR", treasury=100, unit_price=10).company("RICH", treasury=2000, unit_price=20)
    table.holdings("POOR", ada=1).holdings("RICH", ada=1).at("company_vote", acting="POOR")
    table.ada.votes("POOR", "lobby").votes("RICH", "lobby")
    table.clock_runs_out()
    assert table.state.executed == {}
    table.clock_runs_out().play_to("company_vote")
    assert [event.cost for event in table.events("action_done")] == [150]
    assert table.state.executed == {}


def test_companies_act_in_the_locked_order_whatever_happens_meanwhile(table: Table) -> None:
    """S 6.6: the first one's price change does not move it, nor does an insolvent one come first."""
    table.company("A", unit_price=20).company("B", unit_price=25).company(
        "C", unit_price=30, status="insolvent", treasury=0
    )
    for ticker in "ABC":
        table.holdings(ticker, ada=2)
    table.at("price_adjustment").clock_runs_out()
    table.ada.votes("A", "increase_unit_price")
    table.clock_runs_out()
    assert table.view().acting == "B"
    table.clock_runs_out()
    assert (table.phase, table.view().acting) == ("contributions", "C")


def test_shareholders_vote_and_others_do_not(table: Table) -> None:
    """S 6.7, A30: borrowed shares have no say."""
    voting(table, ada=3).short("bob", "ACME", 2, 47)
    with table.refuses("S 4.4 phase 25"):
        table.bob.votes("ACME", "loan")
    table.ada.is_ready()
    assert table.phase == "company_vote_result"


def test_a_ballot_names_open_actions_only(table: Table) -> None:
    """S 6.9, 6.10."""
    voting(table)
    with table.refuses("S 6.9", "no company action fly"):
        table.ada.votes("ACME", "fly")
    with table.refuses("S 6.10", "Visionary"):
        table.ada.votes("ACME", "visionary")
    with table.refuses("S 6.10", "Manufacture"):
        table.ada.votes("ACME", "manufacture")
    table.ada.votes("ACME", "rapid_expansion")


def two(table: Table) -> Table:
    """A acts, B comes after it; ada and bob hold both."""
    for place, ticker in enumerate("AB"):
        table.company(ticker, unit_price=10 + place, treasury=1000).holdings(ticker, ada=2, bob=1)
    return table.at("company_vote", acting="A")


def test_a_ballot_can_be_cast_ahead_and_counts_when_its_company_acts(table: Table) -> None:
    """Votes: it outlives the first company's phases, can be revised, and is nobody else's to see."""
    two(table).ada.votes("B", "loan").votes("B", "lobby")
    assert table.view("bob").mine == {}
    assert set(table.view("ada").mine) == {"vote_actions B"}
    table.clock_runs_out()
    assert table.view().acting == "B"
    assert table.view("ada").mine["vote_actions B"]["actions"] == ["lobby"]
    table.clock_runs_out()
    assert [event.action for event in table.events("action_done")] == ["veto", "lobby"]


def test_a_ballot_ahead_may_be_ready_and_then_nobody_is_waited_for(table: Table) -> None:
    """Votes."""
    two(table).ada.votes("B", "loan", ready=True)
    table.bob.votes("B", "lobby", ready=True)
    assert not table.view("ada").is_ready
    table.ada.is_ready()
    table.bob.is_ready()
    assert [event.action for event in table.events("action_done")] == ["veto", "loan"]
    assert table.phase != "company_vote"


def test_a_shareholder_of_a_later_company_alone_votes_ahead_without_being_waited_for(table: Table) -> None:
    """Votes: in the same visit, for every later company; the acting company's phase does not wait for it."""
    two(table).holdings("B", cid=2)
    table.cid.votes("B", "loan", ready=True)
    assert table.view().player(table.cid.seat).state == "none"
    assert [offer.fixed["company"] for offer in table.cid.offers()] == ["B"]
    table.clock_runs_out()
    assert table.view("cid").is_ready
    table.clock_runs_out()
    assert [event.action for event in table.events("action_done")] == ["veto", "loan"]


def test_while_one_company_asks_for_help_others_can_be_voted_on_ahead(table: Table) -> None:
    """Votes, S 6.12: a ballot stays sealed though contributions are public."""
    table.company("A", unit_price=10, status="insolvent", treasury=0).holdings("A", ada=2)
    table.company("B", unit_price=20, treasury=1000).holdings("B", ada=1, bob=2)
    table.at("contributions", acting="A").bob.votes("B", "lobby")
    assert table.view("ada").mine == {}
    with table.refuses("R-18"):
        table.bob.contributes(cash=10)
    table.clock_runs_out().clock_runs_out()
    assert [event.action for event in table.events("action_done")] == ["lobby"]


def test_a_ballot_for_a_company_that_has_acted_or_is_insolvent_is_refused(table: Table) -> None:
    """Votes."""
    two(table).company("C", unit_price=30, status="insolvent", treasury=0).holdings("C", ada=1)
    with table.refuses("S 6.7"):
        table.ada.votes("C", "loan")
    table.clock_runs_out()
    with table.refuses("S 6.7"):
        table.ada.votes("A", "loan")


def test_a_shareholder_needs_shares_of_the_company_voted_on(table: Table) -> None:
    two(table).company("C", unit_price=30).holdings("C", cid=1)
    with table.refuses("S 6.7", "You own no"):
        table.ada.votes("C", "loan")


def test_a_company_without_shareholders_vetoes_by_itself(table: Table) -> None:
    """A phase without eligible actor still ends."""
    table.company("ACME").at("price_adjustment").clock_runs_out()
    assert [event.action for event in table.events("action_done")] == ["veto"]
    assert table.state.turn == 3
