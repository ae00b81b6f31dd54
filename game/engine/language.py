"""Translation: texts are written in English in the code and translated for display. The rules store codes, numbers and
marked English, never translations: docs/languages.md."""

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
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001eeff]")
APART, TOGETHER = "\u2068", "\u2069"  # Unicode's First Strong Isolate and Pop Directional Isolate
CONTEXT_SEPARATOR = "\x04"  # between a context and its text, as in gettext


class Language(msgspec.Struct, frozen=True):
    """Texts and number formats of a language. The first plural form applies to exactly one."""

    code: str = "en"
    texts: Mapping[str, str] = {}
    plurals: Mapping[str, tuple[str, str]] = {}  # by the English singular
    group: str = ","  # thousands separator
    point: str = "."  # decimal point
    percent: str = "%"


ENGLISH = Language()
_current_language: ContextVar[Language] = ContextVar("spoken", default=ENGLISH)


def spoken() -> Language:
    """The current language."""
    return _current_language.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Use this language within the block."""
    before = _current_language.set(language)
    try:
        yield
    finally:
        _current_language.reset(before)


def mark(text: str) -> str:
    """Mark an English text that is stored, or kept in a table, for translation by `say`."""
    return text


def mark_as(context: str, text: str) -> str:
    """Mark an English text for translation by `say_as`, with the same context."""
    return text


def apart(fact: Any) -> Any:
    """Isolate right-to-left text, so that it does not reorder the text beside it. A fact that contains isolates was
    assembled here and stays as it is."""
    if isinstance(fact, str) and not fact.isascii() and APART not in fact and RIGHT_TO_LEFT.search(fact):
        return f"{APART}{fact}{TOGETHER}"
    return fact


def say(text: str, /, **facts: object) -> str:
    """The text in the reader's language, with the facts in its `{places}`."""
    translation = _current_language.get().texts.get(text, text)
    return _with_facts(translation, facts) if facts else translation


def say_as(context: str, text: str, /, **facts: object) -> str:
    """Translate an English text that has several meanings; only translators see the context."""
    translation = _current_language.get().texts.get(f"{context}{CONTEXT_SEPARATOR}{text}", text)
    return _with_facts(translation, facts) if facts else translation


def count(one: str, many: str, n: int, /, **facts: object) -> str:
    """The singular or plural text for a number, which is inserted at `{n}`."""
    return _with_facts(forms_of(one, many)[n != 1], {"n": grouped(n), **facts})


def _with_facts(text: str, facts: Mapping[str, object]) -> str:
    """A name that ends in a full stop, as `Swift & Co.`, brings that of its sentence."""
    sentence = text.format_map(facts)
    if not sentence.isascii() and RIGHT_TO_LEFT.search(sentence):
        sentence = text.format_map({name: apart(fact) for name, fact in facts.items()})
    if "}." not in text or ".." not in sentence:
        return sentence
    for name, fact in facts.items():
        if f"{{{name}}}." in text and isinstance(fact, str) and fact.endswith("."):
            sentence = sentence.replace(f"{fact}.", fact)
    return sentence


def forms_of(one: str, many: str) -> tuple[str, str]:
    """Singular and plural of a text in the current language."""
    return _current_language.get().plurals.get(one) or (one, many)


def grouped(number: int) -> str:
    """`2,181`, grouped as in the current language."""
    text = f"{number:,}"
    return text if (group := _current_language.get().group) == "," else text.replace(",", group)


def kept(maxsize: int | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`lru_cache` for texts: one result per language."""

    def by_language(function: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(maxsize)
        def cached(language: str, *args: Any, **facts: Any) -> R:
            return function(*args, **facts)

        call: Callable[..., R] = cached

        @wraps(function)
        def in_language(*args: P.args, **facts: P.kwargs) -> R:
            return call(_current_language.get().code, *args, **facts)

        in_language.cache_clear = cached.cache_clear  # type: ignore[attr-defined]
        return in_language

    return by_language
