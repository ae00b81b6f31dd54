"""The research deck and every card of it. (S 1.7)"""

from __future__ import annotations

from typing import Any

import pytest

from game.rulesets.sectors.effects import RESEARCH_CARDS
from game.rulesets.sectors.effects.research import BLANK
from tests.rulesets.sectors.table import Table

RISING = {
    "clinical_trial": "healthcare",
    "renewable_energy": "energy",
    "artificial_intelligence": "technology",
    "e_commerce": "defensive",
    "robotics": "technology",
    "new_alloy": None,
    "energy_saving": "energy",
    "globalization": "technology",
}
SILENT = ("market_expansion", "diversification", "innovation", BLANK)


def researches(table: Table, *deck: str, sector: str = "industrial", **company: Any) -> Table:
    """ACME has researched with these cards in the deck."""
    table.company("ACME", sector=sector, **{"treasury": 1000, **company}).holdings("ACME", ada=2)
    table.at("company_vote", acting="ACME", deck=list(deck), reviews=True).ada.votes("ACME", "research")
    return table.play_to("company_action")


def test_there_are_eighteen_findings_and_the_blank() -> None:
    """S 1.7: with the sectors that may draw them."""
    assert len(RESEARCH_CARDS) == 19
    tagged = {key: card.sector for key, card in RESEARCH_CARDS.items() if card.sector}
    assert tagged == {key: sector for key, sector in RISING.items() if sector}


@pytest.mark.parametrize("card", sorted(RISING))
def test_a_rising_card_lifts_the_price_one_plain_step(table: Table, card: str) -> None:
    """A10: the two that the first program forgot as well; slots start anew (A17)."""
    researches(table, card, sector=RISING[card] or "industrial", price=47, filled=1)
    assert (table.price("ACME"), table.filled("ACME"), table.of("ACME").cards) == (51, 0, [card])


@pytest.mark.parametrize("card", ["product_development", "quality_control"])
def test_a_supply_card_adds_a_unit_for_good(table: Table, card: str) -> None:
    researches(table, card)
    assert (table.of("ACME").base_supply, table.view().company("ACME").supply) == (1, 4)


def test_government_grant_brings_500_from_nowhere(table: Table) -> None:
    """S 7.10."""
    researches(table, "government_grant")
    assert (table.treasury("ACME"), table.bank) == (1300, 7500)


def test_corporate_espionage_robs_the_others_of_its_sector(table: Table) -> None:
    """A89: every status but bankrupt, down to 0."""
    table.company("RIVAL", prestige=3).company("IDLE", prestige=1, status="inactive").company(
        "FAR", sector="energy", prestige=3
    )
    table.company("POOR", prestige=2, status="insolvent", treasury=0).company("GONE", prestige=2, status="bankrupt")
    researches(table, "corporate_espionage", prestige=5)
    assert {t: table.of(t).prestige for t in table.state.companies} == {
        "RIVAL": 1,
        "IDLE": 0,
        "FAR": 3,
        "POOR": 0,
        "GONE": 2,
        "ACME": 5,
    }


def test_economies_of_scale_counts_as_the_cheapest_from_the_next_lock_on(table: Table) -> None:
    """S 6.1, 6.6."""
    table.company("CHEAP", unit_price=10)
    researches(table, "economies_of_scale", unit_price=90)
    assert table.state.queue == ["CHEAP", "ACME"]
    table.play_to("price_adjustment")
    assert table.state.queue == ["ACME", "CHEAP"]


def test_two_economies_of_scale_compare_by_the_other_rules(table: Table) -> None:
    """S 6.1."""
    scale = {"number": "sorts_first", "amount": 1, "source": "card:economies_of_scale"}
    table.company("DEAR", unit_price=90, modifiers=[scale, scale]).company(
        "LESS", unit_price=80, modifiers=[scale]
    ).company("CHEAP", unit_price=10)
    table.at("price_adjustment", reviews=True).clock_runs_out()
    assert table.state.queue == ["LESS", "DEAR", "CHEAP"]


def test_automation_saves_twenty_every_turn(table: Table) -> None:
    """S 6.4."""
    researches(table, "automation", tier="titan")
    for _ in range(2):
        table.play_to("production").play_to("end_turn")
    assert [event.amount for event in table.events("operating_cost_paid")] == [130, 55]  # the second halved by the veto


def test_specialization_brings_two_tokens(table: Table) -> None:
    assert researches(table, "specialization").of("ACME").prestige == 2


@pytest.mark.parametrize("card", SILENT)
def test_a_silent_card_is_kept_and_does_nothing(table: Table, card: str) -> None:
    researches(table, card)
    acme = table.of("ACME")
    assert (acme.cards, acme.modifiers, acme.prestige, acme.base_supply, acme.base_demand, table.price("ACME")) == (
        [card],
        [],
        0,
        0,
        0,
        47,
    )
    assert (table.treasury("ACME"), table.state.deck) == (800, [])


def test_only_own_and_general_cards_are_drawn(table: Table) -> None:
    """S 1.7: the only card it may draw is the last."""
    researches(table, "robotics", "clinical_trial", "energy_saving", "specialization")
    assert table.of("ACME").cards == ["specialization"]
    assert table.state.deck == ["robotics", "clinical_trial", "energy_saving"]


def test_of_equal_cards_one_is_drawn(table: Table) -> None:
    """Deck."""
    table.draws(research_draw=["innovation"])
    researches(table, "innovation", "specialization", "innovation")
    assert table.state.deck == ["specialization", "innovation"]


def test_without_a_card_to_draw_the_cost_is_paid_for_nothing(table: Table) -> None:
    """A9."""
    researches(table, "robotics", "clinical_trial")
    assert (table.treasury("ACME"), table.of("ACME").cards, len(table.state.deck)) == (800, [], 2)
    assert [event.card for event in table.events("card_drawn")] == [""]


def test_a_drawn_card_may_not_be_drawn_again(table: Table) -> None:
    """S 1.7."""
    table.company("TWIN", treasury=1000, unit_price=90).holdings("TWIN", ada=1)
    researches(table, "specialization", unit_price=10).clock_runs_out()
    table.ada.votes("TWIN", "research")
    table.play_to("company_action")
    assert (table.of("ACME").cards, table.of("TWIN").cards) == (["specialization"], [])
