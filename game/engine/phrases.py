"""Numbers and names as sentences print them: the log, boards and emails use the same."""

from __future__ import annotations

from collections.abc import Iterable


def thousands(number: int) -> str:
    """`2,181`, with a true minus sign."""
    return f"{number:,}".replace("-", "−")


def plural(count: int, noun: str) -> str:
    """`1 share`, `2 shares`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `11th`."""
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def listed(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`; of nobody, nothing."""
    *most, last = list(names) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def capitalised(text: str) -> str:
    """With a capital first letter, the rest untouched."""
    return text[:1].upper() + text[1:]
