"""Rows to tick, each with a number: what covers and exercises share."""

from __future__ import annotations

import msgspec

from game.boards.decision import DOLLARS, Filled, whole
from game.boards.shapes import Option

MOST_ROWS = 40


class Ticks(msgspec.Struct, frozen=True):
    """Rows to tick."""

    name: str
    legend: str
    options: tuple[Option, ...]


def ticked_numbers(form: Filled, name: str, label: str, rule: str) -> list[int]:
    """The numbers of the rows that were ticked, each once."""
    ticked = list(dict.fromkeys(form.several(name)))[:MOST_ROWS]
    return [whole(Filled({name: [text]}), name, label, *DOLLARS, rule=rule) for text in ticked]
