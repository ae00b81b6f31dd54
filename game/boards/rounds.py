"""What one round of a turn brought, as a board tells it in tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from game.boards.sheets import Sheet
from game.engine.events import Event

E = TypeVar("E", bound=Event)


class PhaseEvents(msgspec.Struct, frozen=True):
    """What the reader may know of one phase: its number and title, its events in order, and its place in the game, by
    which a table says at which moment its figures stood."""

    name: str
    number: str
    title: str
    events: tuple[Event, ...]
    serial: int = 0


Phases = Sequence[PhaseEvents]
RoundTables = Callable[[str, Phases, Sequence[str]], tuple[Sheet, ...]]
"""A round's key, its phases and the players' names -> its tables; those without rows are left out."""


def no_tables(key: str, phases: Phases, names: Sequence[str]) -> tuple[Sheet, ...]:
    """A game whose rounds are told by their log alone."""
    return ()


def all_of(phases: Phases, kind: type[E]) -> list[E]:
    """The events of one kind, in order."""
    return [event for phase in phases for event in phase.events if isinstance(event, kind)]
