"""The position a scenario begins at: built from words, or dealt from nothing, with the draws written down."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from game.rulesets.sectors import descriptions as words
from game.rulesets.sectors.effects import ABILITIES, COMPANY_ACTIONS, PRESTIGE_SPACES, RESEARCH_CARDS
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.ruleset import SECTORS as RULES
from game.rulesets.sectors.scenarios.language import ScenarioError, known, listed, mapping
from game.rulesets.sectors.scenarios.story import Story
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
    Contribution,
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
EXTRA = {
    "draws": "named draws, each with its answers in order",
    "edition": "the edition, short for `options: {edition: …}`",
    "start": "true: the game is dealt from its beginning; only players, options and draws go with it",
}
KEYED = {"players": words.PlayerWords, "companies": words.CompanyWords, "sectors": words.SectorWords}
LISTED = {"orders": words.OrderWords, "contracts": words.ContractWords, "tranches": words.TrancheWords, "trades": words.TradeWords}
SINGLE = {"contribution": Contribution, "options": Options}

MODIFIERS = {
    "cost_free": "the next operating cost is 0",
    "cost_halved": "the next operating cost is halved (`once: true`)",
    "operating_cost": "dollars added to every operating cost",
    "price_freeze": "market orders move the price 2 steps at most (`turn: 3`)",
    "reserve_percent": "percent added to the next revenue (`once: true`)",
    "surge_percent": "percent added to the next revenue, after the reserve (`once: true`)",
    "sorts_first": "counts as the cheapest company",
} | {ability.number: f"what {ability.title} changes" for ability in ABILITIES.values()}
SEATS = RULES.seats
SOURCES = (*COMPANY_ACTIONS, *(f"card:{key}" for key in RESEARCH_CARDS), *(f"ability:{key}" for key in ABILITIES))
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
}
"""Words whose values are words themselves."""


def stand(given: Mapping[str, Any]) -> Story:
    """A story at its beginning."""
    said = _tidy(given)
    draws, is_dealt = said.pop("draws", {}), said.pop("start", False)
    names = list(said.get("players", ("ada", "bob")))
    story = Story(names, _script(mapping(draws, "draws"), names))
    if is_dealt:
        for word in said:
            known(word, ("players", "options"), "word beside start")
        story.deal(mapping(said.get("options"), "options"))
    else:
        story.stand(said)
    return story


def _tidy(given: Mapping[str, Any]) -> dict[str, Any]:
    """Empty values are empty descriptions, an edition is an option; every word is known."""
    said = dict(given)
    if "edition" in said:
        said["options"] = {"edition": said.pop("edition"), **mapping(said.get("options"), "options")}
    for word in said:
        known(word, (*words.Description.__struct_fields__, *EXTRA), "word of given")
    _known_values(said, "given")
    if "players" in said:
        said["players"] = _players(said["players"], is_dealt=bool(said.get("start")))
    for word, shape in KEYED.items():
        if word in said:
            said[word] = {name: _known_fields(value, shape, word) for name, value in mapping(said[word], word).items()}
    for word, shape in LISTED.items():
        if word in said:
            said[word] = [_known_fields(value, shape, word) for value in listed(said[word])]
    return said | {word: _known_fields(said[word], shape, word) for word, shape in SINGLE.items() if word in said and "start" not in said}


def _players(said: Any, *, is_dealt: bool) -> dict[str, Any]:
    """Names, alone or with what the player has. How many may sit down is the rules' to say where a game is dealt."""
    players = dict.fromkeys(map(str, said)) if isinstance(said, list) else dict(mapping(said, "players"))
    if isinstance(said, list) and len(players) < len(said):
        raise ScenarioError(f"no two players have one name: {', '.join(map(str, said))}")
    if len(players) not in SEATS and not is_dealt:
        raise ScenarioError(f"a position has {SEATS.start} to {SEATS.stop - 1} players, not {len(players)}")
    return players


def _known_fields(said: Any, shape: Any, where: str) -> dict[str, Any]:
    fields = mapping(said, where)
    for field in fields:
        known(field, shape.__struct_fields__, f"word of {where}")
    _known_values(fields, where)
    return dict(fields)


def _known_values(fields: Mapping[str, Any], where: str) -> None:
    for field, said in fields.items():
        if (where, field) in VALUES:
            for value in said if isinstance(said, (list, Mapping)) else [said]:
                known(value, VALUES[where, field], f"{field} in {where},")
    for modifier in listed(fields.get("modifiers")):
        said = mapping(modifier, "modifiers")
        known(said.get("number"), MODIFIERS, "number of a modifier")
        known(said.get("source"), SOURCES, "source of a modifier")


def _script(draws: Mapping[str, Any], names: list[str]) -> dict[str, list[Any]]:
    """The answers as the rules draw them: players by seat, bundles as pairs."""
    script: dict[str, list[Any]] = {}
    for label, answers in draws.items():
        known(label, DRAWS, "draw")
        script[label] = [_answer(label, answer, names) for answer in listed(answers)]
    return script


def _answer(label: str, answer: Any, names: list[str]) -> Any:
    if label == "influence_tie":
        return [names.index(known(name, names, "player")) for name in listed(answer)]
    return tuple(listed(answer)) if label == "contract_bundle" else answer
