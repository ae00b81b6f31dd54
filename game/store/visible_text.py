"""Cleans user input: keeps visible letters, with few accents each, that do not change the direction of the text around
them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from accounts.names import BLANKS

JOINERS = "\u200c\u200d"  # needed by some scripts and emoji; they do not change the direction of text
MOST_MARKS = 3  # accents on one letter; more would cover the lines around it
UNSEEN = frozenset(f"{BLANKS}\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800")
"""Printable by Python's rule, although nobody sees them."""


def one_line(text: str) -> str:
    """User input as a line of visible letters; empty if nobody would see it."""
    letters = visible_letters(unicodedata.normalize("NFC", text), joiners="")
    line = " ".join("".join(letter for letter in letters if letter not in UNSEEN).split())
    return "" if is_blank(line) else line


def visible_letters(text: str, *, joiners: str = JOINERS) -> Iterator[str]:
    """The text without invisible letters, marks of direction and piles of accents; spaces of any kind become plain,
    line breaks stay."""
    accent_count = 0
    for letter in text:
        accent_count = accent_count + 1 if _is_accent(letter) else 0
        if accent_count > MOST_MARKS:
            continue
        if letter == "\n" or letter in joiners or letter.isprintable():
            yield letter
        elif letter.isspace():
            yield " "


def is_blank(text: str) -> bool:
    """True if nobody would see anything: accents alone would appear on the text next to it."""
    return all(letter.isspace() or letter in JOINERS or letter in UNSEEN or _is_accent(letter) for letter in text)


def _is_accent(letter: str) -> bool:
    return unicodedata.category(letter) in {"Mn", "Me"}
