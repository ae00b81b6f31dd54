"""How a game numbers its rules, where each one stands on the page, and the links to it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

OF_PHASE = re.compile(r" phase \w+$")
UNTOUCHED = r"<a\b.*?</a>|<code>.*?</code>|<th scope=\"row\">.*?</th>"


def written(rows: Iterable[Iterable[object]]) -> list[tuple[str, ...]]:
    """Numbers as the page prints them."""
    return [tuple(str(cell) for cell in row) for row in rows]


def slug(words: str) -> str:
    """Words as part of an address."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain)).strip("-_")


def anchor_of_number(number: str) -> str:
    """Where a rule with a number stands on the page."""
    return number.replace(" ", "-")


def word_anchor(word: str) -> str:
    """Where a word of the glossary stands on the page."""
    return f"word-{slug(word)}"


@dataclass(frozen=True)
class Numbering:
    """The shape of a game's rule numbers, as a regular expression without groups. Rules may also have a name."""

    pattern: str

    @cached_property
    def _number(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    @cached_property
    def _cited(self) -> re.Pattern[str]:
        return re.compile(rf"({UNTOUCHED})|<em>([^<]+)</em>|<[^>]+>|\b({self.pattern})(?![\d.]*\d)")

    def begins(self, rule: str) -> bool:
        """Whether a rule is called by its number, not by a name."""
        return self._number.match(rule) is not None

    def anchor_of(self, rule: str) -> str:
        """Where a rule stands on the page: `S-5.3`, `A27`, `round-trips`. A phase named with it is left out."""
        rule = OF_PHASE.sub("", rule)
        return anchor_of_number(rule) if self._number.fullmatch(rule) else slug(rule)

    def split(self, heading: str) -> tuple[str, str]:
        """A heading's number, if it has one, and its title."""
        found = re.fullmatch(rf"({self.pattern}) (.+)", heading)
        return (found[1], found[2]) if found else ("", heading)

    def linked(self, html: str, anchors: Set[str]) -> str:
        """Every cited rule that has a place on the page becomes a link to it."""

        def link(found: re.Match[str]) -> str:
            rule = found[2] or found[3] or ""
            if found[1] or self.anchor_of(rule) not in anchors:
                return found[0]
            return f'<a class="ref" href="#{self.anchor_of(rule)}">{rule}</a>'

        replace: Any = link
        return self._cited.sub(replace, html)
