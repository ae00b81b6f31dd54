"""What a vote comes to, by how the others vote: from shares and priority that everybody sees, and the voter's own
choice."""

from __future__ import annotations

import re
from typing import Any

import pytest

from game.boards.sectors.words import queue_words, queued_companies
from tests.pages.panels import drawn, filled, page_engine, panel, places_at
from tests.rulesets.sectors.table import Table

NAMES = ("ada", "bob", "cid", "dan")


def voting(*, first: tuple[str, ...] = NAMES, tier: str = "startup", **shares: int) -> Table:
    """ACME at work, owned as told."""
    table = Table().seats(*NAMES, cash=300).priority(*first)
    return table.company("ACME", treasury=900, tier=tier).holdings("ACME", **shares).at("company_vote", acting="ACME")


def table_of(table: Table, *actions: str, seat: int = 0) -> Any:
    form = filled(table.position, [{"kind": "vote_actions", "company": "ACME", "actions": list(actions)}], seat)
    made = panel(table.position, places_at(NAMES, seat), seat, filled=form if actions else None)
    assert made.ticket
    return made.ticket.form.table


def outcomes(table: Any) -> dict[str, str]:
    return {case.others: case.outcome for case in table.cases}


def test_the_cases_of_a_vote() -> None:
    """S 6.7: three, two and two shares."""
    table = table_of(voting(ada=3, bob=2, cid=2), "loan")
    assert outcomes(table) == {
        "Nobody else votes": "yours wins 3 to 0",
        "Everyone else votes for something different": "yours wins 3 to 2",
        "Only bob votes against": "yours wins 3 to 2",
        "All the others agree on something else": "theirs wins 4 to 3",
    }
    assert table.pivot.lead == "Your 3 shares decide if bob votes against cid."


@pytest.mark.parametrize(
    ("first", "outcome", "lead"),
    [
        (("ada", "bob", "cid", "dan"), "yours wins the tie, 3 to 3", "Your 3 shares decide alone."),
        (("bob", "ada", "cid", "dan"), "theirs wins the tie, 3 to 3", "Your 3 shares can be outvoted."),
    ],
)
def test_a_tie_goes_by_player_priority(first: tuple[str, ...], outcome: str, lead: str) -> None:
    """S 6.7."""
    table = table_of(voting(first=first, ada=3, bob=3), "loan")
    assert outcomes(table)["bob votes against"] == outcome
    assert table.pivot.lead == lead


@pytest.mark.parametrize(
    ("shares", "lead"),
    [
        ({"ada": 6, "bob": 2}, "Your 6 shares decide alone."),
        ({"ada": 2}, "Your 2 shares decide alone."),
        ({"ada": 1, "bob": 3, "cid": 3, "dan": 1}, "Your 1 share decides if bob votes against cid and dan."),
        ({"ada": 1, "bob": 3, "cid": 3}, "Your 1 share decides if bob votes against cid."),
        ({"ada": 1, "bob": 5, "cid": 2}, "Your 1 share can be outvoted."),
    ],
)
def test_how_far_shares_carry(shares: dict[str, int], lead: str) -> None:
    """Ada comes last in priority: nothing is won by a tie."""
    assert table_of(voting(first=("bob", "cid", "dan", "ada"), **shares), "loan").pivot.lead == lead


def test_of_two_actions_one_may_win() -> None:
    """A company that carries out two actions: an opponent with fewer shares wins none of them."""
    table = table_of(voting(tier="enterprise", ada=3, bob=2), "loan", "small_marketing")
    assert outcomes(table) == {"Nobody else votes": "yours wins 3 to 0", "bob votes against": "yours wins 3 to 2"}
    alone = table_of(voting(tier="enterprise", ada=3, bob=2), "loan")
    assert outcomes(alone)["bob votes against"] == "yours is among those carried out"


def test_the_others_sealed_votes_change_nothing() -> None:
    """Secrets: the table of a voter is the same whatever the others have submitted."""
    silent, loud = voting(ada=3, bob=2, cid=2), voting(ada=3, bob=2, cid=2)
    loud.bob.votes("ACME", "share_issue")
    loud.cid.votes("ACME", "share_issue")
    assert table_of(silent, "loan") == table_of(loud, "loan")


def test_the_revenue_vote_has_its_table() -> None:
    """S 6.5."""
    table = Table().seats(*NAMES).priority(*NAMES).company("ACME", produced=4, sold=4, revenue=200)
    table.holdings("ACME", ada=3, bob=2, cid=2).at("revenue_vote")
    page = drawn(page_engine(), table.position, 0)
    assert "<summary>Your 3 shares decide if &lt;Player 1&gt; votes against &lt;Player 2&gt;.</summary>" in page
    assert page.count("theirs wins 4 to 3") == 1


def test_a_ballot_says_what_an_action_does_to_this_company() -> None:
    """S 1.4, 6.9: Startup to Growth, through the rules' own expansion."""
    page = drawn(page_engine(), voting(ada=3).position, 0)
    does = re.findall(r'<small class="does">([^<]+)</small>', page)
    assert "Company tier Startup to Growth, Supply 3 to 4, Operating cost 20 to 30" in does
    assert "Shares 10 to 12, On the open market 7 to 9" in does


def test_a_company_that_has_acted_shows_what_it_did() -> None:
    """Until the next turn; a company whose action failed did nothing."""
    table = Table().seats(*NAMES, cash=300).company("ACME", treasury=900).company("BETA", sector="energy", treasury=10)
    table.company("COAL", sector="energy").holdings("ACME", ada=3).holdings("BETA", ada=3).holdings("COAL", ada=3)
    table.at("company_vote", acting="ACME", queue=["ACME", "BETA", "COAL"])
    for ticker, action in (("ACME", "small_marketing"), ("BETA", "research")):
        table.ada.votes(ticker, action)
        table.everybody_is_ready()
    values_by_key = {company.ticker: queue_words(company) for company in queued_companies(table.view("ada"))}
    assert values_by_key == {"ACME": "Small marketing campaign", "BETA": "did nothing", "COAL": "votes now"}
    table.play_to("stock_orders")
    assert not table.state.done
