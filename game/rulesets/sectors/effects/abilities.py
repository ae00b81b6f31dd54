"""The passive abilities of the sectors: each a modifier on the one company that holds it. (S 6.11)"""

from __future__ import annotations

from dataclasses import dataclass

from game.engine.language import mark
from game.engine.modifiers import without_source
from game.rulesets.sectors.effects.verbs import add_modifier
from game.rulesets.sectors.state import Company, SectorsState
from game.rulesets.sectors.tables.common import BOOM_STEPS, CARBON_THROUGHPUT, STEADY_UNITS


@dataclass(frozen=True)
class Ability:
    """A passive ability: the number that it changes and by how much; `text` contains that number."""

    title: str
    text: str
    number: str
    amount: int


ABILITIES: dict[str, Ability] = {
    "boom_cycle": Ability(
        mark("Boom Cycle"),
        mark("A dividend may raise the price up to 3 steps past the first step of the next price tier."),
        "dividend_overshoot",
        BOOM_STEPS,
    ),
    "steady_demand": Ability(
        mark("Steady Demand"),
        mark("When no consumers are left, it still sells up to 2 units within its demand."),
        "unserved_sales",
        STEADY_UNITS,
    ),
    "manufacture": Ability(
        mark("Manufacture"), mark("Unlocks the company action Manufacture."), "unlocks:manufacture", 1
    ),
    "innovation_surge": Ability(
        mark("Innovation Surge"), mark("The Research action draws two cards."), "research_cards", 1
    ),
    "regulatory_shield": Ability(
        mark("Regulatory Shield"), mark("A fall stops at the top of the next lower price tier."), "fall_floor", 1
    ),
    "carbon_credit": Ability(
        mark("Carbon Credit"),
        mark("The gap between supply and demand counts as at most 1."),
        "throughput_cap",
        CARBON_THROUGHPUT,
    ),
    "extract": Ability(mark("Extract"), mark("Unlocks the company action Extract."), "unlocks:extract", 1),
}


def give_ability(state: SectorsState, key: str, company: Company) -> None:
    """Give an ability to a company and take it from its holder. (S 6.11)"""
    source = f"ability:{key}"
    for other in state.companies.values():
        other.modifiers = without_source(other.modifiers, source)
    add_modifier(company, ABILITIES[key].number, ABILITIES[key].amount, source)


def abilities_of(company: Company) -> list[str]:
    """The abilities a company holds."""
    return [m.source.removeprefix("ability:") for m in company.modifiers if m.source.startswith("ability:")]
