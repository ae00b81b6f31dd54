"""Runs scenarios: from a given position, through its steps, to the expected values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from game.engine.ruleset import Ruleset
from game.engine.scenarios.given import stand
from game.engine.scenarios.language import ScenarioError, known, mapping
from game.engine.scenarios.log import COMPARISONS, compare_views, refusal_line
from game.engine.scenarios.questions import questions_of
from game.engine.scenarios.reading import Scenario, parts, scenario_of
from game.engine.scenarios.steps import take
from game.engine.scenarios.story import Story


class Check(msgspec.Struct, frozen=True):
    """One expectation and the actual value."""

    what: str
    expected: Any
    got: Any

    @property
    def passed(self) -> bool:
        """True if the value is as expected; of a mapping only the expected keys are compared."""
        return _agrees(self.expected, self.got)


class ScenarioResult(msgspec.Struct, frozen=True):
    """A scenario that was run, with all its expectations; `error` says why it could not be run."""

    file: str
    title: str
    rules: tuple[str, ...]
    checks: list[Check]
    error: str = ""

    @property
    def passed(self) -> bool:
        """True if every expectation was met."""
        return not self.error and all(check.passed for check in self.checks)


def tell(rules: Ruleset, file: str, text: str) -> list[ScenarioResult]:
    """Run every scenario of a file. If one cannot be read or run, its result is the error, and the others still run."""
    try:
        entries = parts(file, text)
    except ScenarioError as error:
        return [ScenarioResult(file, "", (), [], str(error))]
    return [_tell(rules, file, entry, number) for number, entry in enumerate(entries, 1)]


def _tell(rules: Ruleset, file: str, entry: Any, number: int) -> ScenarioResult:
    title = str(entry["title"]) if isinstance(entry, Mapping) and "title" in entry else f"scenario {number}"
    try:
        scenario = scenario_of(rules, file, entry)
    except ScenarioError as error:
        return ScenarioResult(file, title, (), [], f"{file}: “{title}”: {error}")
    try:
        return run(rules, scenario)
    except ScenarioError as error:
        return ScenarioResult(file, title, scenario.rules, [], str(error))
    except Exception as error:  # rules that break down in one scenario must not hide the results of the others
        return ScenarioResult(file, title, scenario.rules, [], f"{file}: “{title}”: {type(error).__name__}: {error}")


def run(rules: Ruleset, scenario: Scenario) -> ScenarioResult:
    """Play a scenario and check its expectations. Raises `ScenarioError` if a word or a draw is not possible."""
    try:
        checks = list(_run(rules, scenario))
        if not checks:
            raise ScenarioError(f"it expects nothing; `then` may contain: {', '.join(questions_of(rules))}")
    except OverflowError:
        raise ScenarioError(f"{scenario.file}: “{scenario.title}”: a number is too large") from None
    except ValueError as error:  # a word without meaning, or a scripted draw that is not possible
        raise ScenarioError(f"{scenario.file}: “{scenario.title}”: {error}") from None
    return ScenarioResult(scenario.file, scenario.title, scenario.rules, checks)


def _run(rules: Ruleset, scenario: Scenario) -> Iterator[Check]:
    story = stand(rules, scenario.given)
    yield from _play(story, scenario.when)
    other = None
    if scenario.otherwise is not None:
        other = stand(rules, scenario.given)
        yield from _play(other, scenario.otherwise)
        if other.refusals:
            yield Check("refusals of `otherwise`", [], [refusal_line(refusal) for refusal in other.refusals])
    yield from _compare(story, other, scenario.then)
    if unused := [f"{label} {answers}" for label, answers in story.script.items() if answers]:
        yield Check("fixed draws that were not drawn", [], unused)
    if "refusals" not in scenario.then and story.refusals:
        yield Check("refusals", [], [refusal_line(refusal) for refusal in story.refusals])


def _play(story: Story, steps: list[Any]) -> Iterator[Check]:
    for step in steps:
        if isinstance(step, Mapping) and "then" in step:
            yield from _compare(story, None, mapping(step["then"], "then"))
        else:
            take(story, step)


def _compare(story: Story, other: Story | None, then: Mapping[str, Any]) -> Iterator[Check]:
    questions = questions_of(story.rules)
    for word, expected in then.items():
        if word in COMPARISONS:
            yield from (Check(*answer) for answer in compare_views(story, other, word, expected))
        else:
            question = questions[known(word, (*questions, *COMPARISONS), "word of then")]
            yield from (Check(*answer) for answer in question.answers(story, word, expected))
    if story.has_begun:
        yield from (Check(name, "conserved", "made or lost") for name in story.lost_or_made())


def _agrees(expected: Any, got: Any) -> bool:
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return all(key in got and _agrees(value, got[key]) for key, value in expected.items())
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(_agrees, expected, got))
    return type(expected) is type(got) and bool(expected == got)
