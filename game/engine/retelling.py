"""Re-parses stored English sentences to translate them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Protocol

from game.engine.language import say

FactTranslator = Callable[[str, str], str]
"""Translates a fact by its name."""


class Translator(Protocol):
    """Translates a sentence, and each of its facts by `translate_fact`."""

    def __call__(self, sentence: str, translate_fact: FactTranslator | None = None) -> str: ...


def retelling(
    templates: Iterable[str],
    *,
    fact: str,
    forms: Mapping[str, str] = {},
) -> Translator:
    """A translator of sentences that match one of these templates; others are looked up as they are.

    `fact` is the pattern of a fact, and `forms` has patterns by fact name."""
    texts = tuple(templates)

    @cache
    def patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
        return tuple((re.compile(_pattern(text, fact, forms)), text) for text in texts)

    def translate(sentence: str, translate_fact: FactTranslator | None = None) -> str:
        for pattern, template in patterns():
            if match := pattern.fullmatch(sentence):
                facts = match.groupdict()
                translated_facts = (
                    {name: translate_fact(name, value) for name, value in facts.items()} if translate_fact else facts
                )
                return say(template, **translated_facts)
        return say(sentence)

    return translate


def _pattern(template: str, fact: str, forms: Mapping[str, str]) -> str:
    """A regular expression for a template; a repeated fact must match the same text."""
    seen_names: set[str] = set()

    def group(match: re.Match[str]) -> str:
        name = match[1]
        is_repeated = name in seen_names
        seen_names.add(name)
        return f"(?P={name})" if is_repeated else f"(?P<{name}>{forms.get(name, fact)})"

    return re.sub(r"\\{(\w+)\\}", group, re.escape(template))
