"""What a message may be made of, and whom it mentions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from accounts.names import BLANKS
from game.chat.models import LONGEST_MESSAGE, LONGEST_NOTES
from game.engine.actions import Refused
from game.engine.phrases import thousands

JOINERS = "\u200c\u200d"  # hold some scripts and emoji together, and turn nothing round
MOST_LINES = 30
MOST_MARKS = 3  # accents on one letter; more would cover the lines around it
_tall = re.compile(r"\n{3,}")


class Part(NamedTuple):
    """A piece of a message; `seat` is who is mentioned in it."""

    text: str
    seat: int | None = None


def read_message(sent: str) -> str:
    """A message as it is kept: without letters that cannot be seen or turn round what stands beside them. Raises
    `Refused`."""
    text = plain(sent)
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


def read_notes(sent: str) -> str:
    """A notebook's text as it is kept. Raises `Refused`."""
    text = plain(sent)
    if len(text) > LONGEST_NOTES:
        raise Refused(
            "A notebook has up to {most} characters; this has {length}. Nothing was saved.",
            most=thousands(LONGEST_NOTES),
            length=thousands(len(text)),
            code="text_too_long",
            field="text",
        )
    return text


def plain(sent: str) -> str:
    """What somebody typed as plain text: line breaks and spaces, and letters that can be seen."""
    text = unicodedata.normalize("NFC", sent.replace("\r\n", "\n").replace("\r", "\n"))
    return _tall.sub("\n\n", "".join(_seen(text))).strip()


def _seen(text: str) -> Iterator[str]:
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter) in {"Mn", "Me"} else 0
        if marks > MOST_MARKS:
            continue
        if letter == "\n" or letter in JOINERS or letter.isprintable():
            yield letter
        elif letter.isspace():
            yield " "


def parts_of(text: str, names: Iterable[tuple[int, str]]) -> list[Part]:
    """The text cut at its mentions: `@` and the name of a seat, in any case, the longest name that fits."""
    known = {name.casefold(): seat for seat, name in names}
    if not known or "@" not in text:
        return [Part(text)]
    choices = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    parts, end = [], 0
    for found in re.finditer(rf"(?<!\w)@({choices})(?!\w)", text, re.IGNORECASE):
        seat = known.get(found[1].casefold())
        if seat is not None:
            parts += [Part(text[end : found.start()]), Part(found[0], seat)]
            end = found.end()
    return [part for part in (*parts, Part(text[end:])) if part.text]


def without_names(text: str, names: Iterable[str], instead: str) -> str:
    """The text with every mention of one of these names replaced."""
    parts = parts_of(text, [(0, name) for name in names])
    return "".join(part.text if part.seat is None else instead for part in parts)
