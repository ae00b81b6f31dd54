"""The passive abilities of the sectors: each a modifier on the one company that holds it. (S 6.11)"""

from __future__ import annotations

from dataclasses import dataclass

from game.engine.modifiers import without_source
from game.rulesets.sectors.effects.verbs import add_modifier
from game.rulesets.sectors.state import Company, SectorsState
from game.rulesets.sectors.tables.common import BOOM_STEPS, CARBON_THROUGHPUT, STEADY_UNITS


@dataclass(frozen=True)
class Ability:
    """A passive ability: the number it changes and by how much."""

    title: str
    text: str
    number: str
    amount: int


ABILITIES: dict[str, Ability] = {
    "boom_cycle": Ability(
        "Boom Cycle",
        f"A dividend may lift the price up to {BOOM_STEPS} steps beyond the next price tier's first.",
        "dividend_overshoot",
        BOOM_STEPS,
    ),
    "steady_demand": Ability(
        "Steady Demand",
        f"With no consumers left it still sells up to {STEADY_UNITS} units it has demand for.",
        "unserved_sales",
        STEADY_UNITS,
    ),
    "manufacture": Ability("Manufacture", "Unlocks the company action Manufacture.", "unlocks:manufacture", 1),
    "innovation_surge": Ability("Innovation Surge", "The Research action draws two cards.", "research_cards", 1),
    "regulatory_shield": Ability(
        "Regulatory Shield", "A fall stops at the top of the next lower price tier.", "fall_floor", 1
    ),
    "carbon_credit": Ability(
        "Carbon Credit", f"Throughput counts as {CARBON_THROUGHPUT} at most.", "throughput_cap", CARBON_THROUGHPUT
    ),
    "extract": Ability("Extract", "Unlocks the company action Extract.", "unlocks:extract", 1),
}


def give_ability(state: SectorsState, key: str, company: Company) -> None:
    """Hand an ability to a company and take it from the company that held it. (S 6.11)"""
    source = f"ability:{key}"
    for other in state.companies.values():
        other.modifiers = without_source(other.modifiers, source)
    add_modifier(company, ABILITIES[key].number, ABILITIES[key].amount, source)


def abilities_of(company: Company) -> list[str]:
    """The abilities a company holds."""
    return [m.source.removeprefix("ability:") for m in company.modifiers if m.source.startswith("ability:")]
