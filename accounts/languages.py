"""The language of a page or an email: from the account, a cookie or the browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import trans_real

from accounts import po

COOKIE = "language"
A_YEAR = 365 * 24 * 3600
CONTEXT_SEPARATOR = "\x04"  # as in gettext
Speaking = Callable[["Words"], AbstractContextManager[None]]
listeners: list[Speaking] = []
"""Context managers of other modules, entered and left whenever the language changes."""


class Words(NamedTuple):
    """All translations into a language; English has none. Plurals are keyed by their English singular."""

    code: str
    texts: Mapping[str, str]
    plurals: Mapping[str, tuple[str, str]]


@cache
def words_of(language: str) -> Words:
    """The catalogues of a language, read from disk once and registered with Django."""
    texts: dict[str, str] = {}
    plurals: dict[str, tuple[str, str]] = {}
    for path in files_of(language):
        for text, translations in po.read(path).items():
            key = f"{text.context}{CONTEXT_SEPARATOR}{text.one}" if text.context else text.one
            if text.many and all(translations):
                plurals[key] = (translations[0], translations[1])
            elif all(translations):
                texts[key] = translations[0]
    if texts or plurals:
        trans_real.translation(language).merge(_DjangoTranslations(texts, plurals))
    return Words(language, texts, plurals)


def files_of(language: str) -> list[Path]:
    """Every catalogue of a language; each lies beside its code."""
    return sorted(path for folder in settings.CATALOGUE_FOLDERS for path in folder.rglob(f"{language}.po"))


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use this language within the block."""
    words = words_of(language)
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


def wanted_language(request: HttpRequest) -> str:
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
