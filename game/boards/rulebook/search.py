"""Looking something up in a rulebook: the section about it comes first, whatever word it is called by."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from itertools import islice

from game.boards.rulebook.book import Numbering
from game.boards.rulebook.pages import ROW, Pages, Section

LONGEST = 80  # characters of a query that count
MOST_WORDS = 8  # that count, each once
ENGLISH = "a an and are can do does how i in is it my of on the this to what when where which who with you"
GERMAN = "das der die ein eine gibt ich ist kann man und was wann welche wer wie wird"
SMALL_WORDS = frozenset([*ENGLISH.split(), *GERMAN.split()])
"""Words of questions, in both languages, which say nothing about the subject."""


def find(rules: Pages, query: str, numbering: Numbering) -> tuple[Section, ...]:
    """The sections that contain every word of the query, the most relevant first, hits marked; lists of rules show only
    matching rows. A word of the reader's language finds what its English one finds, too."""
    answer = _found(rules, query, numbering)
    english = rules.english.get(query.casefold())
    if not english:
        return answer
    first = _found(rules, english, numbering)
    anchors = {section.anchor for section in first}
    return (*first, *(section for section in answer if section.anchor not in anchors))


def _found(rules: Pages, query: str, numbering: Numbering) -> tuple[Section, ...]:
    terms = _terms(query, numbering)
    return rules.answers.get(tuple(term.pattern for term in terms), lambda: _search(rules, terms))


def _search(rules: Pages, terms: list[re.Pattern[str]]) -> tuple[Section, ...]:
    hit = [section for section in rules.sections if _is_hit(section.words, terms)] if terms else []
    hit.sort(key=lambda section: _distance(section, terms))
    return tuple(_with_hits_marked(section, terms) for section in hit)


def _distance(section: Section, terms: list[re.Pattern[str]]) -> tuple[bool, int, int]:
    """Sort key for relevance: sections with this very subject, then headings that contain the most words, the shortest
    of them first; sections whose headings contain none keep the order of the book."""
    heading = f"{escape(section.number)} {section.heading}"
    missing = sum(not term.search(heading) for term in terms)
    subjects = [each for each in section.subjects if len(each.split()) == len(terms)]
    whole = [re.compile(rf"{term.pattern}\w{{0,2}}\b", re.IGNORECASE) for term in terms]
    is_subject = any(_is_hit(each, whole) for each in subjects)
    return not is_subject, missing, len(section.title.split()) if missing < len(terms) else 0


def _terms(query: str, numbering: Numbering) -> list[re.Pattern[str]]:
    """Search patterns: rule numbers match whole, words match from their beginning, so that `divid` and `dividends` find
    dividend. Small words count only where there is nothing else."""
    term = re.compile(rf"\"([^\"]+)\"|(\b(?:{numbering.pattern})(?![\w.]))|([^\s?!]+)", re.IGNORECASE)
    words = dict.fromkeys(match.groups() for match in term.finditer(query[:LONGEST].lower()))
    telling = [each for each in words if each[2] not in SMALL_WORDS]
    return [_term(*word) for word in islice(telling or words, MOST_WORDS)]


def _term(phrase: str | None, rule: str | None, word: str | None) -> re.Pattern[str]:
    end = r"(?![\d.]*\d)" if rule else ""
    text = phrase or rule or _singular(word or "")
    return re.compile(r"(?<![\w&])" + re.escape(escape(text)) + end, re.IGNORECASE)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _is_hit(words: str, terms: list[re.Pattern[str]]) -> bool:
    return all(term.search(words) for term in terms)


def _with_hits_marked(section: Section, terms: list[re.Pattern[str]]) -> Section:
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
    """Mark hits outside of tags with `mark`."""
    any_term = re.compile("(<[^>]+>)|" + "|".join(f"(?:{term.pattern})" for term in terms), re.IGNORECASE)
    return any_term.sub(lambda hit: hit[1] or f"<mark>{hit[0]}</mark>", html)
