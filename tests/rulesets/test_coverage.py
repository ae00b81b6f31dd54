"""Whole games together meet everything a ruleset declares: phases, actions, events, endings, and lines of a ballot."""

from __future__ import annotations

import pytest

from game.engine.actions import COMMON_ACTIONS, Action
from game.engine.events import KERNEL_EVENTS, PhaseOpened
from tests.rulesets.games import PLAYED, RULES, Step, games_of

each_ruleset = pytest.mark.parametrize("key", RULES)


@each_ruleset
def test_every_phase_is_reached(key: str) -> None:
    opened = {
        event.phase
        for game in games_of(key)
        for step in game.all()
        for event in step.events
        if isinstance(event, PhaseOpened)
    }
    assert opened == {row.phase.name for game in games_of(key) for row in game.rules.flow(game.options).rows}


@each_ruleset
def test_every_action_is_offered_and_asked(key: str) -> None:
    rules = RULES[key]
    common = {str(kind.__struct_config__.tag) for kind in COMMON_ACTIONS}
    steps: list[Step] = [step for game in games_of(key) for step in game.all()]
    offered = {offer.kind for step in steps for offer in step.offers if not offer.refused}
    kinds = {_tag(action) for step in steps for action in step.actions}
    assert offered == set(rules.actions) - common
    assert kinds - common == offered


def _tag(action: Action) -> str:
    return str(action.__struct_config__.tag)


@each_ruleset
def test_every_event_happens_and_has_words(key: str) -> None:
    seen = {_tag(event) for game in games_of(key) for step in game.all() for event in step.events}
    kernels = {str(kind.__struct_config__.tag) for kind in KERNEL_EVENTS}
    assert (seen | PLAYED[key].RARE_EVENTS) - kernels == set(RULES[key].registries["events"]) - kernels
    for kind in RULES[key].registries["events"].values():
        assert kind.text or "sentence" in vars(kind)


@each_ruleset
def test_whatever_a_game_can_show_occurs(key: str) -> None:
    """Endings, and of each game what its own `OCCURRING` lists."""
    rules = RULES[key]
    seen = {
        occurred
        for game in games_of(key)
        for step in game.all()
        for event in step.events
        for occurred in rules.occurrences(event)
    } | {("ends", rules.end_reason(game.last.state)) for game in games_of(key)}
    for registry, expected in PLAYED[key].OCCURRING.items():
        assert expected <= {name for kind, name in seen if kind == registry} <= set(rules.registries[registry])
