"""A rulebook: its variants, tables and terms, how its rules are numbered, and the anchor of each on the page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

OF_PHASE = re.compile(r" phase \w+$")
UNTOUCHED = r"<a\b.*?</a>|<code>.*?</code>|<th scope=\"row\">.*?</th>"


def written(rows: Iterable[Iterable[object]]) -> list[tuple[str, ...]]:
    """Every cell as text."""
    return [tuple(str(cell) for cell in row) for row in rows]


def slug(words: str) -> str:
    """Words as part of a URL."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain)).strip("-_")


def anchor_of_number(number: str) -> str:
    """The anchor of a numbered rule on the page."""
    return number.replace(" ", "-")


def word_anchor(word: str) -> str:
    """The anchor of a glossary term on the page."""
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
        """True if a rule is cited by its number, not by a name."""
        return self._number.match(rule) is not None

    def anchor_of(self, rule: str) -> str:
        """The anchor of a rule: `S-5.3`, `A27`, `round-trips`. A phase named with it is left out."""
        rule = OF_PHASE.sub("", rule)
        return anchor_of_number(rule) if self._number.fullmatch(rule) else slug(rule)

    def split(self, heading: str) -> tuple[str, str]:
        """A heading's number, if it has one, and its title."""
        match = re.fullmatch(rf"({self.pattern}) (.+)", heading)
        return (match[1], match[2]) if match else ("", heading)

    def linked(self, html: str, anchors: Set[str]) -> str:
        """Link every cited rule that has an anchor on the page."""

        def link(match: re.Match[str]) -> str:
            rule = match[2] or match[3] or ""
            if match[1] or self.anchor_of(rule) not in anchors:
                return match[0]
            return f'<a class="ref" href="#{self.anchor_of(rule)}">{rule}</a>'

        replace: Any = link
        return self._cited.sub(replace, html)


DOCUMENTS = Path(__file__).resolve().parents[3] / "docs" / "rules"

Table = list[tuple[str, ...]]
Tables = Mapping[tuple[str, int], Table]
"""First columns of the document's tables, from the engine, by section and index in it."""
Lengths = Callable[[str, str], int]
"""From a pace and a class of clocks to seconds. Paces belong to the site, which passes this in."""


@dataclass(frozen=True)
class Start:
    """A rule to begin with, under its own title; `rule` is its number."""

    title: str
    rule: str

    @property
    def anchor(self) -> str:
        """The anchor of the rule."""
        return anchor_of_number(self.rule)


@dataclass(frozen=True)
class Line:
    """One line of how to play, in the reader's language: what to do, how, and the number of the rule with the
    details."""

    title: str
    text: str
    rule: str

    @property
    def anchor(self) -> str:
        """The anchor of that rule."""
        return anchor_of_number(self.rule)


@dataclass(frozen=True)
class Turn:
    """How to play on one screen, in the reader's language: the goal, and a turn line by line."""

    aim: str
    lines: tuple[Line, ...]
    title: str


@dataclass(frozen=True)
class Term:
    """A term of the game and its meaning, in at most twenty words, both marked for translation, the word as
    `glossary`. `also`: other names that labels use; `only`: keys of the variants that have it, all if empty."""

    word: str
    meaning: str
    also: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


@dataclass(frozen=True)
class Variant:
    """One way of playing the same rules, such as an edition. `key` is the option value that chooses it."""

    key: str = ""
    title: str = ""
    means: str = ""  # who plays it
    text: str = ""  # what it is like, in one or two sentences
    intro: str = ""  # Markdown: how to read the page of this variant
    sentences: Mapping[str, str] = field(default_factory=dict)  # section -> its sentence that differs between variants
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # section -> rules that change what it says


@dataclass(frozen=True, eq=False)
class Rulebook:
    """A game's rulebook. The document is written for the first variant; the pages of the others are derived from it. A
    passage between `<!-- KEY KEY -->` and `<!-- / -->` is on the pages of these variants only. One after
    `<!-- code -->`, and columns headed `key`, are in the file alone."""

    key: str  # docs/rules/<key>.md
    title: str
    numbering: Numbering
    option: str = ""  # the game's option that chooses the variant
    option_title: str = ""  # the title of that option
    variants: tuple[Variant, ...] = (Variant(),)
    tables: Callable[[str, Lengths], Tables] = lambda variant, lengths: {}
    turn: Callable[[str], Turn | None] = lambda variant: None
    lists: tuple[str, ...] = ()  # headings whose first table is a list of rules
    terms: tuple[Term, ...] = ()
    appendix: str = ""  # the heading with which the text for readers of the code begins; words are explained before it
    starts: tuple[Start, ...] = ()  # where to begin
    index: Mapping[str, str] = field(
        default_factory=dict
    )  # section -> subjects, by comma, that its heading does not name
    example: str = ""  # a word to search for, as an example
    pictures: Mapping[str, str] = field(
        default_factory=dict
    )  # section -> the template in templates/jinja that draws it

    @property
    def document(self) -> Path:
        """The file of the rulebook."""
        return DOCUMENTS / f"{self.key}.md"

    @property
    def usual(self) -> Variant:
        """The variant for which the document is written."""
        return self.variants[0]

    @cached_property
    def by_key(self) -> Mapping[str, Variant]:
        """The variants by option value."""
        return {variant.key: variant for variant in self.variants}

    @cached_property
    def _by_word(self) -> Mapping[str, Term]:
        """The glossary by term: one entry may explain several terms, and one term may have several names."""
        return {
            name.strip().casefold(): term
            for term in self.terms
            for name in (term.word, *term.word.split(","), *term.also)
        }

    def term_of(self, label: str) -> Term | None:
        """The glossary term of a label, in the singular or the plural."""
        folded = label.casefold()
        plain = folded[:-3] + "y" if folded.endswith("ies") else folded.removesuffix("s")
        return self._by_word.get(folded) or self._by_word.get(plain)

    def query(self, variant: str) -> str:
        """The query string that names a variant."""
        return f"?{self.option}={variant}" if self.option and variant in self.by_key else ""

    def anchor_of(self, rule: str) -> str:
        """The anchor of a rule on the page."""
        return self.numbering.anchor_of(rule)
