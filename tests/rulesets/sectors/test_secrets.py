"""Everything concealed, in every phase: a view of one position tells no more than another with other secrets.
(*secrets*)"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.rulesets.sectors.table import Table

Story = Callable[[Table], Table]


def bidding(table: Table) -> Table:
    return table.starts(3)


def headlines(table: Table) -> Table:
    return table.at("start_turn", sectors={"energy": {}}).headlines(("energy", 1), ("energy", 2))


def tranche_vote(table: Table) -> Table:
    return (
        table.at("tranche_vote", turn=3)
        .company("COAL", sector="energy")
        .tranche("energy", cash=60)
        .tranche("energy", cash=40)
    )


def distribution(table: Table) -> Table:
    table.at("tranche_distribution", turn=3).company("COAL", sector="energy")
    return table.tranche("energy", cash=60, prestige=1, winner="ada")


def orders(table: Table) -> Table:
    return table.at("stock_orders").company("ACME").company("BOLT").contract("ACME", strike=60)


def covers(table: Table) -> Table:
    return table.at("cover_shorts").company("ACME").short("ada", "ACME", 1, 47).short("ada", "ACME", 2, 47)


def exercises(table: Table) -> Table:
    table.at("exercise_options").company("ACME")
    return table.contract("ACME", strike=40, owner="ada").contract("ACME", strike=43, owner="ada")


def revenue(table: Table) -> Table:
    return table.at("revenue_vote").company("ACME", revenue=100).holdings("ACME", ada=3, bob=2)


def ballots(table: Table) -> Table:
    table.at("company_vote", acting="ACME").company("ACME", treasury=900).holdings("ACME", ada=3, bob=2)
    return table.company("BOLT", treasury=900).holdings("BOLT", ada=3, bob=2)


CASES: list[tuple[Story, dict[str, Any], dict[str, Any]]] = [
    (bidding, {"kind": "bid_influence", "points": 7}, {"kind": "bid_influence", "points": 43}),
    (headlines, {"kind": "pledge_headline", "headline": 1}, {"kind": "pledge_headline", "headline": 2}),
    (tranche_vote, {"kind": "vote_tranche", "tranche": 1}, {"kind": "vote_tranche", "tranche": 2}),
    (
        distribution,
        {"kind": "distribute_tranche", "cash": {"1": 60}},
        {"kind": "distribute_tranche", "prestige_to": "COAL"},
    ),
    (orders, {"kind": "short_order", "company": "BOLT", "quantity": 3}, {"kind": "option_order", "contract": 1}),
    (covers, {"kind": "cover_short", "order": 1}, {"kind": "cover_short", "order": 2}),
    (exercises, {"kind": "exercise_option", "contract": 1}, {"kind": "exercise_option", "contract": 2}),
    (
        revenue,
        {"kind": "vote_revenue", "company": "ACME", "choice": "full"},
        {"kind": "vote_revenue", "company": "ACME", "choice": "retain"},
    ),
    (
        ballots,
        {"kind": "vote_actions", "company": "ACME", "actions": ["loan"]},
        {"kind": "vote_actions", "company": "ACME", "actions": ["veto"]},
    ),
]


@pytest.mark.parametrize(("story", "one", "other"), CASES, ids=[case[0].__name__ for case in CASES])
def test_a_sealed_input_is_its_owners_alone(story: Story, one: dict[str, Any], other: dict[str, Any]) -> None:
    """Whatever ada asks, bob's and a stranger's views are the same to the last letter; hers differ."""
    seen = []
    for request in (one, other):
        table = story(Table())
        table.ada.asks(**request)
        seen.append({viewer: msgspec.json.encode(table.view(viewer)) for viewer in ("ada", "bob", None)})
    assert seen[0]["bob"] == seen[1]["bob"]
    assert seen[0][None] == seen[1][None]
    assert seen[0]["ada"] != seen[1]["ada"]


def test_a_ballot_cast_ahead_is_hidden_and_shows_as_nothing() -> None:
    """Decision *votes*: one ahead for BOLT is no submission for ACME."""
    table = ballots(Table())
    before = msgspec.json.encode(table.view("bob"))
    table.ada.votes("BOLT", "loan", ready=True)
    assert msgspec.json.encode(table.view("bob")) == before


def test_deck_track_and_seed_are_in_no_view(table: Table) -> None:
    """*secrets*: only how many cards are left, and the current space."""
    track = ["influencer", "magnet_effect", *["capital_injection"] * 8]
    table.at("stock_orders", deck=["automation", "government_grant"], track=track, marker=0).company("ACME")
    for viewer in ("ada", None):
        result = msgspec.json.encode(table.view(viewer)).decode().lower()
        assert table.view(viewer).deck_left == 2
        assert "influencer" in result
        for hidden in ("automation", "government", "magnet", "capital injection", "capital_injection"):
            assert hidden not in result


@pytest.mark.parametrize("story", [case[0] for case in CASES], ids=[case[0].__name__ for case in CASES])
def test_offers_are_made_of_public_things(story: Story) -> None:
    """What bob is offered does not depend on what ada sealed."""
    table, request = story(Table()), next(case[1] for case in CASES if case[0] is story)
    before = table.bob.offers()
    table.ada.asks(**request)
    assert table.bob.offers() == before
