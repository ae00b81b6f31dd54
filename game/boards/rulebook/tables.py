"""What the page of one variant shows otherwise than the document: filled tables and exchanged sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from game.boards.rulebook.book import Lengths, Rulebook, Table, Tables, Variant

TABLE = re.compile(r"(?m)(?:^\|.*\n)+")


def of_variant(book: Rulebook, number: str, text: str, variant: Variant, lengths: Lengths) -> str:
    """The Markdown of one section with the sentences and the numbers of the variant."""
    return _with_tables(book, number, _with_sentence(book, number, text, variant), variant, lengths)


def _with_sentence(book: Rulebook, number: str, text: str, variant: Variant) -> str:
    if number not in variant.sentences:
        return text
    return re.sub(r"\s+".join(map(re.escape, book.usual.sentences[number].split())), variant.sentences[number], text)


@cache
def _tables(book: Rulebook, key: str, lengths: Lengths) -> Tables:
    return book.tables(key, lengths)


def _with_tables(book: Rulebook, number: str, text: str, variant: Variant, lengths: Lengths) -> str:
    tables, usual = _tables(book, variant.key, lengths), _tables(book, book.usual.key, lengths)
    places = iter(range(len(TABLE.findall(text))))

    def filled(found: re.Match[str]) -> str:
        place = (number, next(places))
        return fill(found[0], tables[place], usual[place]) if place in tables else found[0]

    fill_each: Callable[[re.Match[str]], str] = filled
    return TABLE.sub(fill_each, text)


def fill(block: str, rows: Table, usual: Table) -> str:
    """A table of the document with its first columns from the engine; what differs from the usual variant is bold."""
    head, line, *old = block.splitlines()
    rest = [_cells(row)[len(rows[0]) :] for row in old]
    is_alike = len(rows) == len(usual)
    lines = []
    for place, row in enumerate(rows):
        new = [f"**{cell}**" if is_alike and cell != usual[place][i] else cell for i, cell in enumerate(row)]
        lines.append(_line([*new, *(rest[place] if place < len(rest) else ())]))
    return "\n".join([head, line, *lines, ""])


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
