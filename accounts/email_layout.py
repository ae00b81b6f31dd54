"""The HTML form of a plain-text email: the same text in the layout of the game emails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language

BLANK_LINES = re.compile(r"\n\s*\n")


class Block(NamedTuple):
    """A paragraph with its lines, or a URL of the site; the first URL is the email's button."""

    lines: tuple[str, ...] = ()
    url: str = ""
    is_button: bool = False


def page_of(*, subject: str, text: str) -> str:
    """The email in HTML, in the current language."""
    context = {"language": get_language(), "subject": subject, "blocks": list(blocks_of(text))}
    return render_to_string("email/letter.html", context)


def blocks_of(text: str) -> Iterator[Block]:
    """The blocks of a text. Only URLs of this site become links: others were chosen by strangers."""
    has_button = False
    for part in BLANK_LINES.split(text.strip()):
        for block in _blocks_of_part(part.splitlines()):
            yield block._replace(is_button=bool(block.url) and not has_button)
            has_button = has_button or bool(block.url)


def _blocks_of_part(part_lines: Sequence[str]) -> Iterator[Block]:
    lines: list[str] = []
    for line in map(str.strip, part_lines):
        before, _, last = line.rpartition(" ")
        is_address = last.startswith(f"{settings.SITE_URL}/")
        text = before if is_address else line
        if lines and not text.startswith("- "):
            lines[-1] = f"{lines[-1]} {text}".strip()
        elif text:
            lines.append(text)
        if is_address:
            yield from _paragraph(lines)
            lines = []
            yield Block(url=last)
    yield from _paragraph(lines)


def _paragraph(lines: list[str]) -> Iterator[Block]:
    if lines:
        yield Block(tuple(lines))
