"""The events of a game of Sectors, each with its text in the log."""

from __future__ import annotations

from collections.abc import Iterator

from game.engine.events import Event, PhaseOpened
from game.rulesets.sectors.events import opening, operations, orders, upkeep

CHAPTERS = (opening, orders, operations, upkeep)


def _kinds() -> Iterator[type[Event]]:
    """The kernel's event and those that the chapters define."""
    yield PhaseOpened
    for chapter in CHAPTERS:
        for kind in vars(chapter).values():
            if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == chapter.__name__:
                yield kind


EVENTS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in _kinds()}
"""Every kind of event by its tag."""
