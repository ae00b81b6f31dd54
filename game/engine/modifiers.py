"""Lasting effects as data: which number they change, by how much and until when."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Modifier(msgspec.Struct, frozen=True, omit_defaults=True):
    """Adds `amount` to `number` of its carrier. `turn` None: always; otherwise only in that turn.

    `once` modifiers are removed by the step that uses the number (`spend`)."""

    number: str
    amount: int
    source: str
    turn: int | None = None
    once: bool = False


def total(modifiers: Iterable[Modifier], number: str, turn: int) -> int:
    """The sum of the modifiers of a number in force in `turn`."""
    return sum(m.amount for m in modifiers if m.number == number and m.turn in (None, turn))


def without_source(modifiers: Iterable[Modifier], source: str) -> list[Modifier]:
    """The modifiers that do not come from `source`."""
    return [m for m in modifiers if m.source != source]


def spend(modifiers: Iterable[Modifier], numbers: frozenset[str]) -> list[Modifier]:
    """The modifiers left after a step used `numbers`, without the one-time ones."""
    return [m for m in modifiers if not (m.once and m.number in numbers)]


def still_to_come(modifiers: Iterable[Modifier], turn: int) -> list[Modifier]:
    """The modifiers left when `turn` begins."""
    return [m for m in modifiers if m.turn is None or m.turn >= turn]
