"""A line of the bench table, and how the table prints."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Row(msgspec.Struct, frozen=True):
    """One figure beside what it is compared with. `ratio` is ours to theirs; `goal` in words; `reached` None: nothing
    to judge."""

    name: str
    ours: float
    unit: str
    beside: str
    theirs: float | None
    ratio: float | None
    goal: str
    reached: bool | None
    note: str = ""


def as_text(rows: Sequence[Row]) -> str:
    """The table for a terminal."""
    heads = ("figure", "ours", "beside", "theirs", "ratio", "goal", "reached")
    lines = [heads, *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    printed = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    ]
    notes = [f"{row.name}: {row.note}" for row in rows if row.note]
    return "\n".join([printed[0], "-" * len(printed[0]), *printed[1:], *([""] if notes else []), *notes])


def _cells(row: Row) -> tuple[str, ...]:
    theirs = "" if row.theirs is None else _number(row.theirs)
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    reached = {True: "yes", False: "NO", None: ""}[row.reached]
    return (row.name, f"{_number(row.ours)} {row.unit}", row.beside, theirs, ratio, row.goal, reached)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
