"""Formats numbers and names for sentences in the log, on boards and in emails."""

from __future__ import annotations

from collections.abc import Iterable

from game.engine.language import ENGLISH, apart, grouped, mark, say, spoken

ORDINAL_FORMS = {1: mark("{number}st"), 2: mark("{number}nd"), 3: mark("{number}rd")}
OTHER_ORDINALS = mark("{number}th")


def thousands(number: int) -> str:
    """`2,181`, with a true minus sign."""
    return grouped(number).replace("-", "−")


def decimal(number: float, places: int = 1) -> str:
    """`2.5`, with a true minus sign."""
    whole, point, rest = f"{number:,.{places}f}".partition(".")
    language = spoken()
    return whole.replace(",", language.group).replace("-", "−") + (language.point if point else "") + rest


def percent(number: int) -> str:
    """`60%`."""
    return f"{thousands(number)}{spoken().percent}"


def plural(count: int, noun: str) -> str:
    """`1 share`, `2 shares`, in English only: texts for players use `language.count`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `11th`."""
    text = OTHER_ORDINALS if 10 < number % 100 < 14 else ORDINAL_FORMS.get(number % 10, OTHER_ORDINALS)
    return say(text, number=number)


def listed(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`; empty for no names."""
    *most, last = [apart(name) for name in names] or [""]
    return say("{most} and {last}", most=", ".join(most), last=last) if most else last


def either(names: Iterable[str]) -> str:
    """`a`, `a or b`, `a, b or c`; empty for no names."""
    *most, last = [apart(name) for name in names] or [""]
    return say("{most} or {last}", most=", ".join(most), last=last) if most else last


def inside(title: str) -> str:
    """A title within a sentence, in lower case if the language writes nouns in lower case."""
    text = say(title)
    return text.lower() if spoken().code == ENGLISH.code else text


def turn_words(title: str, turn: int) -> str:
    """A turn by its number: `Turn 3`, or `Year 3` where a game calls its turns years."""
    return say("{title} {number}", title=title, number=turn)


def turn_inside(title: str, turn: int) -> str:
    """A turn by its number within a sentence: `turn 3`."""
    return turn_words(inside(title), turn)


def continued(text: str) -> str:
    """A sentence as the second half of another: its first letter in lower case."""
    return text[:1].lower() + text[1:]


def capitalised(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]
