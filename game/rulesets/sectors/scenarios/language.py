"""How a scenario's words are taken: each is known, or it is refused with those that are."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Mapping
from typing import Any


class ScenarioError(ValueError):
    """A scenario says something that has no meaning here; the text names the word and what would have been known."""


def known(word: Any, words: Collection[Any], kind: str) -> Any:
    """The word, which must be one of `words`."""
    if not isinstance(word, Hashable) or word not in words:
        raise ScenarioError(f"there is no {kind} {word!r}; known: {', '.join(map(str, words))}")
    return word


def mapping(said: Any, where: str) -> Mapping[Any, Any]:
    """A mapping; nothing said is an empty one."""
    if said is None:
        return {}
    if not isinstance(said, Mapping):
        raise ScenarioError(f"{where} takes words with values, not {said!r}")
    return said


def listed(said: Any) -> list[Any]:
    """A list; a single thing is a list of one, nothing an empty one."""
    if said is None:
        return []
    return list(said) if isinstance(said, list) else [said]


RULE = re.compile(r"S \d+\.\d+|A\d+|R-\d+|D\d+|I\d+|(\d+ )?[A-Za-z][A-Za-z0-9-]*( [A-Za-z0-9]+){0,3}")


def rule_numbers(said: Any) -> tuple[str, ...]:
    """The rules a scenario shows: section, A, R and D numbers, or a decision's name."""
    numbers = tuple(str(number) for number in listed(said))
    if wrong := [number for number in numbers if not RULE.fullmatch(number)]:
        raise ScenarioError(f"{wrong[0]!r} is no rule; known: S 5.3, A27, R-7, D22, or a decision's name")
    if not numbers:
        raise ScenarioError("a scenario names the rules it shows")
    return numbers
