"""Offers: the kinds of actions that a seat may choose now, with the choices and ranges of their fields, or a
refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class When(msgspec.Struct, frozen=True):
    """A field is asked only while the earlier field `name` holds one of `values`."""

    name: str
    values: tuple[Any, ...]


class Range(msgspec.Struct, frozen=True, tag="range"):
    """A whole number in low..high, in steps from `low`; `suggested` is where a form starts."""

    name: str
    label: str
    low: int
    high: int
    suggested: int = 1
    when: When | None = None
    step: int = 1


class Choice(msgspec.Struct, frozen=True, tag="choice"):
    """One of the values, each with the words a form shows; `optional` allows none of them."""

    name: str
    label: str
    values: tuple[tuple[Any, str], ...]
    optional: bool = False
    when: When | None = None


class Cell(msgspec.Struct, frozen=True):
    """A place on a board: its value, its words, and where it lies, counted from 0 at the top left."""

    value: Any
    words: str
    column: int
    row: int


class Cells(msgspec.Struct, frozen=True, tag="cells"):
    """One of the cells of a board: clicked on a drawing, or chosen from a list."""

    name: str
    label: str
    cells: tuple[Cell, ...]
    when: When | None = None

    @property
    def values(self) -> tuple[tuple[Any, str], ...]:
        """The cells as the values of a plain choice."""
        return tuple((cell.value, cell.words) for cell in self.cells)


class Several(msgspec.Struct, frozen=True, tag="several"):
    """`least` to `most` different values."""

    name: str
    label: str
    values: tuple[tuple[Any, str], ...]
    most: int
    when: When | None = None
    least: int = 0


class Split(msgspec.Struct, frozen=True, tag="split"):
    """Whole numbers >= 0 for the seats, with a sum of at most `total`."""

    name: str
    label: str
    total: int
    seats: tuple[int, ...]
    when: When | None = None


class Counts(msgspec.Struct, frozen=True, tag="counts"):
    """`least` to `total` things shared out among parts, each with its key, its words and the most it takes."""

    name: str
    label: str
    total: int
    parts: tuple[tuple[str, str, int], ...]
    when: When | None = None
    least: int = 0


class Flag(msgspec.Struct, frozen=True, tag="flag"):
    """Yes or no."""

    name: str
    label: str
    when: When | None = None


class Records(msgspec.Struct, frozen=True, tag="records"):
    """Up to `most` small records, each with the same fields: a crew, a basket, a list of trades."""

    name: str
    label: str
    fields: tuple[Range | Choice | Cells | Flag, ...]
    most: int
    when: When | None = None


class Queue(msgspec.Struct, frozen=True, tag="queue"):
    """`least` to `most` other offers in order, each filled in by itself: a plan, a batch, the steps of a recipe."""

    name: str
    label: str
    offers: tuple[Offer, ...]
    most: int
    when: When | None = None
    least: int = 0


Field = Range | Choice | Cells | Several | Split | Counts | Flag | Records | Queue


def is_asked(field: Field, chosen: Mapping[str, Any]) -> bool:
    """True if the field applies, given the values of earlier fields."""
    return field.when is None or chosen.get(field.when.name) in field.when.values


class Offer(msgspec.Struct, frozen=True):
    """An action of `kind` with some fields fixed and others open; `refused` says why it cannot be asked now. `slot` is
    the sealed input it would fill, `text` says what it does, `rule` is its number. `details` are the ruleset's
    calculations for people: what each choice would do. `group` is the heading under which forms print it."""

    kind: str
    label: str
    fixed: dict[str, Any] = {}
    fields: tuple[Field, ...] = ()
    refused: str = ""
    rule: str = ""
    slot: str = ""
    text: str = ""
    details: tuple[Any, ...] = ()
    group: str = ""
