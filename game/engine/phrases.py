"""Numbers and names as sentences print them: log, dock, boards and mails use the same."""

from __future__ import annotations

from collections.abc import Iterable


def thousands(number: int) -> str:
    """`2,181`, with a true minus sign."""
    return f"{number:,}".replace("-", "−")


def plural(count: int, noun: str) -> str:
    """`1 share`, `2 shares`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`; of nobody, nothing."""
    *most, last = list(names) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def capitalised(text: str) -> str:
    """With a capital first letter, the rest untouched."""
    return text[:1].upper() + text[1:]
