"""The language a page or an email is written in, and who chose it: the account, a cookie, or the browser."""

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
CONTEXT_ENDS = "\x04"  # as gettext has it
Speaking = Callable[["Words"], AbstractContextManager[None]]
listeners: list[Speaking] = []
"""Context managers for others who must know the current language: they are entered and left with it."""


class Words(NamedTuple):
    """All that is translated into a language; English has nothing. Of a plural, by its English for one."""

    code: str
    texts: Mapping[str, str]
    plurals: Mapping[str, tuple[str, str]]


@cache
def words_of(language: str) -> Words:
    """The catalogues of a language, read from disk once, and known to Django from then on."""
    texts: dict[str, str] = {}
    plurals: dict[str, tuple[str, str]] = {}
    for path in files_of(language):
        for text, told in po.read(path).items():
            key = f"{text.context}{CONTEXT_ENDS}{text.one}" if text.context else text.one
            if text.many and all(told):
                plurals[key] = (told[0], told[1])
            elif all(told):
                texts[key] = told[0]
    if texts or plurals:
        trans_real.translation(language).merge(_ForDjango(texts, plurals))
    return Words(language, texts, plurals)


def files_of(language: str) -> list[Path]:
    """Every catalogue of a language: each is beside the code it belongs to."""
    return sorted(path for folder in settings.CATALOGUE_FOLDERS for path in folder.rglob(f"{language}.po"))


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Write everything within in this language."""
    words = words_of(language)
    with ExitStack() as stack:
        stack.enter_context(translation.override(language))
        for listener in listeners:
            stack.enter_context(listener(words))
        yield


def is_language(code: str) -> bool:
    return any(code == known for known, _ in settings.LANGUAGES)


def language_of(request: HttpRequest) -> str:
    """What the reader chose: on the account, else in a cookie; else the first of the browser's languages we have."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return str(user.language)
    chosen = request.COOKIES.get(COOKIE, "")
    return chosen if is_language(chosen) else _wanted(request.headers.get("Accept-Language", ""))


def wanted_language(request: HttpRequest) -> str:
    """What the request itself asks for, whoever sends it: what programs are answered in."""
    return _wanted(request.headers.get("Accept-Language", ""))


def remember_language(response: HttpResponse, language: str) -> None:
    response.set_cookie(
        COOKIE, language, max_age=A_YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE, httponly=True
    )


def _wanted(accepted: str) -> str:
    for code, _ in trans_real.parse_accept_lang_header(accepted):
        if is_language(found := code.partition("-")[0]):
            return found
    return settings.LANGUAGE_CODE


class _ForDjango(NullTranslations):
    """Our texts as Django's own translations take them in; both languages have the same two plural forms."""

    def __init__(self, texts: Mapping[str, str], plurals: Mapping[str, tuple[str, str]]) -> None:
        super().__init__()
        self._catalog: dict[Any, str] = dict(texts)
        self._catalog |= {(one, form): told for one, forms in plurals.items() for form, told in enumerate(forms)}

    def plural(self, number: int) -> int:
        return int(number != 1)
