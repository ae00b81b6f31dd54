"""What a seat may ask for now: an action kind with the choices and ranges of its fields, or why it is refused."""

from __future__ import annotations

from typing import Any

import msgspec


class Range(msgspec.Struct, frozen=True, tag="range"):
    """A whole number in low..high; `suggested` is where a form starts."""

    name: str
    label: str
    low: int
    high: int
    suggested: int = 1


class Choice(msgspec.Struct, frozen=True, tag="choice"):
    """One of the values, each with the words a form shows; `optional` allows none of them."""

    name: str
    label: str
    values: tuple[tuple[Any, str], ...]
    optional: bool = False


class Several(msgspec.Struct, frozen=True, tag="several"):
    """Up to `most` different values."""

    name: str
    label: str
    values: tuple[tuple[Any, str], ...]
    most: int


class Split(msgspec.Struct, frozen=True, tag="split"):
    """Up to `total` shared out among the seats as whole numbers >= 0."""

    name: str
    label: str
    total: int
    seats: tuple[int, ...]


class Flag(msgspec.Struct, frozen=True, tag="flag"):
    """Yes or no."""

    name: str
    label: str


Field = Range | Choice | Several | Split | Flag


class Offer(msgspec.Struct, frozen=True):
    """An action of `kind` with some fields fixed and others open; `refused` says why it cannot be asked now.

    `slot` is the sealed input it would fill, `text` says what it does, `rule` is its number."""

    kind: str
    label: str
    fixed: dict[str, Any] = {}
    fields: tuple[Field, ...] = ()
    refused: str = ""
    rule: str = ""
    slot: str = ""
    text: str = ""
