"""The languages of the site, as the rules and boards use them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import date, datetime, tzinfo
from functools import cache

from django.utils.dateformat import format as date_format
from django.utils.formats import get_format

from accounts.languages import Translations, translations_of
from game.engine.language import ENGLISH, Language, mark_as, say, say_as, speaking

DAY, SHORT_DAY, LONG_DAY, WEEKDAY_LONG, FULL_DATE, CLOSE_DATE = (
    mark_as("form of a date", "l j M"),
    mark_as("form of a date", "D j M"),
    mark_as("form of a date", "l j F"),
    mark_as("form of a date", "D j F"),
    mark_as("form of a date", "j F Y"),
    mark_as("form of a date", "j M"),
)
"""`Friday 20 Nov`, `Fri 20 Nov`, `Friday 20 November`, `Fri 20 November`, `20 November 2026` and `20 Nov`, in the
letters of Django's date filter."""
PERCENT = {"de": "\N{NO-BREAK SPACE}%"}


def in_words(words: Translations) -> AbstractContextManager[None]:
    """Use this language in the block."""
    return speaking(language_of(words.code))


def date_words(at: date, form: str, *, has_year: bool = False) -> str:
    """A day in the current language; `form` is one of those above."""
    pattern = say_as("form of a date", form)
    return date_format(at, f"{pattern} Y" if has_year else pattern)


def full_words(here: datetime) -> str:
    """`20 November 2026, 18:00`: an instant for a page that is read later, in the instant's own zone."""
    return say("{date}, {clock}", date=date_words(here, FULL_DATE), clock=f"{here:%H:%M}")


def city_of(zone: tzinfo | None) -> str:
    """The common name of a zone: Berlin, New York, UTC."""
    return str(zone).rsplit("/", 1)[-1].replace("_", " ")


def zoned_words(here: datetime) -> str:
    """`20 November 2026, 18:00 (Berlin time)`: for a text that stands alone, such as an email or a refusal."""
    return say("{moment} ({city} time)", moment=full_words(here), city=city_of(here.tzinfo))


@cache
def language_of(code: str) -> Language:
    """A language with all its texts and its number format."""
    if code == ENGLISH.code:
        return ENGLISH
    words = translations_of(code)
    return Language(
        code=code,
        texts=words.texts,
        plurals=words.plurals,
        group=get_format("THOUSAND_SEPARATOR", code),
        point=get_format("DECIMAL_SEPARATOR", code),
        percent=PERCENT.get(code, ENGLISH.percent),
    )
