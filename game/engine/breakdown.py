"""Breakdowns of figures into parts that add up to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from game.engine.events import Event, PhaseOpened

TABLE = "table"
"""The subject of a figure that belongs to no player or company."""


class Part(msgspec.Struct, frozen=True):
    """One part of a figure: label and signed amount, with the `turn` in which it was added, if any."""

    label: str
    amount: int
    turn: int | None = None


Breakdown = Callable[[Any, str], tuple[Part, ...]]
"""From a state and a subject, the key of a company or the number of a seat, to the parts of a public figure; none if
the subject does not exist."""
Breakdowns = Mapping[str, Breakdown]

Trace = Callable[[Any, Sequence[Event], str], tuple[Part, ...]]
"""From a state, all earlier public events in order, and a subject, to the parts of a figure that grows over time."""
Traces = Mapping[str, Trace]


def by_turns(events: Sequence[Event]) -> Iterator[tuple[int, Event]]:
    """Events, each with its turn."""
    turn = 0
    for event in events:
        if isinstance(event, PhaseOpened):
            turn = event.turn
        yield turn, event
