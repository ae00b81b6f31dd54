"""All texts by area, and what a catalogue lacks or has wrong."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from accounts import po
from accounts.po import Catalogue, Text
from game.management.words.areas import area_of, sources
from game.management.words.python_texts import Unreadable, texts_of
from game.management.words.template_texts import django_texts, jinja_texts

PLACEHOLDERS = re.compile(r"\{[^{}]*\}|%\(\w+\)s")
TAGS = re.compile(r"</?[a-z][^>]*>")


def collected(root: Path) -> dict[Path, set[Text]]:
    """The texts of every area."""
    texts_by_area: dict[Path, set[Text]] = defaultdict(set)
    for place, each in _texts_by_file(root):
        if isinstance(each, Text):
            texts_by_area[area_of(place)].add(each)
    return texts_by_area


def unreadable(root: Path) -> list[str]:
    """Where a text is built inside the call that translates it."""
    return [f"{place}:{each.line}" for place, each in _texts_by_file(root) if isinstance(each, Unreadable)]


def _texts_by_file(root: Path) -> Iterator[tuple[Path, Text | Unreadable]]:
    for place in sources(root):
        source = (root / place).read_text(encoding="utf-8")
        if place.suffix == ".py":
            yield from ((place, each) for each in texts_of(source))
        elif place.is_relative_to("templates/jinja"):
            yield from ((place, each) for each in jinja_texts(source))
        else:
            yield from ((place, each) for each in django_texts(source))


def catalogue_of(root: Path, area: Path, language: str) -> Path:
    return root / area / "locale" / f"{language}.po"


def catalogues(root: Path, language: str) -> dict[Path, Catalogue]:
    """The stored catalogues by area."""
    files = (file for folder in ("locale", "accounts", "game") for file in (root / folder).rglob(f"{language}.po"))
    return {file.parent.parent.relative_to(root): po.read(file) for file in sorted(files)}


def updated(texts: set[Text], catalogue: Catalogue, elsewhere: Catalogue) -> Catalogue:
    """A catalogue with exactly these texts; translations of other areas are reused."""
    return {text: catalogue.get(text) or elsewhere.get(text) or (("", "") if text.many else ("",)) for text in texts}


def missing(catalogue: Catalogue) -> list[Text]:
    return sorted(text for text, translations in catalogue.items() if not all(translations))


def faults(catalogue: Catalogue) -> list[str]:
    """Translations whose placeholders or tags differ from the English text."""
    return [
        f"{text.one} -> {german}"
        for text, translations in catalogue.items()
        for english, german in zip((text.one, text.many or text.one), translations, strict=False)
        if german and not (_matches(english, german) or (text.many and _matches(text.many, german)))
    ]


def _matches(english: str, german: str) -> bool:
    return set(PLACEHOLDERS.findall(english)) == set(PLACEHOLDERS.findall(german)) and sorted(
        TAGS.findall(english)
    ) == sorted(TAGS.findall(german))
