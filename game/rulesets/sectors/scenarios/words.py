"""Sectors' words in scenarios: positions, their values, and draws."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from game.engine.scenarios.language import known, listed, mapping
from game.engine.scenarios.words import Glossary, Words, seats_in_order
from game.rulesets.sectors.descriptions import Description
from game.rulesets.sectors.effects import ABILITIES, COMPANY_ACTIONS, PRESTIGE_SPACES, RESEARCH_CARDS
from game.rulesets.sectors.positions import stand
from game.rulesets.sectors.scenarios.dictionary import MEANINGS
from game.rulesets.sectors.state import (
    ACTIVE,
    BANKRUPT,
    FILLED,
    FULL,
    HALF,
    INACTIVE,
    INSOLVENT,
    LIVE,
    ORDER_KINDS,
    REJECTED,
    RETAIN,
    SectorsState,
)
from game.rulesets.sectors.tables.second_edition import SECOND_EDITION
from game.rulesets.sectors.tables.sectors import SECTORS

DRAWS = {
    "sectors": "sectors in play, three",
    "company_name": "name of each new company",
    "ipo_price": "its IPO price before snapping to the chart",
    "unit_price": "its unit price",
    "deck": "the nine findings of the research deck",
    "prestige_track": "the ten spaces",
    "influence_tie": "tied players in priority order, one list per tied level",
    "headline_delta": "places a new headline moves its sector",
    "headline_sector": "its sector",
    "tranche_sectors": "the sectors in play, shuffled",
    "tranche_cash": "dollars of all pools but the last",
    "contract_company": "company of a new contract",
    "contract_term": "its term",
    "contract_bundle": "its shares and its step bonus",
    "research_draw": "card drawn",
    "supply_twin": "company that profits from another's Extract or Manufacture",
    "divest": "a player's shares as drawn: he keeps the first ones",
}
MODIFIERS = {
    "cost_free": "the next operating cost is 0",
    "cost_halved": "the next operating cost is halved (`once: true`)",
    "operating_cost": "dollars added to every operating cost",
    "price_freeze": "market orders move the price 2 steps at most (`turn: 3`)",
    "reserve_percent": "percent added to the next revenue (`once: true`)",
    "surge_percent": "percent added to the next revenue, after the reserve (`once: true`)",
    "sorts_first": "counts as the cheapest company",
} | {ability.number: f"what {ability.title} changes" for ability in ABILITIES.values()}
SOURCES = (*COMPANY_ACTIONS, *(f"card:{key}" for key in RESEARCH_CARDS), *(f"ability:{key}" for key in ABILITIES))
LASTING = ", ".join(f"`{key}`" for key in SOURCES if ":" in key)
SIDES, CHOICES = ("buy", "sell"), ("", FULL, HALF, RETAIN)
VALUES: dict[tuple[str, str], Collection[str]] = {
    ("companies", "sector"): SECTORS,
    ("companies", "tier"): SECOND_EDITION.tiers,
    ("companies", "status"): (INACTIVE, ACTIVE, INSOLVENT, BANKRUPT),
    ("companies", "cards"): RESEARCH_CARDS,
    ("companies", "abilities"): ABILITIES,
    ("companies", "choice"): CHOICES,
    ("orders", "kind"): ORDER_KINDS,
    ("orders", "side"): SIDES,
    ("orders", "status"): (*LIVE, FILLED, REJECTED),
    ("trades", "side"): SIDES,
    ("tranches", "sector"): SECTORS,
    ("given", "deck"): RESEARCH_CARDS,
    ("given", "track"): PRESTIGE_SPACES,
    ("given", "executed"): COMPANY_ACTIONS,
    ("given", "selected"): COMPANY_ACTIONS,
}
"""Words with fixed values."""
RULE = re.compile(r"S \d+\.\d+|A\d+|R-\d+|D\d+|I\d+|(\d+ )?[A-Za-z][A-Za-z0-9-]*( [A-Za-z0-9]+){0,3}")


def check_modifiers(group: str, values: Mapping[str, Any]) -> None:
    """Refuse modifiers of a company that change numbers nothing reads, or that come from a source that does not give
    them."""
    for modifier in listed(values.get("modifiers")):
        fields = mapping(modifier, "modifiers")
        known(fields.get("number"), MODIFIERS, "number of a modifier")
        known(fields.get("source"), SOURCES, "source of a modifier")


def bundle(answer: Any, names: list[str]) -> tuple[Any, ...]:
    """Shares and bonus of a contract, drawn as a pair."""
    return tuple(listed(answer))


def consumers(state: SectorsState) -> int:
    """The number of consumers in the pool and in the sectors."""
    return state.pool + sum(sector.consumers for sector in state.sectors.values())


WORDS = Words(
    given=Description,
    build=stand,
    meanings=MEANINGS,
    draws=DRAWS,
    read={"influence_tie": seats_in_order, "contract_bundle": bundle},
    values=VALUES,
    check=check_modifiers,
    rule=RULE,
    rule_examples="S 5.3, A27, R-7, D22, or a decision's name",
    seats_in=("giver", "payers", "voters", "priority_set.order"),
    conserved={"consumers": consumers},
    glossaries=(
        Glossary(
            "Modifiers: `{number: …, amount: …, source: …}`",
            ("number", "what it does"),
            MODIFIERS,
            f"`source` of a modifier is a company action, or one of {LASTING}.",
        ),
    ),
)
