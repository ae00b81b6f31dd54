"""A rulebook taken apart into sections and rendered for one variant, once in a process."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property
from html import escape
from itertools import groupby

from game.boards.rulebook.book import Lengths, Rulebook, Turn, Variant
from game.boards.rulebook.markup import plain, rendered
from game.boards.rulebook.numbering import slug, word_anchor
from game.boards.rulebook.tables import of_variant
from game.infra.process_cache import ProcessCache

HEADING = re.compile(r"(?m)^(#{2,3}) (.+)$")
ROW = re.compile(r"(?s)<tr id=\"([^\"]+)\">.*?</tr>\n?")
WORDS = "Words"
KEPT = 16  # answers to searches


@dataclass(frozen=True)
class Note:
    """A difference of the variant, told on top of the section that it changes."""

    rule: str
    anchor: str
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
class Pages:
    """The rules of one variant: an introduction, how to play, the sections in order, and the addresses on the page."""

    variant: Variant
    intro: str
    turn: Turn | None
    sections: tuple[Section, ...]
    anchors: frozenset[str]

    @cached_property
    def answers(self) -> ProcessCache[tuple[Section, ...]]:
        """What was found in them lately."""
        return ProcessCache(KEPT)

    @property
    def parts(self) -> list[tuple[Section, list[Section]]]:
        """Each part with its sections, for the contents."""
        parts: list[tuple[Section, list[Section]]] = []
        for is_part, sections in groupby(self.sections, key=lambda section: section.is_part):
            if is_part:
                parts += [(section, []) for section in sections]
            else:
                parts[-1][1].extend(sections)
        return parts

    def rule_at(self, anchor: str) -> Section | None:
        """The section that stands there, or the one rule of a list as a section of its own."""
        for section in self.sections:
            if section.anchor == anchor:
                return section
            for each, (subject, html) in _rules_of(section):
                if each == anchor:
                    return replace(section, number=each, title=plain(subject), anchor=each, html=html, notes=())
        return None


@cache
def pages_of(book: Rulebook, key: str, lengths: Lengths) -> Pages:
    """The rulebook as one variant plays it."""
    variant = book.by_key[key]
    opening, *parts = HEADING.split(_document(book))
    thirds = zip(*[iter(parts)] * 3, strict=True)
    drafts = [_section(book, marks, heading, text, variant, lengths) for marks, heading, text in thirds]
    drafts = _with_words(book, drafts)
    rows = {anchor: row for draft in drafts for anchor, row in _rules_of(draft)}
    anchors = frozenset(draft.anchor for draft in drafts) | frozenset(rows)
    sections = tuple(_finished(book, draft, variant, rows, anchors) for draft in drafts)
    intro = book.numbering.linked(rendered(f"{_intro(opening)}\n\n{variant.intro}"), anchors)
    return Pages(variant, intro, book.turn(key), sections, anchors)


def _document(book: Rulebook) -> str:
    """The Markdown with its links to headings as addresses of this page."""
    text = book.document.read_text(encoding="utf-8")
    places = {_github(heading): _anchor(book, heading) for _, heading in HEADING.findall(text)}
    return re.sub(r"\]\(#([\w-]+)\)", lambda found: f"](#{places[found[1]]})", text)


def _github(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")


def _intro(opening: str) -> str:
    """What stands before the first heading, without the page's own title."""
    return re.sub(r"(?m)\A# .+$", "", opening).strip()


def _anchor(book: Rulebook, heading: str) -> str:
    number, title = book.numbering.split(heading)
    chapter = re.match(r"(\d+)\. ", title)
    return f"part-{chapter[1]}" if chapter else book.anchor_of(number or title)


def _section(book: Rulebook, marks: str, heading: str, text: str, variant: Variant, lengths: Lengths) -> Section:
    number, title = book.numbering.split(heading)
    name = number or heading
    html = rendered(of_variant(book, name, text, variant, lengths), book.anchor_of if name in book.lists else None)
    return Section(number, title, escape(title), _anchor(book, heading), marks == "##", html)


def _with_words(book: Rulebook, sections: list[Section]) -> list[Section]:
    """With the glossary as a part of its own, behind the rules and before what is for readers of the code."""
    if not book.terms:
        return sections
    place = next((n for n, section in enumerate(sections) if section.title == book.appendix), len(sections))
    rows = "\n".join(f"| {term.word} | {term.meaning} |" for term in book.terms)
    html = rendered(f"| word | meaning |\n|---|---|\n{rows}", word_anchor)
    words = Section("", WORDS, WORDS, slug(WORDS), is_part=True, html=html)
    return [*sections[:place], words, *sections[place:]]


def _rules_of(section: Section) -> list[tuple[str, tuple[str, str]]]:
    """Addresses of the rules listed in a section, each with its subject and its text."""
    rows = []
    for row in ROW.finditer(section.html):
        cells = re.findall(r"(?s)<t[hd][^>]*>(.*?)</t[hd]>", row[0])
        rows.append((row[1], (cells[1] if len(cells) > 2 else "", cells[-1])))
    return rows


Rows = dict[str, tuple[str, str]]


def _finished(book: Rulebook, draft: Section, variant: Variant, rows: Rows, anchors: frozenset[str]) -> Section:
    """The same with links, and with the variant's notes on top."""
    linked = book.numbering.linked

    def note(rule: str) -> Note:
        subject, text = rows[rule]
        return Note(rule, book.anchor_of(rule), plain(subject), linked(text, anchors))

    notes = tuple(map(note, variant.notes.get(draft.number, ())))
    return replace(draft, html=linked(draft.html, anchors), notes=notes)
