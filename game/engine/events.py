"""What happened: frozen facts, each naming who may read it and how it reads as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

import msgspec

from game.engine.phrases import thousands

Names = Callable[[int], str]


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", omit_defaults=True):
    """One thing that happened. `audience` None is everybody; otherwise only the seats named may ever read it."""

    audience: tuple[int, ...] | None = None
    topic: ClassVar[str] = "game"
    is_fleeting: ClassVar[bool] = False
    """Whether it is worth telling only while its phase is being looked at."""
    text: ClassVar[str] = ""
    figures: ClassVar[str] = ""

    def sentence(self, names: Names) -> str:
        """The event as one sentence, seats replaced by `names`."""
        return self.text.format(**self._words(names))

    def figure(self, names: Names) -> str:
        """The number that belongs at the end of the line, with the sum that made it."""
        return self.figures.format(**self._words(names)) if self.figures else ""

    def seats(self) -> tuple[int, ...]:
        """The seats this is about, for filtering a log by 'about me'."""
        seat = getattr(self, "seat", None)
        return () if seat is None else (seat,)

    def _words(self, names: Names) -> dict[str, object]:
        words = msgspec.structs.asdict(self)
        told = {name: thousands(word) if type(word) is int else word for name, word in words.items()}
        return told | {"seat": names(words["seat"])} if "seat" in words else told


class PhaseOpened(Event, frozen=True, kw_only=True, tag="phase_opened"):
    """A phase was entered."""

    serial: int
    turn: int
    phase: str
    number: str
    title: str
    topic: ClassVar[str] = "phase"
    text: ClassVar[str] = "{number} {title}"


def read_events(events: Iterable[Event], seat: int | None) -> list[Event]:
    """The events that `seat` may read; None is a stranger."""
    return [event for event in events if event.audience is None or (seat is not None and seat in event.audience)]
