"""What a figure is made of: parts that add up to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from game.engine.events import Event, PhaseOpened

TABLE = "table"
"""The subject of a figure that belongs to no particular player or company."""


class Part(msgspec.Struct, frozen=True):
    """One part of a figure, in words and with its sign; `turn` where it came to it in a turn of the game."""

    label: str
    amount: int
    turn: int | None = None


Breakdown = Callable[[Any, str], tuple[Part, ...]]
"""From a state and what the figure is about, a company's key or a seat's number, to the parts of a public figure; none
where there is no such thing."""
Breakdowns = Mapping[str, Breakdown]

Trace = Callable[[Any, Sequence[Event], str], tuple[Part, ...]]
"""The same for a figure that has grown: from a state, everything public that happened before it in order, and what the
figure is about."""
Traces = Mapping[str, Trace]


def by_turns(events: Sequence[Event]) -> Iterator[tuple[int, Event]]:
    """Events with the turn in which each happened."""
    turn = 0
    for event in events:
        if isinstance(event, PhaseOpened):
            turn = event.turn
        yield turn, event
