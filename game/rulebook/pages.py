"""A rulebook taken apart into sections and rendered for one edition, once in a process."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from django.utils.html import escape

from game.rulebook.editions import notes_of, of_edition
from game.rulebook.markup import RULE, anchor_of, linked, plain, rendered

DOCUMENTS = Path(__file__).resolve().parents[2] / "docs" / "rules"
HEADING = re.compile(r"(?m)^(#{2,3}) (.+)$")
OF_RULES = ("S 8", "Resolutions A1–A100", "Decisions with a number", "Decisions with a name")
"""Sections whose first table is a list of rules."""
ROW = re.compile(r"(?s)<tr id=\"([^\"]+)\">.*?</tr>\n?")


@dataclass(frozen=True)
class Note:
    """A difference of the edition, told on top of the section that it changes."""

    rule: str
    subject: str
    html: str


@dataclass(frozen=True)
class Section:
    """One heading with what stands under it. `number` is "" where it has none; a part is a heading above others.
    `heading` is the title as HTML."""

    number: str
    title: str
    heading: str
    anchor: str
    is_part: bool
    html: str
    notes: tuple[Note, ...] = ()

    @cached_property
    def words(self) -> str:
        """Everything that can be searched, escaped as in HTML."""
        notes = " ".join(f"{note.rule} {note.subject} {plain(note.html)}" for note in self.notes)
        return f"{escape(self.number)} {self.heading} {notes} {plain(self.html)}"


@dataclass(frozen=True)
class Book:
    """The rules of one edition: an introduction, the sections in order, and the addresses on the page."""

    edition: int
    intro: str
    sections: tuple[Section, ...]
    anchors: frozenset[str]


@cache
def book(key: str, edition: int) -> Book:
    """The rulebook of a ruleset as one edition plays it."""
    opening, *parts = HEADING.split(_document(key))
    drafts = [_section(marks, heading, text, edition) for marks, heading, text in zip(*[iter(parts)] * 3, strict=True)]
    rows = {anchor: row for draft in drafts for anchor, row in _rules_of(draft)}
    anchors = frozenset(draft.anchor for draft in drafts) | frozenset(rows)
    sections = tuple(_finished(draft, edition, rows, anchors) for draft in drafts)
    return Book(edition, linked(rendered(_intro(opening), has_anchors=False), anchors), sections, anchors)


def _document(key: str) -> str:
    """The Markdown, its links to headings turned to the addresses of this page."""
    text = (DOCUMENTS / f"{key}.md").read_text(encoding="utf-8")
    places = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-"): _anchor(heading) for _, heading in HEADING.findall(text)}
    return re.sub(r"\]\(#([\w-]+)\)", lambda found: f"](#{places[found[1]]})", text)


def _intro(opening: str) -> str:
    """The paragraphs for players; what speaks of the program's files is for its readers."""
    return "\n\n".join(part for part in opening.split("\n\n") if part.startswith("**") and "`tests/" not in part)


def _number_and_title(heading: str) -> tuple[str, str]:
    found = re.fullmatch(rf"({RULE.pattern}) (.+)", heading)
    return (found[1], found[2]) if found else ("", heading)


def _anchor(heading: str) -> str:
    number, title = _number_and_title(heading)
    chapter = re.match(r"(\d)\. ", title)
    return f"part-{chapter[1]}" if chapter else anchor_of(number or title)


def _section(marks: str, heading: str, text: str, edition: int) -> Section:
    number, title = _number_and_title(heading)
    name = number or heading
    html = rendered(of_edition(name, text, edition), has_anchors=name in OF_RULES)
    return Section(number, title, escape(title), _anchor(heading), marks == "##", html)


def _rules_of(section: Section) -> list[tuple[str, tuple[str, str]]]:
    """Addresses of the rules listed in a section, each with its subject and its text."""
    rows = []
    for row in ROW.finditer(section.html):
        cells = re.findall(r"(?s)<t[hd][^>]*>(.*?)</t[hd]>", row[0])
        rows.append((row[1], (cells[1] if len(cells) > 2 else "", cells[-1])))
    return rows


def _finished(draft: Section, edition: int, rows: dict[str, tuple[str, str]], anchors: frozenset[str]) -> Section:
    """The same with links, and with the edition's notes on top."""
    notes = tuple(Note(rule, plain(rows[rule][0]), linked(rows[rule][1], anchors)) for rule in notes_of(draft.number, edition))
    return replace(draft, html=linked(draft.html, anchors), notes=notes)
