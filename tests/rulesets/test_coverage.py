"""Whole games together meet everything a ruleset declares: phases, actions, events, endings, and lines of a ballot."""

from __future__ import annotations

import pytest

from game.engine.actions import COMMON_ACTIONS, Action
from game.engine.events import PhaseOpened
from tests.rulesets.games import SHIPPED, Step, games_of

RARE_EVENTS = {"sectors": {"cover_dropped", "divested"}}
"""Events that random play hardly meets; scenarios show them."""

each_ruleset = pytest.mark.parametrize("key", SHIPPED)


@each_ruleset
def test_every_phase_is_reached(key: str) -> None:
    opened = {event.phase for game in games_of(key) for step in game.all() for event in step.events if isinstance(event, PhaseOpened)}
    assert opened == {row.phase.name for game in games_of(key) for row in game.rules.flow(game.options).rows}


@each_ruleset
def test_every_action_is_offered_and_asked(key: str) -> None:
    rules = SHIPPED[key]
    common = {str(kind.__struct_config__.tag) for kind in COMMON_ACTIONS}
    steps: list[Step] = [step for game in games_of(key) for step in game.all()]
    offered = {offer.kind for step in steps for offer in step.offers if not offer.refused}
    asked = {_tag(action) for step in steps for action in step.actions}
    assert offered == set(rules.actions) - common
    assert asked - common == offered


def _tag(action: Action) -> str:
    return str(action.__struct_config__.tag)


@each_ruleset
def test_every_event_happens_and_has_words(key: str) -> None:
    seen = {_tag(event) for game in games_of(key) for step in game.all() for event in step.events}
    assert seen | RARE_EVENTS[key] == set(SHIPPED[key].registries["events"])
    for kind in SHIPPED[key].registries["events"].values():
        assert kind.text or "sentence" in vars(kind)


@each_ruleset
def test_every_ending_order_and_space_occurs(key: str) -> None:
    rules = SHIPPED[key]
    seen = {occurred for game in games_of(key) for step in game.all() for event in step.events for occurred in rules.occurrences(event)}
    for registry in ("ends", "orders", "prestige"):
        assert {name for kind, name in seen if kind == registry} == set(rules.registries[registry])


@each_ruleset
def test_every_company_action_stands_on_some_ballot(key: str) -> None:
    values = {
        value
        for game in games_of(key)
        for step in game.all()
        for offer in step.offers
        if offer.kind == "vote_actions" and not offer.refused
        for field in offer.fields
        if field.name == "actions"
        for value, _ in field.values  # type: ignore[union-attr]
    }
    assert values == set(SHIPPED[key].registries["company_actions"])
