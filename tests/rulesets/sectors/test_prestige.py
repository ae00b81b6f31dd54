"""The prestige track: its six kinds of spaces, and the marker that moves on whatever happens. (S 1.8)"""

from __future__ import annotations

from typing import Any

import pytest

from game.rulesets.sectors.effects import PRESTIGE_SPACES
from tests.rulesets.sectors.table import Table


def spends(table: Table, *track: str, marker: int = 0, **company: Any) -> Table:
    """ACME has spent prestige on a track that goes round with these spaces."""
    table.company("ACME", **{"treasury": 1000, "prestige": 4, **company}).holdings("ACME", ada=2)
    table.at("company_vote", acting="ACME", track=list(track), marker=marker, reviews=True).ada.votes(
        "ACME", "spend_prestige"
    )
    return table.play_to("company_action")


def test_costs_and_weights_are_the_rulebooks() -> None:
    """S 1.8."""
    printed = {key: (space.weight, space.cost) for key, space in PRESTIGE_SPACES.items()}
    assert printed == {
        "sector_elasticity": (7, 3),
        "magnet_effect": (6, 2),
        "investor_confidence": (9, 2),
        "capital_injection": (12, 3),
        "bull_signal": (12, 1),
        "influencer": (8, 4),
    }


def test_sector_elasticity(table: Table) -> None:
    spends(table, "sector_elasticity", "bull_signal")
    assert (table.sector_of("industrial").base_demand, table.of("ACME").prestige, table.state.marker) == (3, 1, 1)


def test_magnet_effect_lifts_every_floated_company_of_the_sector(table: Table) -> None:
    """A87."""
    table.company("TWIN", price=20).company("POOR", price=20, status="insolvent", treasury=0).company(
        "FAR", price=20, sector="energy"
    )
    table.company("IDLE", price=20, status="inactive").company("GONE", price=20, status="bankrupt")
    spends(table, "magnet_effect", price=47)
    prices = {ticker: table.price(ticker) for ticker in table.state.companies}
    assert prices == {"ACME": 51, "TWIN": 21, "POOR": 21, "FAR": 20, "IDLE": 20, "GONE": 20}
    assert table.of("ACME").prestige == 2


def test_investor_confidence_creates_three_shares(table: Table) -> None:
    spends(table, "investor_confidence")
    assert (table.places("ACME"), table.price("ACME"), table.of("ACME").prestige) == (
        {"ipo": 0, "market": 11, "aside": 0},
        47,
        2,
    )


def test_capital_injection_pays_what_it_holds_and_starts_anew(table: Table) -> None:
    """S 1.8: the other spaces keep theirs; the bank does not pay."""
    table.with_(injections={0: 400, 2: 300})
    spends(table, "capital_injection", "bull_signal", "capital_injection")
    assert (table.treasury("ACME"), table.bank, table.of("ACME").prestige) == (1400, 7500, 1)
    assert [space.injection for space in table.state.track] == [200, 0, 300]


def test_bull_signal(table: Table) -> None:
    spends(table, "bull_signal", prestige=1, price=20)
    assert (table.price("ACME"), table.of("ACME").prestige) == (21, 0)


def test_influencer(table: Table) -> None:
    spends(table, "influencer")
    assert (table.of("ACME").base_demand, table.of("ACME").prestige) == (1, 0)


def test_too_few_tokens_move_the_marker_and_nothing_else(table: Table) -> None:
    """S 1.8: the tokens stay."""
    spends(table, "influencer", "bull_signal", prestige=3)
    assert (table.of("ACME").prestige, table.of("ACME").base_demand, table.state.marker) == (3, 0, 1)
    assert [event.action for event in table.events("action_done")] == ["spend_prestige"]


@pytest.mark.parametrize(("passed", "held"), [("capital_injection", [300, 300]), ("influencer", [200])])
def test_injections_grow_when_one_is_passed_unbought(table: Table, passed: str, held: list[int]) -> None:
    """A11."""
    spends(table, passed, "capital_injection", "bull_signal", prestige=2)
    assert [space.injection for space in table.state.track if space.kind == "capital_injection"] == held
    assert not [space for space in table.state.track if space.injection and space.kind != "capital_injection"]


def test_the_marker_goes_round(table: Table) -> None:
    """S 1.8."""
    spends(table, "bull_signal", "bull_signal", "influencer", marker=2)
    assert table.state.marker == 0


def test_the_spaces_seen_are_public_and_the_rest_is_not(table: Table) -> None:
    """Secrets: prestige track."""
    spends(table, "bull_signal", "influencer", "magnet_effect", "sector_elasticity")
    track = table.view().track
    assert (track.title, track.seen) == ("Influencer", {0: "Bull Signal"})
