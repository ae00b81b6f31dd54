"""Finds English on a page that should be German: texts of the catalogues, and words that only English has."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser

from game.management import word_catalogues
from tests.servers import ROOT

WORD = re.compile(r"[^\W\d_]+")
ALONE = re.compile(rf"\b{WORD.pattern}\b")  # no part of a code: a fingerprint such as 58be speaks no English
ENGLISH_WORDS = frozenset(
    WORD.findall(
        """
        the of and or you your with for from not is are has have been it they them their by be to this that these
        those which when what who where there here each every any no nobody everybody turn share shares order orders
        price company companies player players seat seats cash money market vote votes loan paid pays buy sell sold
        bought nothing yet now after before first next last more less than back show open close ready chosen as if my
        """
    )
)
# German words, names and codes that look like those.
ALSO_GERMAN = frozenset({"order", "orders", "cash", "open", "market", "now", "last", "seat"})
PLACE = re.compile(r"\{[^{}]*\}|%\(\w+\)s")
TAG = re.compile(r"<[^>]*>")
LEAST_LETTERS = 4  # of a text's own words, so that “{a}: {b}” fits nothing
SPOKEN = (
    "aria-label",
    "title",
    "placeholder",
    "alt",
    "aria-valuetext",
    "data-said",
    "data-send",
    "aria-roledescription",
)
VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
SILENT = frozenset({"script", "style", "template", "noscript", "code", "pre"})  # codes and programs are in no language


def _flat(text: str) -> str:
    return " ".join(text.split())


def _pieces(text: str) -> Iterator[str]:
    """What stands between the tags of a text: each is one text of the page."""
    return (piece for each in TAG.split(text) if (piece := _flat(each.replace("%%", "%"))))


def _pattern(piece: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(re.escape(part) for part in PLACE.split(piece)), re.DOTALL)


def _own(piece: str) -> str:
    """A text without its places."""
    return _flat(PLACE.sub(" ", piece))


class Catalogued:
    """The English texts whose German is another, to be looked up by what a page says."""

    def __init__(self) -> None:
        self.whole: set[str] = set()
        self.german: set[str] = set()
        self.by_word: dict[str, list[re.Pattern[str]]] = defaultdict(list)
        self.german_patterns: dict[str, list[re.Pattern[str]]] = defaultdict(list)
        for catalogue in word_catalogues.catalogues(ROOT, "de").values():
            for text, told in catalogue.items():
                self._learn([text.one, text.many], told)
        self.whole -= self.german

    def _learn(self, english: Iterable[str], german: Iterable[str]) -> None:
        spoken = {piece for text in german for piece in _pieces(text)}
        for piece in spoken:
            self._keep(piece, self.german, self.german_patterns)
        for piece in {piece for text in english for piece in _pieces(text)} - spoken:
            if sum(map(str.isalpha, _own(piece))) >= LEAST_LETTERS:
                self._keep(piece, self.whole, self.by_word)

    @staticmethod
    def _keep(piece: str, whole: set[str], by_word: dict[str, list[re.Pattern[str]]]) -> None:
        if not PLACE.search(piece):
            whole.add(piece)
        elif words := WORD.findall(_own(piece)):
            by_word[max(words, key=len)].append(_pattern(piece))

    def has(self, text: str) -> bool:
        """Whether a page that says this speaks English."""
        if text in self.whole:
            return True
        words = set(WORD.findall(text))
        if not any(each.fullmatch(text) for word in words for each in self.by_word.get(word, ())):
            return False
        return text not in self.german and not any(
            each.fullmatch(text) for word in words for each in self.german_patterns.get(word, ())
        )


catalogued = cache(Catalogued)


@cache
def is_english(text: str) -> bool:
    """Whether a German page should not say so."""
    words = {word for word in ALONE.findall(PLACE.sub(" ", text)) if word.islower()}
    return bool(words & ENGLISH_WORDS - ALSO_GERMAN) or catalogued().has(text)


def english_of(texts: Iterable[str], names: Iterable[str] = ()) -> list[str]:
    """The English among the texts of a page, each once; what people wrote and are called is in no language. A name may
    hold a shorter one."""
    spoken = sorted(filter(None, names), key=len, reverse=True)
    found = dict.fromkeys(_flat(text) for text in texts)
    values_by_key = {text: _without(text, spoken) for text in found}
    return [text for text, rest in values_by_key.items() if rest and is_english(rest)]


def _without(text: str, names: Iterable[str]) -> str:
    for name in names:
        text = text.replace(name, "ACME" if text != name else "")
    return _flat(text)


class Texts(HTMLParser):
    """The texts of a page that a person may see or hear; parts that say they are English are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_out = tag in SILENT or given.get("lang") == "en" or bool(self.open and self.open[-1][1])
        if tag not in VOID:
            self.open.append((tag, is_out))
        if is_out:
            return
        self.found += [value for name in SPOKEN if (value := given.get(name))]
        if tag == "input" and given.get("type") in {"submit", "button"}:
            self.found.append(given.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        if any(each == tag for each, _ in self.open):
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not (self.open and self.open[-1][1]):
            self.found.append(data)


def texts_of(page: str) -> list[str]:
    """Out of a page's HTML."""
    reader = Texts()
    reader.feed(page)
    return reader.found
