"""Positions are built from words, and a wrong word is refused."""

import pytest

from game.engine.scenarios.language import DescriptionError
from game.rulesets.sectors.positions import build
from tests.rulesets.sectors.table import Table


def test_a_story_can_begin_anywhere(table: Table) -> None:
    table.at("stock_orders").company("ACME", price=20, ipo=4).holdings("ACME", bob=3)
    table.ada.buys("ACME", 3)
    table.bob.sells("ACME", 1)
    table.clock_runs_out()
    assert table.shares("ACME") == {"ada": 3, "bob": 2}
    assert table.places("ACME") == {"ipo": 4, "market": 1, "aside": 0}
    assert (table.price("ACME"), table.filled("ACME")) == (21, 1)
    assert table.money_is_conserved()


def test_an_automatic_phase_is_entered_by_playing_on(table: Table) -> None:
    table.at("short_interest").company("ACME", price=47).short("ada", "ACME", 3, 47).play_on()
    assert table.phases[0] == "short_interest"
    assert table.ada.cash == 293


def test_a_wrong_word_is_refused() -> None:
    with pytest.raises(DescriptionError, match="unknown field `colour`"):
        build({"phase": "stock_orders", "companies": {"ACME": {"colour": 1}}})
    with pytest.raises(DescriptionError, match="no phase tea"):
        build({"phase": "tea"})
    with pytest.raises(DescriptionError, match="48 is not on the chart"):
        build({"phase": "stock_orders", "companies": {"ACME": {"price": 48}}})


def test_a_contradiction_is_refused() -> None:
    with pytest.raises(DescriptionError, match="3 held, 0 set aside, 8 in the IPO"):
        build({"phase": "stock_orders", "companies": {"ACME": {"ipo": 8}}, "players": {"ada": {"shares": {"ACME": 3}}}})
    with pytest.raises(DescriptionError, match="would have floated"):
        build(
            {
                "phase": "stock_orders",
                "companies": {"ACME": {"status": "inactive"}},
                "players": {"ada": {"shares": {"ACME": 6}}},
            }
        )
    with pytest.raises(DescriptionError, match="would be skipped"):
        build({"phase": "cover_shorts"})
    with pytest.raises(DescriptionError, match="no player eve"):
        build({"phase": "stock_orders", "priority": ["eve"]})
