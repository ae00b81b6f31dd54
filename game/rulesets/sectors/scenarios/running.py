"""Reads scenarios and runs them: given a position, when things are done, then these values are expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import yaml

from game.rulesets.sectors.descriptions import DescriptionError
from game.rulesets.sectors.scenarios.given import stand
from game.rulesets.sectors.scenarios.language import ScenarioError, known, listed, mapping, rule_numbers
from game.rulesets.sectors.scenarios.log import COMPARISONS, compare_views
from game.rulesets.sectors.scenarios.questions import QUESTIONS
from game.rulesets.sectors.scenarios.steps import take
from game.rulesets.sectors.scenarios.story import Story

KEYS = {
    "rule": "the rules it shows: a number, or a list of numbers and decisions' names",
    "title": "what it shows, in a sentence",
    "given": "the position before the first step",
    "when": "the steps, in order; left out when the position itself is looked at",
    "then": "what is expected afterwards",
    "otherwise": "other steps from the same position, for `hidden_from` and `shown_to`",
}


class Scenario(msgspec.Struct, frozen=True):
    """One scenario as it was written."""

    file: str
    title: str
    rules: tuple[str, ...]
    given: Mapping[str, Any]
    when: list[Any]
    then: Mapping[str, Any]
    otherwise: list[Any] | None = None


class Check(msgspec.Struct, frozen=True):
    """One expectation and what came of it."""

    what: str
    expected: Any
    got: Any

    @property
    def passed(self) -> bool:
        """Whether it is as expected; of lists of facts only those named are compared."""
        return _agrees(self.expected, self.got)


class Told(msgspec.Struct, frozen=True):
    """A scenario that was run, with all its expectations."""

    scenario: Scenario
    checks: list[Check]

    @property
    def passed(self) -> bool:
        """Whether every expectation was met."""
        return all(check.passed for check in self.checks)


class _Once(yaml.SafeLoader):
    """YAML in which a word said twice is refused, for the first would be forgotten."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        words = [key.value for key, _ in node.value]
        if twice := [word for word in words if words.count(word) > 1]:
            raise ScenarioError(f"line {node.start_mark.line + 1}: {twice[0]!r} is said twice")
        said: dict[Any, Any] = super().construct_mapping(node, deep)
        return said


def read(file: str, text: str) -> list[Scenario]:
    """The scenarios of a file. Raises `ScenarioError`."""
    try:
        return [_scenario(file, said) for said in listed(yaml.load(text, _Once))]  # noqa: S506  (a safe loader)
    except (yaml.YAMLError, ScenarioError) as error:
        raise ScenarioError(f"{file}: {error}") from None


def _scenario(file: str, said: Any) -> Scenario:
    said = mapping(said, "a scenario")
    for word in said:
        known(word, KEYS, "key of a scenario")
    for word in ("rule", "title", "given", "then"):
        known(word, said, "key here that every scenario needs,")
    otherwise = listed(said["otherwise"]) if "otherwise" in said else None
    given, when, then = mapping(said["given"], "given"), listed(said.get("when")), mapping(said["then"], "then")
    return Scenario(file, str(said["title"]), rule_numbers(said["rule"]), given, when, then, otherwise)


def run(scenario: Scenario) -> Told:
    """Play a scenario and compare. Raises `ScenarioError` where a word has no meaning."""
    try:
        told = Told(scenario, list(_run(scenario)))
        if not told.checks:
            raise ScenarioError(f"it expects nothing; words of then: {', '.join(QUESTIONS)}")
        return told
    except OverflowError:
        raise ScenarioError(f"{scenario.file}: “{scenario.title}”: a number is too large") from None
    except (ScenarioError, DescriptionError) as error:
        raise ScenarioError(f"{scenario.file}: “{scenario.title}”: {error}") from None
    except ValueError as error:  # a scripted draw that is not possible
        raise ScenarioError(f"{scenario.file}: “{scenario.title}”: {error}") from None


def _run(scenario: Scenario) -> Iterator[Check]:
    story = stand(scenario.given)
    yield from _play(story, scenario.when)
    other = None
    if scenario.otherwise is not None:
        other = stand(scenario.given)
        yield from _play(other, scenario.otherwise)
    yield from _compare(story, other, scenario.then)
    if unused := [f"{label} {left}" for label, left in story.script.items() if left]:
        yield Check("fixed draws that were not drawn", [], unused)
    if "refusals" not in scenario.then and story.refusals:
        yield Check("refusals", [], [f"{refusal.step}: {refusal.text}" for refusal in story.refusals])


def _play(story: Story, steps: list[Any]) -> Iterator[Check]:
    for step in steps:
        if isinstance(step, Mapping) and "then" in step:
            yield from _compare(story, None, mapping(step["then"], "then"))
        else:
            take(story, step)


def _compare(story: Story, other: Story | None, then: Mapping[str, Any]) -> Iterator[Check]:
    for word, expected in then.items():
        if word in COMPARISONS:
            yield from (Check(*asked) for asked in compare_views(story, other, word, expected))
        else:
            question = QUESTIONS[known(word, (*QUESTIONS, *COMPARISONS), "word of then")]
            yield from (Check(*asked) for asked in question.answers(story, word, expected))
    if story.is_told and not story.is_conserved:
        yield Check("consumers", "conserved", "made or lost")


def _agrees(expected: Any, got: Any) -> bool:
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return all(key in got and _agrees(value, got[key]) for key, value in expected.items())
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(_agrees, expected, got))
    return type(expected) is type(got) and bool(expected == got)
