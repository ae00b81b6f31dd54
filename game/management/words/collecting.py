"""All texts by area, and what a catalogue lacks or has too much of."""

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

PLACES = re.compile(r"\{[^{}]*\}|%\(\w+\)s")
TAGS = re.compile(r"</?[a-z][^>]*>")


def collected(root: Path) -> dict[Path, set[Text]]:
    """The texts of every area."""
    found: dict[Path, set[Text]] = defaultdict(set)
    for place, each in _all(root):
        if isinstance(each, Text):
            found[area_of(place)].add(each)
    return found


def unreadable(root: Path) -> list[str]:
    """Where a text is put together in the call that tells it."""
    return [f"{place}:{each.line}" for place, each in _all(root) if isinstance(each, Unreadable)]


def _all(root: Path) -> Iterator[tuple[Path, Text | Unreadable]]:
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
    """What is translated already, by area."""
    files = (file for folder in ("locale", "accounts", "game") for file in (root / folder).rglob(f"{language}.po"))
    return {file.parent.parent.relative_to(root): po.read(file) for file in sorted(files)}


def updated(texts: set[Text], known: Catalogue, elsewhere: Catalogue) -> Catalogue:
    """A catalogue with exactly these texts; what another area translates already is taken from there."""
    return {text: known.get(text) or elsewhere.get(text) or (("", "") if text.many else ("",)) for text in texts}


def missing(catalogue: Catalogue) -> list[Text]:
    return sorted(text for text, told in catalogue.items() if not all(told))


def faults(catalogue: Catalogue) -> list[str]:
    """Translations with other places for facts, or other tags, than their English."""
    return [
        f"{text.one} -> {german}"
        for text, told in catalogue.items()
        for english, german in zip((text.one, text.many or text.one), told, strict=False)
        if german and not (_fits(english, german) or (text.many and _fits(text.many, german)))
    ]


def _fits(english: str, german: str) -> bool:
    return set(PLACES.findall(english)) == set(PLACES.findall(german)) and sorted(TAGS.findall(english)) == sorted(
        TAGS.findall(german)
    )
