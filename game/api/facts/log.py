"""The log, the past and the chat as structs for programs, reduced to what one seat may read. Events are numbered within
public versions, because the numbers of log entries count sealed submissions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import msgspec
import structlog

from game.api.facts.games import Place
from game.chat import rules
from game.chat.models import Message
from game.chat.page import messages_for, muted_by
from game.engine.codec import Damaged
from game.engine.events import Event, PhaseOpened
from game.history.game_log import COLUMNS, LogRow
from game.history.past import course_of, seen_at
from game.store import eyes, log_notes
from game.store.badges import Instant, one_of
from game.store.eyes import Eyes
from game.store.game import Game
from game.store.log import LoggedAction
from game.store.readers import Reader

HIDDEN = ("event", "audience")
log = structlog.get_logger("game.facts.log")


class EventLine(msgspec.Struct, frozen=True):
    """One event. `id` is `version.n`, or `version.pn` for an event that only this seat can read; `facts` are the fields
    of its kind, as in the ruleset's schema, and `text` is a sentence with the names of the players."""

    id: str
    version: int
    at: Instant
    turn: int
    phase: str
    kind: str
    topic: str
    text: str
    figure: str
    seats: tuple[int, ...]
    facts: dict[str, Any]
    private: bool


class EventFilter(msgspec.Struct, frozen=True):
    """A filter for events of the public versions `first` to `last`; with `about`, only those about one seat, and with
    `topic`, only those of one topic."""

    first: int
    last: int
    about: int | None = None
    topic: str = ""


def events_of(game: Game, *, seat: Eyes | None, names: Sequence[str], event_filter: EventFilter) -> list[EventLine]:
    """The events of these versions that the seat may read, oldest first; seat None reads as a stranger."""
    entries = LoggedAction.objects.filter(
        game_id=game.pk, version__gte=event_filter.first, version__lte=event_filter.last
    )
    rows = entries.exclude(events="", note="").exclude(is_undone=True).order_by("number").values_list(*COLUMNS)
    counts: dict[tuple[int, bool], int] = {}
    lines = []
    for row in rows:
        for line in _lines(LogRow(game, *row), seat, names):
            number = counts[line.version, line.private] = counts.get((line.version, line.private), 0) + 1
            mark = "p" if line.private else ""
            lines.append(msgspec.structs.replace(line, id=f"{line.version}.{mark}{number}"))
    about, topic = event_filter.about, event_filter.topic
    return [line for line in lines if (about is None or about in line.seats) and topic in {"", line.topic}]


def _lines(row: LogRow, seat: Eyes | None, names: Sequence[str]) -> Iterator[EventLine]:
    turn, phase = row.turn, row.phase_name
    for event in _readable(row, seat):
        if isinstance(event, PhaseOpened):
            turn, phase = event.turn, event.phase
        yield _line(row, event, (turn, phase), names)
    if row.note:
        words = log_notes.words_of(row.note, row.remark, row.game.rules.turn_title)
        yield EventLine("", row.version, row.at, turn, phase, "remark", "game", words, "", (), {}, private=False)


def _readable(row: LogRow, seat: Eyes | None) -> list[Event]:
    """The events that a seat may read; none of a damaged entry, for which pages show a message."""
    try:
        return eyes.read(row.read_all_events(), eyes.ears_at(row, seat))
    except Damaged:
        log.error("log_entry_damaged", game=row.game.pk, at=str(row.at))
        return []


def _line(row: LogRow, event: Event, at: tuple[int, str], names: Sequence[str]) -> EventLine:
    fields = msgspec.to_builtins(event)
    name_of = names.__getitem__
    return EventLine(
        id="",
        version=row.version,
        at=row.at,
        turn=at[0],
        phase=at[1],
        kind=fields["event"],
        topic=event.topic,
        text=event.sentence(name_of),
        figure=event.figure(name_of),
        seats=tuple(event.seats()),
        facts={name: value for name, value in fields.items() if name not in HIDDEN},
        private=event.audience is not None,
    )


class MessageLine(msgspec.Struct, frozen=True):
    """A message: `kind` is said, or off and on if the host switched the chat; `person` is None after the account was
    closed, and `text` is empty if moderators removed the message."""

    number: int
    at: Instant
    kind: Annotated[str, one_of(Message.Kind.values)]
    person: int | None
    name: str
    text: str


def may_read(game: Game, reader: Reader) -> bool:
    """True if this reader may read the chat."""
    return rules.access_to(game=game, user=reader).is_reader


def messages_of(game: Game, reader: Reader, *, before: int | None, limit: int) -> tuple[list[MessageLine], int | None]:
    """The newest messages before a number, oldest first, and the number to pass for older ones, None if there are
    none."""
    access = rules.access_to(game=game, user=reader)
    messages = list(messages_for(game, access, muted_by(game, access), before)[: limit + 1])
    page = messages[:limit]
    return [line_of(each) for each in reversed(page)], page[-1].number if len(messages) > limit else None


def line_of(message: Message) -> MessageLine:
    author = message.author
    return MessageLine(
        message.number,
        message.at,
        message.kind,
        author.pk if author else None,
        author.username if author else "",
        "" if message.removed_at else message.text,
    )


class StopLine(msgspec.Struct, frozen=True):
    """A phase at whose start the game stopped; `seat` is the seat whose turn it was, in a phase with turns. `phase` is
    empty at the end of the game."""

    phase_serial: int
    turn: int
    phase: str
    seat: int | None
    at: Instant


class Moment(msgspec.Struct, frozen=True):
    """The start of a phase as one seat saw it then, or as a stranger did if `seat` is None; once the game is over, with
    everything that was hidden."""

    game: int
    phase_serial: int
    turn: int
    phase: str
    seat: int | None
    view: Any


def stops_of(game: Game) -> list[StopLine]:
    """The moments at which a game stopped, oldest first, without those that a rewind undid."""
    return [StopLine(stop.serial, stop.turn, stop.name, stop.seat, stop.at) for stop in course_of(game).stops]


def moment_of(place: Place, serial: int) -> Moment:
    """The start of a phase; for a phase without a stop, the stop to which it led. Raises `NoSuchMoment`."""
    game, course = place.game, course_of(place.game)
    stop = course.stops[course.index_of(serial)]
    view = seen_at(game, course, stop, place.seat).view
    return Moment(game.pk, stop.serial, stop.turn, stop.name, place.seat, view)
