"""Looking something up in the rulebook: sections that hold every word, the words marked."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from itertools import islice

from game.boards.rulebook.numbering import Numbering
from game.boards.rulebook.pages import ROW, Pages, Section

LONGEST = 80  # characters of a query that count
MOST_WORDS = 8  # that count, each once


def find(rules: Pages, query: str, numbering: Numbering) -> tuple[Section, ...]:
    """The sections in which every word of the query occurs, those about it first, hits marked; lists of rules show only
    the rows hit."""
    terms = _terms(query, numbering)
    return rules.answers.get(tuple(term.pattern for term in terms), lambda: _found(rules, terms))


def _found(rules: Pages, terms: list[re.Pattern[str]]) -> tuple[Section, ...]:
    hit = [section for section in rules.sections if _is_hit(section.words, terms)] if terms else []
    hit.sort(key=lambda section: _distance(section, terms))
    return tuple(_shown(section, terms) for section in hit)


def _distance(section: Section, terms: list[re.Pattern[str]]) -> tuple[bool, int]:
    """How far a section is from being about the query: one whose heading holds every word comes first, the one whose
    heading says least else before all; the others stay in the order of the book."""
    is_about = _is_hit(f"{escape(section.number)} {section.heading}", terms)
    return not is_about, len(section.title.split()) if is_about else 0


def _terms(query: str, numbering: Numbering) -> list[re.Pattern[str]]:
    """A rule's number counts whole, words from their beginning, so that `divid` finds dividends."""
    term = re.compile(rf"\"([^\"]+)\"|(\b(?:{numbering.pattern})(?![\w.]))|(\S+)", re.IGNORECASE)
    words = dict.fromkeys(found.groups() for found in term.finditer(query[:LONGEST].lower()))
    return [_term(*word) for word in islice(words, MOST_WORDS)]


def _term(phrase: str | None, rule: str | None, word: str | None) -> re.Pattern[str]:
    end = r"(?![\d.]*\d)" if rule else ""
    return re.compile(r"(?<![\w&])" + re.escape(escape(phrase or rule or word or "")) + end, re.IGNORECASE)


def _is_hit(words: str, terms: list[re.Pattern[str]]) -> bool:
    return all(term.search(words) for term in terms)


def _shown(section: Section, terms: list[re.Pattern[str]]) -> Section:
    rows = [row[0] for row in ROW.finditer(section.html)]
    if any(_is_hit(_plain(row), terms) for row in rows):
        html = ROW.sub(lambda row: row[0] if _is_hit(_plain(row[0]), terms) else "", section.html)
    else:
        html = section.html
    notes = tuple(replace(note, html=_marked(note.html, terms)) for note in section.notes)
    return replace(section, heading=_marked(section.heading, terms), html=_marked(html, terms), notes=notes)


def _plain(html: str) -> str:
    return re.sub(r"<[^>]+>", " ", html)


def _marked(html: str, terms: list[re.Pattern[str]]) -> str:
    """Hits outside of tags, each in a `mark`."""
    any_term = re.compile("(<[^>]+>)|" + "|".join(f"(?:{term.pattern})" for term in terms), re.IGNORECASE)
    return any_term.sub(lambda hit: hit[1] or f"<mark>{hit[0]}</mark>", html)
