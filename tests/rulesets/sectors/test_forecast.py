"""The ballot foretells the next production of what can be foreseen, and of nothing that is drawn or hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game.rulesets.sectors.forecast import UNFORESEEN, figures, forecast
from game.rulesets.sectors.offers import ballot_lines
from game.rulesets.sectors.ruleset import SECTORS

if TYPE_CHECKING:
    from tests.rulesets.sectors.table import Table


def voting(table: Table) -> Table:
    """ACME at Startup: supply 3, demand 1."""
    return (
        table.company("ACME", tier="startup", treasury=1000, base_demand=1)
        .holdings("ACME", ada=2)
        .at("company_vote", acting="ACME")
    )


def test_small_marketing_closes_the_gap(table: Table) -> None:
    """S 6.2, 6.3: demand 1 + 3 against supply 3 is throughput 1."""
    seen = forecast(voting(table).state, "ACME", "small_marketing")
    assert (seen.supply, seen.demand, seen.throughput, seen.steps, seen.cost) == (3, 4, 1, 0, 20)


def test_a_veto_halves_the_next_cost(table: Table) -> None:
    """S 6.4."""
    assert forecast(voting(table).state, "ACME", "veto").cost == 10


def test_looking_ahead_changes_nothing(table: Table) -> None:
    state = voting(table).state
    before = SECTORS.codec.encode(state)
    forecast(state, "ACME", "expansion")
    assert SECTORS.codec.encode(state) == before


def test_what_is_drawn_or_refused_is_not_foretold(table: Table) -> None:
    """Secrets: a forecast never shows a card, a space of the track to come, or a drawn twin."""
    lines = {line.key: line for line in ballot_lines(voting(table).state, "ACME")}
    assert all(lines[key].next is None for key in UNFORESEEN if key in lines)
    assert all(line.next is None for line in lines.values() if line.refused)
    assert lines["lobby"].next.throughput == 2


@pytest.mark.parametrize("key", ["small_marketing", "expansion", "share_issue", "loan", "outsource", "veto", "lobby"])
def test_what_is_foretold_is_what_happens(table: Table, key: str) -> None:
    """The figures of the ballot are those after the vote, when BETA votes."""
    table.company("BETA", sector="energy").holdings("BETA", ada=1)
    voting(table).with_(queue=["ACME", "BETA"])
    seen, was = forecast(table.state, "ACME", key), figures(table.state, table.of("ACME"))
    assert seen
    table.ada.votes("ACME", key)
    table.everybody_is_ready()
    now = figures(table.state, table.of("ACME"))
    values_by_key = {change.figure: change.now for change in seen.changes}
    assert values_by_key
    assert {name: now[name] for name in values_by_key} == values_by_key
    assert {name for name in was if was[name] != values_by_key.get(name, was[name])} == set(values_by_key)


def test_a_space_of_the_track_moves_the_price_of_the_chart(table: Table) -> None:
    """S 1.8: Bull Signal costs a token and lifts the price a step."""
    table.company("ACME", prestige=2).with_(track=["bull_signal"] * 10)
    seen = forecast(voting(table).state, "ACME", "spend_prestige")
    assert seen
    assert ("Stock price", "47", "51") in [(each.figure, each.was, each.now) for each in seen.changes]
