"""Votes ahead: one sheet comes to what each vote in its own time would have come to, nobody is waited for who has given
it, and what stops counting says why. (Decision *votes*)"""

from __future__ import annotations

from itertools import product
from random import Random

import msgspec
import pytest

from game.engine.events import DecisionMissed, InputAheadDoubted, InputAheadDropped
from game.engine.modifiers import Modifier
from game.rulesets.sectors.state import BANKRUPT
from tests.rulesets.sectors.table import Table

TICKERS = ("A", "B", "C")
ACTIONS = ("loan", "small_marketing", "large_marketing", "lobby", "expansion", "veto", "")


def three(table: Table, *, treasury: int = 700) -> Table:
    """A acts, then B and C; ada, bob and cid hold all of them."""
    for place, ticker in enumerate(TICKERS):
        table.company(ticker, unit_price=10 + place, treasury=treasury)
        table.holdings(ticker, ada=3 - place, bob=2, cid=1 + place)
    return table.at("company_vote", acting="A")


def told(table: Table, kind: type) -> list[tuple[tuple[int, ...] | None, str]]:
    """The events of a kind that the last step brought: who may read them, and why they came."""
    return [(event.audience, event.why) for event in table.told if isinstance(event, kind)]


@pytest.mark.parametrize("seed", range(12))
def test_one_sheet_comes_to_what_a_vote_at_each_company_comes_to(seed: int) -> None:
    """Whoever votes when: the position after the round, and all that was told of it, are the same."""
    chance, names = Random(seed), ("ada", "bob", "cid")
    wanted = {(name, ticker): chance.choice(ACTIONS) for name, ticker in product(names, TICKERS)}
    each, sheet = three(Table().seats(*names)), three(Table().seats(*names))
    for ticker in TICKERS:
        for name in names:
            if action := wanted[name, ticker]:
                each.asks(name, "vote_actions", company=ticker, actions=[action])
        each.everybody_is_ready()
    for name in names:
        for ticker in reversed(TICKERS):
            actions = [action] if (action := wanted[name, ticker]) else []
            if actions or ticker != "A":
                sheet.asks(name, "vote_actions", company=ticker, actions=actions, ready=ticker != "A" or None)
        sheet.asks(name, "ready")
    assert sheet.phase != "company_vote"
    assert msgspec.json.encode(sheet.state) == msgspec.json.encode(each.state)
    for kind in ("company_voted", "action_done", "action_failed"):
        assert sheet.events(kind) == each.events(kind)


def test_who_has_voted_at_every_company_is_not_waited_for_again(table: Table) -> None:
    """The two who gave the whole sheet are done with the round; the third is asked at each company."""
    three(table)
    for player in (table.ada, table.bob):
        player.votes("A", "loan").votes("B", "loan", ready=True).is_ready()
        player.asks("vote_actions", company="C", actions=[], ready=True)
    for ticker in TICKERS:
        assert table.view().acting == ticker
        assert [player.state for player in table.view().players] == ["ready", "ready", "untouched"]
        table.cid.is_ready()
    assert table.phase != "company_vote"
    assert not [event for event in table.told if isinstance(event, DecisionMissed)]


def test_whoever_abstains_ahead_has_no_ballot(table: Table) -> None:
    """Its shares are behind nothing, and where nobody votes the company chooses Veto."""
    three(table).ada.asks("vote_actions", company="B", actions=[], ready=True)
    table.everybody_is_ready()
    assert table.view("ada").is_ready
    table.cid.votes("B", "loan")
    table.everybody_is_ready()
    (tally,) = table.events("company_voted")[-1].tallies
    assert (tally.action, tally.voters) == ("loan", (2,))
    table.everybody_is_ready()
    assert [event.selected for event in table.events("company_voted")] == [("veto",), ("loan",), ("veto",)]


def test_a_ballot_without_an_action_abstains_and_is_ready(table: Table) -> None:
    three(table)
    with table.refuses("S 6.7", "Choose an action for B, or abstain in advance"):
        table.ada.asks("vote_actions", company="B", actions=[])


def test_abstaining_ahead_is_changed_and_withdrawn_like_a_vote(table: Table) -> None:
    """One slot a company: the later input replaces the earlier."""
    three(table).ada.asks("vote_actions", company="B", actions=[], ready=True)
    table.ada.votes("B", "loan", ready=True)
    assert table.view("ada").mine["vote_actions B"]["actions"] == ["loan"]
    table.ada.asks("vote_actions", company="B", actions=[], ready=True)
    assert table.view("ada").mine["vote_actions B"]["actions"] == []
    table.ada.withdraws("vote_actions B")
    assert table.view("ada").mine == {}


@pytest.mark.parametrize("actions", [[], ["loan"], ["lobby"]])
def test_what_is_given_ahead_is_nobody_elses_to_see(actions: list[str]) -> None:
    """Secrets: not even that somebody abstains, until the vote opens; then only that this seat is ready."""
    silent, loud = three(Table().seats("ada", "bob", "cid")), three(Table().seats("ada", "bob", "cid"))
    loud.ada.asks("vote_actions", company="B", actions=actions, ready=True)
    for viewer in ("bob", None):
        assert msgspec.json.encode(loud.view(viewer)) == msgspec.json.encode(silent.view(viewer))
    loud.clock_runs_out()
    assert [player.state for player in loud.view("bob").players] == ["ready", "untouched", "untouched"]
    assert loud.view("bob").mine == {}


def dearer(table: Table, ahead: str = "large_marketing") -> Table:
    """A and B make marketing dearer than the treasury of C, for which bob has voted ahead; C votes now."""
    three(table, treasury=500).bob.votes("C", ahead, ready=True)
    for ticker in "AB":
        table.ada.votes(ticker, "large_marketing")
        table.bob.is_ready()
        table.everybody_is_ready()
    assert table.view().acting == "C"
    return table


def test_whoever_has_voted_for_what_would_fail_by_now_is_told_so(table: Table) -> None:
    """S 6.8: the seat learns why and may vote for something else; its vote counts, and nobody waits for it."""
    dearer(table)
    assert [player.state for player in table.view("ada").players] == ["untouched", "ready", "untouched"]
    assert told(table, InputAheadDoubted) == [((1,), "It costs {cost}; the treasury holds {treasury}.")]
    (event,) = table.events("input_ahead_doubted")
    assert event.sentence(table.names.__getitem__) == (
        "What you had submitted in advance still counts, but cannot be carried out as things stand: It costs 600; the "
        "treasury holds 500."
    )
    table.bob.votes("C", "loan")
    table.everybody_is_ready()
    assert table.events("company_voted")[-1].selected == ("loan",)
    assert table.events("action_done")[-1].action == "loan"


def test_nobody_else_learns_that_a_vote_is_in_doubt() -> None:
    """Ballots and what they have become are secret: one in doubt and one that is not look the same, and the company's
    phase closes at the same word."""
    sure, doubted = (dearer(Table().seats("ada", "bob", "cid"), ahead) for ahead in ("loan", "large_marketing"))
    assert told(doubted, InputAheadDoubted)
    assert not told(sure, InputAheadDoubted)
    for viewer in ("ada", "cid", None):
        assert msgspec.json.encode(sure.view(viewer)) == msgspec.json.encode(doubted.view(viewer))
    seen = [[event for event in table.told if event.audience is None] for table in (sure, doubted)]
    assert seen[0] == seen[1]
    for table in (sure, doubted):
        table.ada.is_ready()
        assert table.phase == "company_vote"
        table.cid.is_ready()
        assert table.phase != "company_vote"


def test_a_vote_withdrawn_where_it_made_its_seat_ready_is_waited_for_again(table: Table) -> None:
    dearer(table).bob.withdraws("vote_actions C")
    assert [player.state for player in table.view("ada").players] == ["untouched", "untouched", "untouched"]


def test_who_votes_for_what_fails_already_is_told_nothing(table: Table) -> None:
    """The ballot said so when the vote was given."""
    three(table, treasury=100).bob.votes("C", "large_marketing", ready=True).votes("B", "loan", ready=True).is_ready()
    for _ in "AB":
        table.everybody_is_ready()
    assert (table.view().acting, table.view("bob").is_ready) == ("C", True)
    assert not table.events("input_ahead_doubted")


def test_a_vote_that_would_fail_counts_for_who_does_not_come_back(table: Table) -> None:
    """A47: the vote is legal, and what it chose fails; it is no missed decision."""
    dearer(table).clock_runs_out()
    assert table.events("company_voted")[-1].selected == ("large_marketing",)
    assert table.events("action_failed")[-1].reason == "It costs 600; the treasury holds 500."
    assert not [each for each in table.told if isinstance(each, DecisionMissed) and 1 in (each.audience or ())]


def test_a_vote_that_is_not_allowed_any_more_is_dropped_and_says_why(table: Table) -> None:
    """Rules that take a choice away between the vote ahead and its phase: here the company lost the ability."""
    three(table).of("B").modifiers.append(Modifier("unlocks:extract", 1, "extract"))
    table.ada.votes("B", "extract", ready=True)
    assert table.of("B").modifiers.pop() is not None
    table.clock_runs_out()
    assert (table.view().acting, table.view("ada").is_ready, table.view("ada").mine) == ("B", False, {})
    assert told(table, InputAheadDropped) == [((0,), "{ticker} cannot take {action}.")]
    dropped = "What you had submitted in advance no longer counts: B cannot take Extract."
    assert table.events("input_ahead_dropped")[-1].sentence(table.names.__getitem__) == dropped
    table.clock_runs_out()
    assert table.events("company_voted")[-1].selected == ("veto",)


def test_who_voted_ahead_for_a_company_that_is_bankrupt_before_its_turn_is_told_so(table: Table) -> None:
    """Nobody else is, and whoever voted for the others has voted there. The rules take
    no company away so early: here the table does."""
    three(table).ada.votes("A", "loan").votes("B", "loan", ready=True).votes("C", "loan", ready=True)
    table.of("B").status = BANKRUPT
    table.clock_runs_out()
    assert table.view().acting == "C"
    assert not told(table, InputAheadDropped)
    table.clock_runs_out()
    assert table.phase != "company_vote"
    assert told(table, InputAheadDropped) == [((0,), "{ticker} is bankrupt and delisted.")]
    dropped = "What you had submitted in advance no longer counts: B is bankrupt and delisted."
    assert table.events("input_ahead_dropped")[-1].sentence(table.names.__getitem__) == dropped
    assert [event.selected for event in table.events("company_voted")] == [("loan",), ("loan",)]
    assert table.view("ada").mine == {}


def test_a_pass_at_one_company_and_votes_ahead_stand_side_by_side(table: Table) -> None:
    """In either order: what is given for B takes no pass at A back."""
    three(table).ada.passes().votes("B", "loan")
    assert set(table.view("ada").mine) == {"pass", "vote_actions B"}
    table.ada.votes("A", "loan").passes()
    assert set(table.view("ada").mine) == {"pass", "vote_actions B"}
