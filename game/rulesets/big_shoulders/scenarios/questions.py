"""Questions in scenarios about a game of City of the Big Shoulders."""

from __future__ import annotations

from typing import Any

import msgspec

from game.engine.ledger import BANK, hand_of, treasury_of
from game.engine.scenarios.language import mapping
from game.engine.scenarios.story import Story
from game.engine.scenarios.words import Answers
from game.rulesets.big_shoulders.scenarios.notation import (
    certificates_as,
    cubes_as,
    demand_as,
    factory_as,
)
from game.rulesets.big_shoulders.scenarios.words import WORDS
from game.rulesets.big_shoulders.state import BAG, HAYMARKET
from game.rulesets.big_shoulders.tables import COLUMNS, COMPANY_KEYS, TRADES, UNITS, Company

ask, ask_of = WORDS.ask, WORDS.ask_of
WORDS.find("company", lambda story: {company: company for company in COMPANY_KEYS})
WORDS.find("trade", lambda story: {trade: trade for trade in TRADES})


def _named(story: Story, seat: int | None) -> str | None:
    return None if seat is None else story.names[seat]


def _names(story: Story, seats: list[int]) -> list[str]:
    return [story.names[seat] for seat in seats]


def _operation(story: Story) -> dict[str, Any] | None:
    operation = story.state.operation
    return None if operation is None else msgspec.to_builtins(operation)


ask("acting", "the player whose turn it is, or null", lambda s: _named(s, s.state.acting))
ask("priority", "the player who begins the next stock phase", lambda s: s.names[s.state.priority])
ask("passes", "passes in a row", lambda s: s.state.passes)
ask("order", "players in the order of the action phase", lambda s: _names(s, s.state.order))
ask("next_order", "players in the order of the next sequence", lambda s: _names(s, s.state.next_order))
ask("sequence", "players still to act in this sequence", lambda s: _names(s, s.state.sequence))
ask("track", "started companies in the order in which they would operate", lambda s: list(s.state.track))
ask("market", "workers in the job market", lambda s: s.state.market)
ask("haymarket", "cubes in Haymarket Square", lambda s: cubes_as(s.state.cubes_at(HAYMARKET)))
ask("bag", "cubes in the bag", lambda s: cubes_as(s.state.cubes_at(BAG)))
ask("supply", "cubes by column", lambda s: {column: cubes_as(s.state.cubes_at(column)) for column in COLUMNS})
ask("assets", "the row of capital assets from 40 to 80", lambda s: list(s.state.assets))
ask("used", "spaces and tiles used in this decade", lambda s: list(s.state.used))
ask("owed", "spaces of the appeal track whose bonus is open", lambda s: [owed.space for owed in s.state.owed])
ask("operation", "the open operation as facts, or null", _operation)
ask("operating", "companies that still operate in this decade", lambda s: list(s.state.operating))
ask("public_goals", "numbers of the public goals", lambda s: list(s.state.goals))


# --- players

ask_of("player", "hands", "building tiles in the hand", lambda s, seat: list(s.state.hands[seat]))
ask_of("player", "built", "building tiles on the track", lambda s, seat: list(s.state.built[seat]))
ask_of("player", "discarded", "building tiles discarded", lambda s, seat: list(s.state.discarded[seat]))
ask_of("player", "partners", "partners", lambda s, seat: s.state.partners[seat])
ask_of("player", "ready_partners", "partners that are ready", lambda s, seat: s.state.ready[seat])
ask_of("player", "certificates", "number of certificates", lambda s, seat: s.state.certificates(seat))
ask_of("player", "sold", "companies that may not be bought back", lambda s, seat: list(s.state.sold[seat]))
ask_of("player", "awards", "dollars won by goals", lambda s, seat: s.state.awards[seat])


# --- companies


def _kinds(story: Story, company: Company, place: str) -> str:
    return certificates_as({kind: story.state.at(company, kind, place) for kind in UNITS})


@WORDS.question("held", "company", "certificates by player, `pool` and `treasury`: `D 2C`")
def _held(story: Story, question: str, expected: Any) -> Answers:
    for key, holders in mapping(expected, question).items():
        company = story.find("company", key)
        places = {"pool": BANK, "treasury": treasury_of(company)}
        for holder, value in mapping(holders, f"{question} of {key}").items():
            place = places[holder] if holder in places else hand_of(story.seat(holder))
            yield f"{question} of {key} by {holder}", value, _kinds(story, company, place)


def _factories(story: Story, key: Company) -> list[str]:
    return [factory_as(story.state, key, at) for at in range(len(story.state.companies[key].factories))]


ask_of("company", "values", "dollars a share", lambda s, key: s.state.price(key))
ask_of("company", "treasuries", "dollars of the company", lambda s, key: s.state.treasury(key))
ask_of("company", "directors", "its director", lambda s, key: s.names[s.state.companies[key].director])
ask_of("company", "appeal", "space of the appeal track", lambda s, key: s.state.companies[key].appeal)
ask_of("company", "goods", "goods not sold yet", lambda s, key: s.state.companies[key].goods)
ask_of("company", "tokens", "goods tokens", lambda s, key: s.state.companies[key].tokens)
ask_of("company", "salespeople", "salespeople", lambda s, key: s.state.companies[key].salespeople)
ask_of("company", "asset", "the capital asset it keeps, or null", lambda s, key: s.state.companies[key].asset)
ask_of("company", "exhausted", "whether its asset was used", lambda s, key: s.state.companies[key].is_exhausted)
ask_of("company", "factories", "staff from left to right: `wam`", _factories)
ask_of("company", "cubes", "its cubes, as letters", lambda s, key: cubes_as(s.state.cubes_at(key)))
ask_of("trade", "demand", "slots from $50 to $0: `3/1`", lambda s, key: demand_as(s.state, key))
