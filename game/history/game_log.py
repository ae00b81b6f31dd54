"""The log as people read it: sentences grouped by phase, newest phase first, only what the reader may know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Protocol

import msgspec
import structlog

from game.engine.codec import Damaged
from game.engine.events import ActionTakenBack, Event, Names, PhaseOpened
from game.engine.flow import Flow
from game.engine.language import kept, say
from game.engine.phrases import capitalised, listed
from game.rulesets.registry import RULESETS
from game.store import eyes, log_notes
from game.store.eyes import Eyes
from game.store.game import Game
from game.store.packed_rows import whole_events
from game.store.phase_titles import titles_of

log = structlog.get_logger("game.game_log")
KEPT_STORIES = 1024  # a few kilobytes each: what a page tells again, and again to everybody at its table
FINGERPRINT = re.compile(r": ([0-9a-f]{4})([0-9a-f]{4})[0-9a-f]{56}$")


class LogEntry(Protocol):
    """An entry of the log, whole or as far as it can be told."""

    @property
    def game(self) -> Game: ...
    @property
    def turn(self) -> int: ...
    @property
    def phase_name(self) -> str: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def step(self) -> int | None: ...
    @property
    def note(self) -> str: ...
    @property
    def at(self) -> datetime: ...
    @property
    def events(self) -> str: ...


class Line(msgspec.Struct, frozen=True):
    """One sentence. `topic` sorts it for the filters; `mine` marks what is about the reader, `is_news` what the board
    may announce."""

    text: str
    figure: str = ""
    topic: str = "game"
    seat: int | None = None
    mine: bool = False
    is_news: bool = True


Told = PhaseOpened | Line


class Chapter(msgspec.Struct):
    """What happened in one phase; `seat` is whose turn it was, where seats act one after another."""

    title: str
    at: datetime
    turn: int = 0
    entries: list[Line] = []
    phase: str = ""
    seat: int | None = None


def tell(
    entries: Iterable[LogEntry], *, flow: Flow, names: Sequence[str], seat: Eyes | None, revealed: bool = False
) -> list[Chapter]:
    """The chapters of some log entries (given oldest first), newest first, without the empty ones.

    `revealed`: what only some seats were told is told as well, each time with whom it was told to.

    Entries that were taken back are left out by whoever reads them; so is here that they were."""
    chapters: list[Chapter] = []
    titles = titles_of(flow)
    for entry in entries:
        _open_chapter(chapters, entry, titles.get(entry.phase_name, ""), names)
        for told in _story_of(entry, tuple(names), seat, revealed=revealed):
            if isinstance(told, PhaseOpened):
                title = _title(told.turn, titles.get(told.phase, ""), told.seat, names)
                chapters.append(Chapter(title, entry.at, told.turn, [], told.phase, told.seat))
            else:
                chapters[-1].entries.append(told)
        if entry.note:
            chapters[-1].entries.append(_remark(entry.note))
    return [chapter for chapter in reversed(chapters) if chapter.entries]


def _open_chapter(chapters: list[Chapter], entry: LogEntry, phase: str, names: Sequence[str]) -> None:
    """Go on in the chapter of the entry's phase, or begin it where the log is read from its middle.

    What nobody did in a turn, as a moderator's note, stands in that turn."""
    seat = None if entry.step is None else entry.seat
    last = chapters[-1] if chapters else None
    if last and (last.turn, last.phase) == (entry.turn, entry.phase_name) and seat in {last.seat, None}:
        return
    chapters.append(Chapter(_title(entry.turn, phase, seat, names), entry.at, entry.turn, [], entry.phase_name, seat))


def _story_of(entry: LogEntry, names: tuple[str, ...], seat: Eyes | None, *, revealed: bool) -> tuple[Told, ...]:
    """What happened in a step; where its record is damaged, that it is."""
    if not entry.events:
        return ()
    try:
        events = whole_events(entry.game, entry.events)
        return _story(entry.game.ruleset, events, names, seat, entry.game.reviews, revealed)
    except Damaged:
        log.error("log_entry_damaged", game=entry.game.pk, at=str(entry.at))
        return (Line(say("The record of this step is damaged and cannot be shown."), is_news=False),)


# What is kept belongs to a reader by its key: the seat is part of it, and no other seat is given it.
@kept(KEPT_STORIES)
def _story(
    ruleset: str, events: str, names: tuple[str, ...], seat: Eyes | None, reviews: bool, revealed: bool
) -> tuple[Told, ...]:
    """The phases opened and the lines of one record, in order, as a seat may read it. Raises `Damaged`."""
    every = RULESETS[ruleset].codec.decode_events(events)
    read = eyes.read(every, seat, is_over=revealed)
    return tuple(_told(event, names, seat) for event in read if _is_told(event, reviews=reviews))


def _told(event: Event, names: Sequence[str], seat: Eyes | None) -> Told:
    if isinstance(event, PhaseOpened):
        return event
    line = _line(event, names.__getitem__, seat)
    return line if eyes.read([event], seat) else _told_to(line, event, names.__getitem__)


def _is_told(event: Event, *, reviews: bool) -> bool:
    """Whether the story includes it: it leaves out an undo, because it leaves out the undone action too."""
    if isinstance(event, ActionTakenBack):
        return event.was_standing
    return isinstance(event, PhaseOpened) or reviews or not event.is_fleeting


def moment_words(flow: Flow, turn: int, phase: str) -> str:
    """The start of a phase, as its chapter is called."""
    return _title(turn, titles_of(flow).get(phase, ""), None, ())


def _title(turn: int, phase: str, seat: int | None, names: Sequence[str]) -> str:
    if not phase:
        named = say("Turn {turn}", turn=turn) if turn else ""
        return f"{named}: {names[seat]}" if named and seat is not None else named or say("The start")
    named = say("Turn {turn}, {phase}", turn=turn, phase=phase) if turn else capitalised(phase)
    return named if seat is None else f"{named} ({names[seat]})"


def _line(event: Event, names: Names, seat: int | None) -> Line:
    about = event.seats()
    subject = about[0] if len(about) == 1 else None
    return Line(event.sentence(names), event.figure(names), event.topic, subject, seat in about)


def _told_to(line: Line, event: Event, names: Names) -> Line:
    """A line that was not addressed to the reader, with its addressees."""
    heard = listed([names(seat) for seat in event.audience or ()])
    return msgspec.structs.replace(line, text=say("Only {heard} was told: {text}", heard=heard, text=line.text))


def _remark(note: str) -> Line:
    """A note of the site. Of the fairness fingerprint it shows the first characters: the page has all of it below the
    log."""
    found = FINGERPRINT.search(note)
    if found is None:
        return Line(log_notes.told(note))
    told = say(
        "{draws}; their fingerprint starts {first} {second}.",
        draws=say(note[: found.start()]),
        first=found[1],
        second=found[2],
    )
    return Line(told, is_news=False)


def news_of(chapters: Sequence[Chapter]) -> Line | None:
    """The one line of the last step to announce: the newest about the reader, else the first of its last chapter."""
    latest = [chapter for chapter in chapters if chapter.at == chapters[0].at]
    mine = (line for chapter in latest for line in reversed(chapter.entries) if line.mine)
    return next(mine, next((line for line in lines_of(latest) if line.is_news), None))


def lines_of(chapters: Iterable[Chapter]) -> Iterator[Line]:
    """Every line, the newest chapter's first."""
    for chapter in chapters:
        yield from chapter.entries
