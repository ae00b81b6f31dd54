"""The log as people read it: sentences grouped by phase, newest phase first, only what the reader may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from game.engine.events import Event, Names, PhaseOpened, read_events
from game.engine.flow import Flow
from game.models import LoggedAction


class Line(msgspec.Struct, frozen=True):
    """One sentence. `topic` sorts it for the filters; `mine` marks what is about the reader."""

    text: str
    figure: str = ""
    topic: str = "game"
    seat: int | None = None
    mine: bool = False


@dataclass
class Chapter:
    """What happened in one phase."""

    title: str
    at: datetime
    turn: int = 0
    entries: list[Line] = field(default_factory=list)


def tell(entries: Iterable[LoggedAction], *, flow: Flow, names: Names, seat: int | None) -> list[Chapter]:
    """The chapters of some log entries (given oldest first), newest first, without the empty ones."""
    chapters: list[Chapter] = []
    titles = {row.phase.name: f"{row.phase.number} {row.phase.title}" for row in flow.rows}
    for entry in entries:
        title = _title(entry.turn, titles.get(entry.phase_name, ""))
        if not chapters or chapters[-1].title != title:
            chapters.append(Chapter(title, entry.at, entry.turn))
        for event in read_events(entry.read_all_events(), seat):
            _tell_event(chapters, entry, event, names, seat)
        if entry.note:
            chapters[-1].entries.append(Line(entry.note))
    return [chapter for chapter in reversed(chapters) if chapter.entries]


def _title(turn: int, phase: str) -> str:
    return f"Turn {turn} / {phase}" if phase and turn else phase or "The start"


def _tell_event(chapters: list[Chapter], entry: LoggedAction, event: Event, names: Names, seat: int | None) -> None:
    if isinstance(event, PhaseOpened):
        chapters.append(Chapter(_title(event.turn, f"{event.number} {event.title}"), entry.at, event.turn))
        return
    if event.is_fleeting and not entry.game.reviews:
        return
    about = event.seats()
    subject = about[0] if len(about) == 1 else None
    chapters[-1].entries.append(Line(event.sentence(names), event.figure(names), event.topic, subject, seat in about))


def lines_of(chapters: Iterable[Chapter]) -> Iterator[Line]:
    """Every line, the newest chapter's first."""
    for chapter in chapters:
        yield from chapter.entries
