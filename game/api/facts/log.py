"""The log as programs read it: events with their facts, reduced to what one seat may read. They are numbered within
public versions, because the numbers of log entries count sealed submissions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import structlog

from game.engine.codec import Damaged
from game.engine.events import Event, PhaseOpened
from game.history.game_log import COLUMNS, LogRow
from game.store import eyes, log_notes
from game.store.eyes import Eyes
from game.store.game import Game
from game.store.kinds import Instant
from game.store.log import LoggedAction

HIDDEN = ("event", "audience")
log = structlog.get_logger("game.facts.log")


class EventLine(msgspec.Struct, frozen=True):
    """One thing that happened. `id` is `version.n`, or `version.pn` for what only this seat was told; `facts` are the
    fields of its kind, as the ruleset's schema has them, and `text` puts them into a sentence with the names of the
    players."""

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


class Wanted(msgspec.Struct, frozen=True):
    """Which events: of the public versions `first` to `last`, about one seat or of one topic where that is asked."""

    first: int
    last: int
    about: int | None = None
    topic: str = ""


def events_of(game: Game, *, seat: Eyes | None, names: Sequence[str], wanted: Wanted) -> list[EventLine]:
    """What this seat may read of some versions, oldest first; None reads as a stranger."""
    entries = LoggedAction.objects.filter(game_id=game.pk, version__gte=wanted.first, version__lte=wanted.last)
    told = entries.exclude(events="", note="").exclude(is_undone=True).order_by("number").values_list(*COLUMNS)
    counts: dict[tuple[int, bool], int] = {}
    lines = []
    for row in told:
        for line in _lines(LogRow(game, *row), seat, names):
            number = counts[line.version, line.private] = counts.get((line.version, line.private), 0) + 1
            mark = "p" if line.private else ""
            lines.append(msgspec.structs.replace(line, id=f"{line.version}.{mark}{number}"))
    return [line for line in lines if _is_wanted(line, wanted)]


def _is_wanted(line: EventLine, wanted: Wanted) -> bool:
    return (wanted.about is None or wanted.about in line.seats) and wanted.topic in {"", line.topic}


def _lines(row: LogRow, seat: Eyes | None, names: Sequence[str]) -> Iterator[EventLine]:
    turn, phase = row.turn, row.phase_name
    for event in _readable(row, seat):
        if isinstance(event, PhaseOpened):
            turn, phase = event.turn, event.phase
        yield _line(row, event, (turn, phase), names)
    if row.note:
        words = log_notes.told(row.note)
        yield EventLine("", row.version, row.at, turn, phase, "remark", "game", words, "", (), {}, private=False)


def _readable(row: LogRow, seat: Eyes | None) -> list[Event]:
    """A damaged entry is left out: pages say so in its place."""
    try:
        return eyes.read(row.read_all_events(), seat)
    except Damaged:
        log.error("log_entry_damaged", game=row.game.pk, at=str(row.at))
        return []


def _line(row: LogRow, event: Event, at: tuple[int, str], names: Sequence[str]) -> EventLine:
    fields = msgspec.to_builtins(event)
    tell = names.__getitem__
    return EventLine(
        id="",
        version=row.version,
        at=row.at,
        turn=at[0],
        phase=at[1],
        kind=fields["event"],
        topic=event.topic,
        text=event.sentence(tell),
        figure=event.figure(tell),
        seats=tuple(event.seats()),
        facts={name: value for name, value in fields.items() if name not in HIDDEN},
        private=event.audience is not None,
    )
