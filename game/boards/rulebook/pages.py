"""The sections of a rulebook, rendered once per process for each variant and language. The rules are in English; how to
play and the glossary are in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape

from game.boards.rulebook.book import Lengths, Rulebook, Turn, Variant, slug, word_anchor
from game.boards.rulebook.markup import of_variant, plain, rendered
from game.engine.language import kept, mark, say, say_as
from game.infra.process_cache import ProcessCache

HEADING = re.compile(r"(?m)^(#{2,3}) (.+)$")
ROW = re.compile(r"(?s)<tr id=\"([^\"]+)\">.*?</tr>\n?")
PASSAGE = re.compile(r"(?s)<!-- ([\w ]+) -->(.*?)<!-- / -->")
WORDS = mark("Words")
Rows = dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Note:
    """A difference of the variant, printed above the section that it changes."""

    rule: str
    anchor: str
    subject: str
    html: str


@dataclass(frozen=True)
class Section:
    """One heading with its content. `number` is "" without one; a part is a heading above others. `heading` is the
    title as HTML. `is_translated`: it is in the reader's language, not in English. `picture` is the template that draws
    what the section is about, in the reader's language. `subjects`: what else it is looked up by."""

    number: str
    title: str
    heading: str
    anchor: str
    is_part: bool
    html: str
    notes: tuple[Note, ...] = ()
    is_translated: bool = False
    picture: str = ""
    subjects: tuple[str, ...] = ()

    def linked_to(self, page: str) -> Section:
        """This section on another page, with its links to rules on `page`."""
        there = f'href="{escape(page)}#'
        notes = tuple(replace(note, html=note.html.replace('href="#', there)) for note in self.notes)
        return replace(self, html=self.html.replace('href="#', there), notes=notes)

    @cached_property
    def words(self) -> str:
        """All searchable text, escaped as in HTML."""
        notes = " ".join(f"{note.rule} {note.subject} {plain(note.html)}" for note in self.notes)
        return f"{escape(self.number)} {self.heading} {' '.join(self.subjects)} {notes} {plain(self.html)}"


@dataclass(frozen=True)
class Chapter:
    """A part with its sections, and the part after it."""

    part: Section
    sections: tuple[Section, ...]
    next: Section | None


@dataclass(frozen=True)
class Pages:
    """The rules of one variant: an introduction, how to play, the sections in order, and the anchors of the page."""

    variant: Variant
    intro: str
    turn: Turn | None
    sections: tuple[Section, ...]
    anchors: frozenset[str]
    english: Mapping[str, str]  # glossary words of the reader's language -> in English

    @cached_property
    def answers(self) -> ProcessCache[tuple[Section, ...]]:
        """The cache of recent searches."""
        return ProcessCache(16)

    @property
    def chapters(self) -> list[Chapter]:
        """Each part with its sections."""
        places = [place for place, section in enumerate(self.sections) if section.is_part]
        ends = [*places[1:], len(self.sections)]
        return [
            Chapter(
                self.sections[start],
                self.sections[start + 1 : end],
                self.sections[end] if end < len(self.sections) else None,
            )
            for start, end in zip(places, ends, strict=True)
        ]

    def rule_at(self, anchor: str) -> Section | None:
        """The section at an anchor, or one rule of a list as a section of its own."""
        for section in self.sections:
            if section.anchor == anchor:
                return section
            for each, (subject, html) in rules_of(section):
                if each == anchor:
                    return replace(section, number=each, title=plain(subject), anchor=each, html=html, notes=())
        return None


@kept()
def pages_of(book: Rulebook, key: str, lengths: Lengths) -> Pages:
    """The rulebook of one variant."""
    variant = book.by_key[key]
    opening, *parts = HEADING.split(document_of(book, variant))
    thirds = zip(*[iter(parts)] * 3, strict=True)
    drafts = [_section(book, marks, heading, text, variant, lengths) for marks, heading, text in thirds]
    drafts = _with_words(book, drafts, variant)
    rows = {anchor: row for draft in drafts for anchor, row in rules_of(draft)}
    anchors = frozenset(draft.anchor for draft in drafts) | frozenset(rows)
    sections = tuple(_finished(book, draft, variant, rows, anchors) for draft in drafts)
    intro = book.numbering.linked(rendered(f"{_intro(opening)}\n\n{variant.intro}"), anchors)
    return Pages(variant, intro, book.turn(key), sections, anchors, _english_words(book))


def document_of(book: Rulebook, variant: Variant) -> str:
    """The Markdown without the passages of other variants, its links to headings as anchors of this page."""
    text = PASSAGE.sub(
        lambda passage: passage[2] if variant.key in passage[1].split() else "",
        book.document.read_text(encoding="utf-8"),
    )
    places = {_github(heading): _anchor(book, heading) for _, heading in HEADING.findall(text)}
    return re.sub(r"\]\(#([\w-]+)\)", lambda match: f"](#{places[match[1]]})", text)


def _github(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")


def _intro(opening: str) -> str:
    """The text before the first heading, without the page's own title."""
    return re.sub(r"(?m)\A# .+$", "", opening).strip()


def _anchor(book: Rulebook, heading: str) -> str:
    number, title = book.numbering.split(heading)
    chapter = re.match(r"(\d+)\. ", title)
    return f"part-{chapter[1]}" if chapter else book.anchor_of(number or title)


def _section(book: Rulebook, marks: str, heading: str, text: str, variant: Variant, lengths: Lengths) -> Section:
    number, title = book.numbering.split(heading)
    name = number or heading
    html = rendered(of_variant(book, name, text, variant, lengths), book.anchor_of if name in book.lists else None)
    picture = book.pictures.get(name, "")
    subjects = tuple(filter(None, book.index.get(name, "").split(", ")))
    is_part = marks == "##"
    return Section(
        number, title, escape(title), _anchor(book, heading), is_part, html, picture=picture, subjects=subjects
    )


def _with_words(book: Rulebook, sections: list[Section], variant: Variant) -> list[Section]:
    """The parts with the glossary added, after the rules and before the parts for readers of the code."""
    if not book.terms:
        return sections
    place = next((n for n, section in enumerate(sections) if section.title == book.appendix), len(sections))
    terms = (term for term in book.terms if not term.only or variant.key in term.only)
    words = {say_as("glossary", term.word): term for term in terms}
    rows = "\n".join(f"| {word} | {say(words[word].meaning)} |" for word in sorted(words, key=str.casefold))
    table = f"| {say('word')} | {say('meaning')} |\n|---|---|\n{rows}"
    html = rendered(table, lambda word: word_anchor(words[word].word))
    part = Section("", say(WORDS), say(WORDS), slug(WORDS), is_part=True, html=html, is_translated=True)
    return [*sections[:place], part, *sections[place:]]


def _english_words(book: Rulebook) -> Mapping[str, str]:
    """The terms of the glossary in the reader's language, each with its English one; empty in English."""
    pairs = (
        (translated.casefold(), english)
        for term in book.terms
        for translated, english in zip(say_as("glossary", term.word).split(", "), term.word.split(", "), strict=False)
    )
    return {translated: english for translated, english in pairs if translated != english.casefold()}


def rules_of(section: Section) -> list[tuple[str, tuple[str, str]]]:
    """Anchors of the rules listed in a section, each with its subject and its text."""
    rows = []
    for row in ROW.finditer(section.html):
        cells = re.findall(r"(?s)<t[hd][^>]*>(.*?)</t[hd]>", row[0])
        rows.append((row[1], (cells[1] if len(cells) > 2 else "", cells[-1])))
    return rows


def _finished(book: Rulebook, draft: Section, variant: Variant, rows: Rows, anchors: frozenset[str]) -> Section:
    """The section with links, and with the variant's notes above it."""
    linked = book.numbering.linked

    def note(rule: str) -> Note:
        subject, text = rows[rule]
        return Note(rule, book.anchor_of(rule), plain(subject), linked(text, anchors))

    notes = tuple(map(note, variant.notes.get(draft.number, ())))
    return replace(draft, html=linked(draft.html, anchors), notes=notes)
