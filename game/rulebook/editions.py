"""What the page of one edition shows otherwise than the document: filled tables, exchanged numbers, and notes."""

from __future__ import annotations

import re
from collections.abc import Callable

from game.rulebook.tables import Place, Table, printed
from game.rulesets.sectors.options import EDITIONS

TABLE = re.compile(r"(?m)(?:^\|.*\n)+")
WRITTEN_FOR = 2  # the edition whose numbers the document's sentences name

NOTES = {
    "S 1.1": ("D36", "D35"),
    "S 1.3": ("D33",),
    "S 1.9": ("D17", "D19"),
    "S 1.10": ("D2",),
    "S 2.1": ("D34",),
    "S 4.1": ("D2", "D3"),
    "S 4.2": ("D3",),
    "S 5.3": ("D4",),
    "S 6.3": ("D9",),
    "S 6.6": ("D22",),
    "S 6.8": ("D24",),
    "S 6.9": ("D25", "D26", "D27", "D28", "D29"),
    "S 7.1": ("D13",),
    "S 7.7": ("D32",),
    "S 7.8": ("D23", "D35"),
}
"""By section: the differences of the first edition that its sentences do not tell."""

PHRASES = {
    "S 1.1": "Each has {influence_points} influence points",
    "S 1.9": "A pot of {tranche_pot} dollars",
}
"""Sentences of the document that name a number of the edition."""


def of_edition(number: str, text: str, edition: int) -> str:
    """The Markdown of one section with the numbers of the edition."""
    return _with_tables(number, _with_phrase(number, text, edition), edition)


def notes_of(number: str, edition: int) -> tuple[str, ...]:
    """The differences to be told on top of a section."""
    return () if edition == WRITTEN_FOR else NOTES.get(number, ())


def _with_phrase(number: str, text: str, edition: int) -> str:
    if number not in PHRASES:
        return text
    here, there = (PHRASES[number].format_map(vars(EDITIONS[n])) for n in (WRITTEN_FOR, edition))
    return re.sub(r"\s+".join(map(re.escape, here.split())), there, text)


def _with_tables(number: str, text: str, edition: int) -> str:
    tables, usual = printed(edition), printed(WRITTEN_FOR)
    places = iter(range(len(TABLE.findall(text))))

    def filled(found: re.Match[str]) -> str:
        place: Place = (number, next(places))
        return fill(found[0], tables[place], usual[place]) if place in tables else found[0]

    fill_each: Callable[[re.Match[str]], str] = filled
    return TABLE.sub(fill_each, text)


def fill(block: str, rows: Table, usual: Table) -> str:
    """A table of the document with its first columns from the engine; what differs from the usual edition is bold."""
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
