"""Reading a scenario's words: an unknown word is refused with the list of known ones."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import Any


class ScenarioError(ValueError):
    """A scenario contains something without meaning; the text names the word and the known alternatives."""


class DescriptionError(ScenarioError):
    """The description of a position uses an unknown word, or contradicts itself."""


def known(word: Any, words: Collection[Any], kind: str) -> Any:
    """The word, which must be one of `words`."""
    if not isinstance(word, Hashable) or word not in words:
        raise ScenarioError(f"there is no {kind} {word!r}; known: {', '.join(map(str, words))}")
    return word


def mapping(value: Any, where: str) -> Mapping[Any, Any]:
    """A mapping; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ScenarioError(f"{where} takes words with values, not {value!r}")
    return value


def listed(value: Any) -> list[Any]:
    """A list; a single value is a list of one, None an empty one."""
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]
