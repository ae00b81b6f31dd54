"""The language of a page or an email, and its catalogues in gettext's PO format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import trans_real

HEADER = 'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
HEADER += '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr|msgstr\[[01]\])\s+)?(".*")')
COOKIE = "language"
A_YEAR = 365 * 24 * 3600
CONTEXT_SEPARATOR = "\x04"  # as in gettext
LanguageListener = Callable[["Translations"], AbstractContextManager[None]]
listeners: list[LanguageListener] = []
"""Context managers of other modules, entered and left whenever the language changes."""


class Text(NamedTuple):
    """A translatable text: English, its plural and its context, where there are any."""

    one: str
    many: str = ""
    context: str = ""


Catalogue = dict[Text, tuple[str, ...]]  # one translation, or two for a plural; empty: missing


class BadCatalogue(ValueError):
    """A file is malformed; the message says where."""


def read_catalogue(path: Path) -> Catalogue:
    """The entries of a file, without those commented out. Raises `BadCatalogue`."""
    catalogue: Catalogue = {}
    for entry in _read_entries(path):
        text = Text(entry.get("msgid", ""), entry.get("msgid_plural", ""), entry.get("msgctxt", ""))
        names = ("msgstr[0]", "msgstr[1]") if text.many else ("msgstr",)
        if text in catalogue or not all(name in entry for name in names):
            raise BadCatalogue(f"{path}: “{text.one}” stands there twice, or has no translation.")
        if text.one:
            catalogue[text] = tuple(entry[name] for name in names)
    return catalogue


def write_catalogue(path: Path, catalogue: Catalogue, language: str) -> None:
    """Sorted by the English text and without source references, to keep diffs small."""
    parts = [HEADER.format(language=language)]
    parts += [
        _format_entry(text, catalogue[text]) for text in sorted(catalogue, key=lambda text: (text.one, text.context))
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts), encoding="utf-8")


def _read_entries(path: Path) -> Iterator[dict[str, str]]:
    entry: dict[str, str] = {}
    field = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = LINE.fullmatch(line.strip())
        if match is None:
            raise BadCatalogue(f"{path}:{number}: {line}")
        if (name := match[1]) is not None:
            if name == "msgctxt" or (name == "msgid" and field != "msgctxt"):
                if entry:
                    yield entry
                entry = {}
            field = name
        entry[field] = entry.get(field, "") + json.loads(match[2])
    if entry:
        yield entry


def _format_entry(text: Text, translations: Iterable[str]) -> str:
    lines = [f"msgctxt {_quote(text.context)}"] if text.context else []
    lines += [f"msgid {_quote(text.one)}"]
    if not text.many:
        return "\n".join([*lines, *(f"msgstr {_quote(each)}" for each in translations), ""])
    lines += [f"msgid_plural {_quote(text.many)}"]
    return "\n".join([*lines, *(f"msgstr[{form}] {_quote(each)}" for form, each in enumerate(translations)), ""])


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


class Translations(NamedTuple):
    """All translations into a language; English has none. Plurals are keyed by their English singular."""

    code: str
    texts: Mapping[str, str]
    plurals: Mapping[str, tuple[str, str]]


@cache
def translations_of(language: str) -> Translations:
    """The catalogues of a language, read from disk once and registered with Django."""
    texts: dict[str, str] = {}
    plurals: dict[str, tuple[str, str]] = {}
    for path in catalogue_files(language):
        for text, translations in read_catalogue(path).items():
            key = f"{text.context}{CONTEXT_SEPARATOR}{text.one}" if text.context else text.one
            if text.many and all(translations):
                plurals[key] = (translations[0], translations[1])
            elif all(translations):
                texts[key] = translations[0]
    if texts or plurals:
        trans_real.translation(language).merge(_DjangoTranslations(texts, plurals))
    return Translations(language, texts, plurals)


def catalogue_files(language: str) -> list[Path]:
    """Every catalogue of a language; each lies beside its code."""
    return sorted(path for folder in settings.CATALOGUE_FOLDERS for path in folder.rglob(f"{language}.po"))


@contextmanager
def override_language(language: str) -> Iterator[None]:
    """Use this language within the block."""
    words = translations_of(language)
    with ExitStack() as stack:
        stack.enter_context(translation.override(language))
        for listener in listeners:
            stack.enter_context(listener(words))
        yield


def is_language(code: str) -> bool:
    return any(code == language for language, _ in settings.LANGUAGES)


def language_of(request: HttpRequest) -> str:
    """The reader's choice: from the account, else the cookie, else the first supported language of the browser."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return str(user.language)
    code = request.COOKIES.get(COOKIE, "")
    return code if is_language(code) else _accepted_language(request.headers.get("Accept-Language", ""))


def requested_language(request: HttpRequest) -> str:
    """The language of Accept-Language alone, used for programs."""
    return _accepted_language(request.headers.get("Accept-Language", ""))


def remember_language(response: HttpResponse, language: str) -> None:
    response.set_cookie(
        COOKIE, language, max_age=A_YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE, httponly=True
    )


def _accepted_language(header: str) -> str:
    for code, _ in trans_real.parse_accept_lang_header(header):
        if is_language(language := code.partition("-")[0]):
            return language
    return settings.LANGUAGE_CODE


class _DjangoTranslations(NullTranslations):
    """Our texts in the form of Django's translations; both languages have the same two plural forms."""

    def __init__(self, texts: Mapping[str, str], plurals: Mapping[str, tuple[str, str]]) -> None:
        super().__init__()
        self._catalog: dict[Any, str] = dict(texts)
        self._catalog |= {(one, form): text for one, forms in plurals.items() for form, text in enumerate(forms)}

    def plural(self, number: int) -> int:
        return int(number != 1)
