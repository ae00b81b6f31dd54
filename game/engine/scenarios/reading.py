"""Scenario files as text: YAML without duplicate keys, and the keys of every scenario."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import yaml

from game.engine.ruleset import Ruleset
from game.engine.scenarios.language import ScenarioError, known, listed, mapping
from game.engine.scenarios.story import words_of

try:  # in C it is ten times as fast
    from yaml import CSafeLoader as SafeLoader
except ImportError:
    from yaml import SafeLoader  # type: ignore[assignment]

KEYS = {
    "rule": "the rules it shows: a number, or a list of numbers and decisions' names",
    "title": "what it shows, in a sentence",
    "given": "the position before the first step",
    "when": "the steps, in order; left out when the position itself is looked at",
    "then": "what is expected afterwards",
    "otherwise": "other steps from the same position, for `hidden_from` and `shown_to`",
}
NEEDED = ("rule", "title", "given", "then")


class Scenario(msgspec.Struct, frozen=True):
    """One scenario as it was written."""

    file: str
    title: str
    rules: tuple[str, ...]
    given: Mapping[str, Any]
    when: list[Any]
    then: Mapping[str, Any]
    otherwise: list[Any] | None = None


class _Once(SafeLoader):
    """A YAML loader that refuses duplicate keys, because the first would be lost."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        words = [key.value for key, _ in pairs if isinstance(key, yaml.ScalarNode)]
        if twice := [word for word in words if words.count(word) > 1]:
            raise ScenarioError(f"line {node.start_mark.line + 1}: {twice[0]!r} is said twice")
        entries: dict[Any, Any] = super().construct_mapping(node, deep)
        return entries


def parts(file: str, text: str) -> list[Any]:
    """The entries of a file, one per scenario. Raises `ScenarioError`, which names the file."""
    try:
        return listed(yaml.load(text, _Once))  # noqa: S506  (a safe loader)
    except RecursionError:
        raise ScenarioError(f"{file}: it is nested too deeply") from None
    except (yaml.YAMLError, ValueError) as error:  # a date such as 2020-13-45 is a plain ValueError
        raise ScenarioError(f"{file}: {error}") from None


def scenario_of(rules: Ruleset, file: str, entry: Any) -> Scenario:
    """One entry of a file as a scenario. Raises `ScenarioError`."""
    entry = mapping(entry, "a scenario")
    for word in entry:
        known(word, KEYS, "key of a scenario")
    for word in NEEDED:
        known(word, entry, "key here that every scenario needs,")
    otherwise = listed(entry["otherwise"]) if "otherwise" in entry else None
    given, when, then = mapping(entry["given"], "given"), listed(entry.get("when")), mapping(entry["then"], "then")
    return Scenario(file, str(entry["title"]), rule_numbers(rules, entry["rule"]), given, when, then, otherwise)


def rule_numbers(rules: Ruleset, rule: Any) -> tuple[str, ...]:
    """The rules that a scenario shows, in this ruleset's numbering."""
    words = words_of(rules)
    numbers = tuple(str(number) for number in listed(rule))
    if wrong := [number for number in numbers if not words.rule.fullmatch(number)]:
        raise ScenarioError(f"{wrong[0]!r} is no rule; known: {words.rule_examples}")
    if not numbers:
        raise ScenarioError("a scenario names the rules it shows")
    return numbers


def read(rules: Ruleset, file: str, text: str) -> list[Scenario]:
    """The scenarios of a file. Raises `ScenarioError` at the first invalid one."""
    entries = parts(file, text)
    try:
        return [scenario_of(rules, file, each) for each in entries]
    except ScenarioError as error:
        raise ScenarioError(f"{file}: {error}") from None
