"""The log as people read it: sentences grouped by phase, newest phase first, only what the reader may know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Protocol

import msgspec
import structlog

from game.engine.codec import Damaged
from game.engine.events import Event, Names, PhaseOpened, read_events
from game.engine.flow import Flow
from game.models import Game

log = structlog.get_logger(__name__)
FINGERPRINT = re.compile(r": ([0-9a-f]{4})([0-9a-f]{4})[0-9a-f]{56}$")


class Told(Protocol):
    """An entry of the log, whole or as far as it can be told."""

    @property
    def game(self) -> Game: ...
    @property
    def turn(self) -> int: ...
    @property
    def phase_name(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def at(self) -> datetime: ...
    def read_all_events(self) -> list[Event]: ...


class Line(msgspec.Struct, frozen=True):
    """One sentence. `topic` sorts it for the filters; `mine` marks what is about the reader, `is_news` what the board may announce."""

    text: str
    figure: str = ""
    topic: str = "game"
    seat: int | None = None
    mine: bool = False
    is_news: bool = True


class Chapter(msgspec.Struct):
    """What happened in one phase."""

    title: str
    at: datetime
    turn: int = 0
    entries: list[Line] = []


def tell(entries: Iterable[Told], *, flow: Flow, names: Names, seat: int | None) -> list[Chapter]:
    """The chapters of some log entries (given oldest first), newest first, without the empty ones."""
    chapters: list[Chapter] = []
    titles = _titles(flow)
    for entry in entries:
        title = _title(entry.turn, titles.get(entry.phase_name, ""))
        if not chapters or chapters[-1].title != title:
            chapters.append(Chapter(title, entry.at, entry.turn))
        events = _events_of(entry)
        if events is None:
            chapters[-1].entries.append(Line("The record of this step is damaged and cannot be shown.", is_news=False))
        for event in read_events(events or [], seat):
            if isinstance(event, PhaseOpened):
                chapters.append(Chapter(_title(event.turn, f"{event.number} {event.title}"), entry.at, event.turn))
            elif entry.game.reviews or not event.is_fleeting:
                chapters[-1].entries.append(_line(event, names, seat))
        if entry.note:
            chapters[-1].entries.append(_remark(entry.note))
    return [chapter for chapter in reversed(chapters) if chapter.entries]


def _events_of(entry: Told) -> list[Event] | None:
    """What happened in a step; None where its record is damaged."""
    try:
        return entry.read_all_events()
    except Damaged:
        log.error("log_entry_damaged", game=entry.game.pk, at=str(entry.at))
        return None


@cache
def _titles(flow: Flow) -> dict[str, str]:
    """The phases of a sequence of play as chapters are called."""
    return {row.phase.name: f"{row.phase.number} {row.phase.title}" for row in flow.rows}


def _title(turn: int, phase: str) -> str:
    return f"Turn {turn} / {phase}" if phase and turn else phase or "The start"


def _line(event: Event, names: Names, seat: int | None) -> Line:
    about = event.seats()
    subject = about[0] if len(about) == 1 else None
    return Line(event.sentence(names), event.figure(names), event.topic, subject, seat in about)


def _remark(note: str) -> Line:
    """A note of the site's. The fingerprint of the draws is told by its beginning: the page has it whole below the log."""
    short = FINGERPRINT.sub(r"; their fingerprint starts \1 \2.", note)
    return Line(short, is_news=short == note)


def news_of(chapters: Sequence[Chapter]) -> Line | None:
    """The one line of the last step to announce: the newest about the reader, else the first of its last chapter."""
    latest = [chapter for chapter in chapters if chapter.at == chapters[0].at]
    mine = (line for chapter in latest for line in reversed(chapter.entries) if line.mine)
    return next(mine, next((line for line in lines_of(latest) if line.is_news), None))


def lines_of(chapters: Iterable[Chapter]) -> Iterator[Line]:
    """Every line, the newest chapter's first."""
    for chapter in chapters:
        yield from chapter.entries
