"""Cleans the text of a message and finds its mentions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from accounts.names import BLANKS
from game.chat.models import LONGEST_MESSAGE, LONGEST_NOTES
from game.engine.actions import Refused
from game.engine.phrases import thousands

JOINERS = "\u200c\u200d"  # needed by some scripts and emoji; they do not change the direction of text
MOST_LINES = 30
MOST_MARKS = 3  # accents on one letter; more would cover the lines around it
_BLANK_LINES = re.compile(r"\n{3,}")


class Part(NamedTuple):
    """A piece of a message; `seat` is the seat it mentions, if any."""

    text: str
    seat: int | None = None


def read_message(typed: str) -> str:
    """A message as it is stored: without invisible letters, and without letters that change the direction of text.
    Raises `Refused`."""
    text = plain(typed)
    if not text.strip(BLANKS + JOINERS + " \n"):
        raise Refused("A message needs text. Write something and send it again.", code="text_missing", field="text")
    if len(text) > LONGEST_MESSAGE:
        raise Refused(
            "A message has up to {most} characters; this one has {length}. Nothing was sent.",
            most=thousands(LONGEST_MESSAGE),
            length=thousands(len(text)),
            code="text_too_long",
            field="text",
        )
    if (lines := text.count("\n") + 1) > MOST_LINES:
        raise Refused(
            "A message has up to {most} lines; this one has {lines}. Nothing was sent.",
            most=MOST_LINES,
            lines=lines,
            code="too_many_lines",
            field="text",
        )
    return text


def read_notes(typed: str) -> str:
    """A notebook's text as it is stored. Raises `Refused`."""
    text = plain(typed)
    if len(text) > LONGEST_NOTES:
        raise Refused(
            "A notebook has up to {most} characters; this has {length}. Nothing was saved.",
            most=thousands(LONGEST_NOTES),
            length=thousands(len(text)),
            code="text_too_long",
            field="text",
        )
    return text


def plain(typed: str) -> str:
    """Typed text as plain text: visible letters, spaces and line breaks."""
    text = unicodedata.normalize("NFC", typed.replace("\r\n", "\n").replace("\r", "\n"))
    return _BLANK_LINES.sub("\n\n", "".join(_visible_letters(text))).strip()


def _visible_letters(text: str) -> Iterator[str]:
    accent_count = 0
    for letter in text:
        accent_count = accent_count + 1 if unicodedata.category(letter) in {"Mn", "Me"} else 0
        if accent_count > MOST_MARKS:
            continue
        if letter == "\n" or letter in JOINERS or letter.isprintable():
            yield letter
        elif letter.isspace():
            yield " "


def parts_of(text: str, names: Iterable[tuple[int, str]]) -> list[Part]:
    """The text split at its mentions: `@` and a player's name, in any case; the longest matching name wins."""
    seat_by_name = {name.casefold(): seat for seat, name in names}
    if not seat_by_name or "@" not in text:
        return [Part(text)]
    pattern = "|".join(re.escape(name) for name in sorted(seat_by_name, key=len, reverse=True))
    parts, end = [], 0
    for match in re.finditer(rf"(?<!\w)@({pattern})(?!\w)", text, re.IGNORECASE):
        seat = seat_by_name.get(match[1].casefold())
        if seat is not None:
            parts += [Part(text[end : match.start()]), Part(match[0], seat)]
            end = match.end()
    return [part for part in (*parts, Part(text[end:])) if part.text]


def without_names(text: str, names: Iterable[str], instead: str) -> str:
    """The text with every mention of one of these names replaced."""
    parts = parts_of(text, [(0, name) for name in names])
    return "".join(part.text if part.seat is None else instead for part in parts)
