"""The language of texts: every text is written in English in the code, and translated when it is shown. The rules never
store a translated text, but codes, numbers and marked English: docs/languages.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

import msgspec

P = ParamSpec("P")
R = TypeVar("R")
FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001eeff]")
APART, TOGETHER = "\u2068", "\u2069"  # Unicode's isolates: from the first strong letter, and their end
CONTEXT_ENDS = "\x04"  # between a context and its text, as gettext has it


class Language(msgspec.Struct, frozen=True):
    """How one language is told. Of two plural forms the first is for exactly one."""

    code: str = "en"
    texts: Mapping[str, str] = {}
    plurals: Mapping[str, tuple[str, str]] = {}  # by the English for exactly one
    group: str = ","  # between the thousands of a number
    point: str = "."  # before its decimals
    percent: str = "%"


ENGLISH = Language()
_spoken: ContextVar[Language] = ContextVar("spoken", default=ENGLISH)


def spoken() -> Language:
    """The language into which texts are put now."""
    return _spoken.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Tell everything within in this language."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def mark(text: str) -> str:
    """An English text that `say` shows elsewhere: it is in a table or is stored."""
    return text


def mark_as(context: str, text: str) -> str:
    """The same for `say_as`."""
    return text


def apart(fact: Any) -> Any:
    """A fact as it stands in a text: words that are written from right to left turn nothing beside them round.
    What holds some that stand apart already has been put together here."""
    if isinstance(fact, str) and not fact.isascii() and APART not in fact and FROM_RIGHT.search(fact):
        return f"{APART}{fact}{TOGETHER}"
    return fact


def say(text: str, /, **facts: object) -> str:
    """A text in the reader's language, with the facts in its `{places}`."""
    told = _spoken.get().texts.get(text, text)
    return told.format_map(_apart(facts)) if facts else told


def say_as(context: str, text: str, /, **facts: object) -> str:
    """The same where one English text means two things; the context says which, for translators alone."""
    told = _spoken.get().texts.get(f"{context}{CONTEXT_ENDS}{text}", text)
    return told.format_map(_apart(facts)) if facts else told


def count(one: str, many: str, n: int, /, **facts: object) -> str:
    """The text for exactly one or the text for any other number; the number stands at `{n}`."""
    return forms_of(one, many)[n != 1].format_map({"n": grouped(n), **_apart(facts)})


def _apart(facts: Mapping[str, object]) -> dict[str, object]:
    return {name: apart(fact) for name, fact in facts.items()}


def forms_of(one: str, many: str) -> tuple[str, str]:
    """A text for exactly one and the text for any other number, in the language spoken now."""
    return _spoken.get().plurals.get(one) or (one, many)


def grouped(number: int) -> str:
    """`2,181` as the language groups it."""
    told = f"{number:,}"
    return told if (group := _spoken.get().group) == "," else told.replace(",", group)


def kept(maxsize: int | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`lru_cache` for what holds texts: one answer a language."""

    def by_language(tell: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(maxsize)
        def told(language: str, *args: Any, **facts: Any) -> R:
            return tell(*args, **facts)

        of: Callable[..., R] = told

        @wraps(tell)
        def in_language(*args: P.args, **facts: P.kwargs) -> R:
            return of(_spoken.get().code, *args, **facts)

        in_language.cache_clear = told.cache_clear  # type: ignore[attr-defined]
        return in_language

    return by_language
