"""The log in words: sentences grouped by phase, newest phase first, only what the reader may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any, Protocol

import msgspec
import structlog
from django.db.models import QuerySet

from game.engine.codec import Damaged
from game.engine.events import ActionTakenBack, Event, Names, PhaseOpened
from game.engine.flow import Flow, Mode, Round
from game.engine.language import apart, kept, mark, say, say_as
from game.engine.phrases import capitalised, inside, listed, turn_words
from game.infra.compiled import CompiledQuery
from game.rulesets.registry import RULESETS
from game.store import eyes, log_notes
from game.store.badges import titles_of
from game.store.eyes import Ears, Eyes
from game.store.game import Game
from game.store.log import LoggedAction, whole_events
from game.store.log_notes import Sentence

log = structlog.get_logger("game.game_log")
STORY_CACHE_SIZE = 1024  # a few kilobytes each: pages repeat them, and players of a table share them
SHORT_NOTES = {
    Sentence.DRAWS_SEALED.name: mark(
        "All random draws of this game were fixed before it began; the fingerprint that proves it starts {first} "
        "{second}."
    ),
    Sentence.NEW_SECRET.name: mark(
        "From here on, draws come from a new secret; its fingerprint starts {first} {second}."
    ),
}
"""Notes about a fingerprint, with its first eight digits."""


class LogEntry(Protocol):
    """An entry of the log, complete or reduced to what the log page prints."""

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
    def remark(self) -> Mapping[str, Any] | None: ...
    @property
    def at(self) -> datetime: ...
    @property
    def events(self) -> str: ...
    @property
    def version(self) -> int: ...


class Line(msgspec.Struct, frozen=True):
    """One sentence. `topic` is what the filters use; `mine` marks what is about the reader, `is_news` what the board
    may announce."""

    text: str
    figure: str = ""
    topic: str = "game"
    seat: int | None = None
    mine: bool = False
    is_news: bool = True


StoryItem = PhaseOpened | Line


class Chapter(msgspec.Struct):
    """What happened in one phase; `seat` is whose turn it was, in a phase with turns. `version` is the game's when the
    last line was written."""

    title: str
    at: datetime
    turn: int = 0
    entries: list[Line] = []
    phase: str = ""
    seat: int | None = None
    version: int = 0


def tell(
    entries: Iterable[LogEntry],
    *,
    flow: Flow,
    names: Sequence[str],
    seat: Eyes | None,
    you: str = "",
    revealed: bool = False,
) -> list[Chapter]:
    """The chapters of some log entries (given oldest first), newest first, without the empty ones.

    `you` is the reader's name in the game, whose bearer reads “you”; empty, as in files, everybody is named.
    `revealed`: include what only some seats could read, and name those seats.

    The caller leaves out undone entries; this function leaves out the fact that they were undone."""
    chapters: list[Chapter] = []
    titles = titles_of(flow)
    own = seat if you else None
    whose = [say_as("seat", "You") if number == own else name for number, name in enumerate(names)]
    for entry in entries:
        _open_chapter(flow, chapters, entry, titles.get(entry.phase_name, ""), whose)
        for item in _story_of(entry, tuple(names), seat, own, revealed=revealed):
            if isinstance(item, PhaseOpened):
                chapters[-1].version = entry.version
                title = _title(flow, item.turn, titles.get(item.phase, ""), item.seat, whose)
                chapters.append(Chapter(title, entry.at, item.turn, [], item.phase, item.seat))
            else:
                chapters[-1].entries.append(item)
        if entry.note:
            chapters[-1].entries.append(_line_of_note(entry, flow, you))
        chapters[-1].version = entry.version
    return [chapter for chapter in reversed(chapters) if chapter.entries]


def by_rounds(chapters: Sequence[Chapter], flow: Flow) -> list[Chapter]:
    """Chapters, newest first; consecutive turns of seats in one round share a heading."""
    rounds = {row.phase.name: row.rounds[-1] for row in flow.rows if row.phase.mode is Mode.TURNS and row.rounds}
    titles = titles_of(flow)
    merged: list[Chapter] = []
    for (turn, each_round), group in groupby(chapters, key=lambda one: (one.turn, rounds.get(one.phase))):
        turns = list(group)
        if each_round is None or len(turns) == 1:
            merged += turns
            continue
        newest, phases = turns[0], {one.phase for one in turns}
        words = titles.get(newest.phase, "") if len(phases) == 1 else _inside_turn(each_round)
        entries = [line for one in reversed(turns) for line in one.entries]
        title = _title(flow, turn, words, None, ())
        merged.append(Chapter(title, newest.at, turn, entries, newest.phase, None, newest.version))
    return merged


def _open_chapter(flow: Flow, chapters: list[Chapter], entry: LogEntry, phase: str, names: Sequence[str]) -> None:
    """Continue the chapter of the entry's phase, or begin one if the log is read from its middle.

    Entries without a seat, such as a moderator's note, belong to the current turn."""
    seat = None if entry.step is None else entry.seat
    last = chapters[-1] if chapters else None
    if last and (last.turn, last.phase) == (entry.turn, entry.phase_name) and seat in {last.seat, None}:
        return
    title = _title(flow, entry.turn, phase, seat, names)
    chapters.append(Chapter(title, entry.at, entry.turn, [], entry.phase_name, seat))


def _story_of(
    entry: LogEntry, names: tuple[str, ...], seat: Eyes | None, own: Eyes | None, *, revealed: bool
) -> tuple[StoryItem, ...]:
    """The events of a step in words, or a line that says its record is damaged. `own` is the seat that reads “you”."""
    if not entry.events:
        return ()
    try:
        events = whole_events(entry.game, entry.events)
        ears = eyes.ears_at(entry, seat)
        return _read_story(entry.game.ruleset, events, names, own, ears, entry.game.reviews, revealed)
    except Damaged:
        log.error("log_entry_damaged", game=entry.game.pk, at=str(entry.at))
        return (Line(say("The record of this step is damaged and cannot be shown."), is_news=False),)


# The key contains the seat that reads, so no seat is served what was cached for another.
@kept(STORY_CACHE_SIZE)
def _read_story(
    ruleset: str,
    events: str,
    names: tuple[str, ...],
    own: Eyes | None,
    ears: Ears | None,
    reviews: bool,
    revealed: bool,
) -> tuple[StoryItem, ...]:
    """The opened phases and the lines of one record, in order, as a seat may read it. Raises `Damaged`."""
    all_events = RULESETS[ruleset].codec.decode_events(events)
    readable = eyes.news(all_events, ears, is_over=revealed)
    return tuple(_item_of_event(event, names, own, ears) for event in readable if is_in_story(event, reviews=reviews))


def _item_of_event(event: Event, names: Sequence[str], own: Eyes | None, ears: Ears | None) -> StoryItem:
    if isinstance(event, PhaseOpened):
        return event
    line = _line_of_event(event, names.__getitem__, own)
    return line if eyes.read([event], ears) else _add_addressees(line, event, names.__getitem__)


def _inside_turn(part: Round) -> str:
    """The round's title after that of its turn; "" for the turn itself, which has been named then."""
    return "" if part.name == "turn" else inside(part.title)


def is_in_story(event: Event, *, reviews: bool) -> bool:
    """True if the story includes the event; it leaves out an undo together with the undone action."""
    if isinstance(event, ActionTakenBack):
        return event.was_standing
    return isinstance(event, PhaseOpened) or reviews or not event.is_fleeting


def moment_words(flow: Flow, turn: int, phase: str) -> str:
    """The title of the chapter that starts with a phase."""
    return _title(flow, turn, titles_of(flow).get(phase, ""), None, ())


def _title(flow: Flow, turn: int, phase: str, seat: int | None, names: Sequence[str]) -> str:
    if not phase:
        title = turn_words(flow.turn_title, turn) if turn else ""
        return f"{title}: {apart(names[seat])}" if title and seat is not None else title or say("The start")
    title = say("{turn}, {phase}", turn=turn_words(flow.turn_title, turn), phase=phase) if turn else capitalised(phase)
    return title if seat is None else f"{title} ({apart(names[seat])})"


def _line_of_event(event: Event, names: Names, own: int | None) -> Line:
    seats = event.seats()
    only_seat = seats[0] if len(seats) == 1 else None
    text = event.sentence(names) if own is None else event.sentence_for(own, names)
    return Line(text, event.figure(names), event.topic, only_seat, own in seats)


def _add_addressees(line: Line, event: Event, names: Names) -> Line:
    """Add the addressees to a line that was not addressed to the reader."""
    addressees = listed([names(seat) for seat in event.audience or ()])
    text = say("Visible only to {names}: “{text}”", names=addressees, text=line.text)
    return msgspec.structs.replace(line, text=text)


def _line_of_note(entry: LogEntry, flow: Flow, you: str) -> Line:
    """A note of the site. It abbreviates the fairness fingerprint, which the page shows in full below the log."""
    note = log_notes.read(entry.remark)
    if note is not None and note.id in SHORT_NOTES:
        fingerprint = note.facts["fingerprint"]
        return Line(say(SHORT_NOTES[note.id], first=fingerprint[:4], second=fingerprint[4:8]), is_news=False)
    text = log_notes.words_of(entry.note, entry.remark, flow.turn_title, you)
    return Line(text, mine=note is not None and note.is_about(you))


def news_of(chapters: Sequence[Chapter]) -> Line | None:
    """The one line of the last step to announce: the newest about the reader, otherwise the first of its last
    chapter."""
    latest = [chapter for chapter in chapters if chapter.at == chapters[0].at]
    own_lines = (line for chapter in latest for line in reversed(chapter.entries) if line.mine)
    return next(own_lines, next((line for line in lines_of(latest) if line.is_news), None))


def lines_of(chapters: Iterable[Chapter]) -> Iterator[Line]:
    """All lines, starting with the newest chapter."""
    for chapter in chapters:
        yield from chapter.entries


NEWEST = 2**31 - 1  # the largest version a game can have
LOG_ENTRIES = 12  # steps, about a turn: with more, the log takes longer than the rest of the page
MOST_SINCE = 60  # steps since the reader's last decision, where seats act one after another


@dataclass(slots=True)
class LogRow:
    """The columns of a log entry that a page needs; not its number, which counts sealed submissions too."""

    game: Game
    version: int
    turn: int
    phase_name: str
    seat: int | None
    step: int | None
    events: str
    note: str
    remark: dict[str, Any] | None
    at: datetime
    serial: int = 0
    branch: int = 0
    opened_serial: int | None = None
    asks: list[int] | None = None
    kind: str = ""
    _read: list[Event] | None = None

    def read_all_events(self) -> list[Event]:
        """Every event, hidden ones too: `tell` passes them through `read_events`."""
        if self._read is None:
            events = whole_events(self.game, self.events)
            self._read = self.game.rules.codec.decode_events(events) if events else []
        return self._read


COLUMNS = (
    "version", "turn", "phase_name", "seat", "step", "events", "note", "remark", "at", "serial", "branch",
    "opened_serial", "asks", "kind",
)  # fmt: skip


def _visible_entries(game_id: int) -> QuerySet[LoggedAction, Any]:
    entries = LoggedAction.objects.filter(game_id=game_id).exclude(events="", note="").exclude(is_undone=True)
    return entries.order_by("-number").values_list(*COLUMNS)


@cache
def _page_of_log(most: int) -> CompiledQuery[LoggedAction]:
    return CompiledQuery(lambda game, before: _visible_entries(game).filter(version__lt=before)[: most + 1])


_entries_of_version = CompiledQuery(lambda game, version: _visible_entries(game).filter(version=version))


def read_steps(
    *, game: Game, before: int | None = None, index_of_decision: Callable[[Sequence[LogRow]], int | None] | None = None
) -> tuple[list[LogRow], int | None]:
    """A page of the log, newest first and not yet filtered for a reader, and the version where the next older page
    begins. A page on which `index_of_decision` finds nothing is longer and ends where it does. Entries written after
    the game was read are left out: the reader's seat may have changed hands since."""
    newest = game.version + 1
    entries, older = _read_page(game, newest if before is None else min(before, newest), LOG_ENTRIES)
    if older is None or index_of_decision is None or index_of_decision(entries) is not None:
        return entries, older
    entries, older = _read_page(game, newest, MOST_SINCE)
    decided = index_of_decision(entries)
    if decided is None or entries[decided].version == entries[-1].version:
        return entries, older
    version = entries[decided].version
    return [entry for entry in entries if entry.version >= version], version


def _read_page(game: Game, before: int, most: int) -> tuple[list[LogRow], int | None]:
    entries = [LogRow(game, *row) for row in _page_of_log(most).rows(game.pk, before)]
    older = entries[most - 1].version if len(entries) > most else None
    if older is not None and entries[most].version == older:
        # Keep the entries of one commit on one page.
        same_commit = [LogRow(game, *row) for row in _entries_of_version.rows(game.pk, older)]
        entries = [entry for entry in entries if entry.version > older] + same_commit
    elif older is not None:
        del entries[most:]
    return entries, older
