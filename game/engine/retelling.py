"""Sentences that are stored in English and shown in their reader's language: their facts are found again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from game.engine.language import say


def retelling(
    templates: Iterable[str],
    *,
    fact: str,
    forms: Mapping[str, str] = {},
    told_fact: Callable[[str, str], str] | None = None,
) -> Callable[[str], str]:
    """What tells a written sentence that is one of these templates; another one is told as it is written.

    `fact` is the pattern of a fact, `forms` has those of single names, and `told_fact` says how one of a name is
    told."""
    texts = tuple(templates)

    @cache
    def patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
        return tuple((re.compile(_pattern(text, fact, forms)), text) for text in texts)

    def told(sentence: str) -> str:
        for pattern, template in patterns():
            if found := pattern.fullmatch(sentence):
                facts = found.groupdict()
                shown = {name: told_fact(name, value) for name, value in facts.items()} if told_fact else facts
                return say(template, **shown)
        return say(sentence)

    return told


def _pattern(template: str, fact: str, forms: Mapping[str, str]) -> str:
    """A fact that stands there twice is the same both times."""
    seen: set[str] = set()

    def place(found: re.Match[str]) -> str:
        name = found[1]
        again = name in seen
        seen.add(name)
        return f"(?P={name})" if again else f"(?P<{name}>{forms.get(name, fact)})"

    return re.sub(r"\\{(\w+)\\}", place, re.escape(template))
