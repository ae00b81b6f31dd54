"""The pages of the log, read by compiled queries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import QuerySet

from game.engine.events import Event
from game.infra.reads import Rows, slot
from game.store.game import Game
from game.store.log import LoggedAction
from game.store.packed_rows import whole_events

NEWEST = 2**31 - 1  # the largest version a game can have
LOG_ENTRIES = 12  # steps, about a turn: with more, the log takes longer than the rest of the page


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
    at: datetime
    serial: int = 0
    branch: int = 0
    opened_serial: int | None = None
    asks: list[int] | None = None
    _read: list[Event] | None = None

    def read_all_events(self) -> list[Event]:
        """Every event, hidden ones too: `tell` passes them through `read_events`."""
        if self._read is None:
            events = whole_events(self.game, self.events)
            self._read = self.game.rules.codec.decode_events(events) if events else []
        return self._read


COLUMNS = (
    "version", "turn", "phase_name", "seat", "step", "events", "note", "at", "serial", "branch", "opened_serial",
    "asks",
)  # fmt: skip


def _visible_entries() -> QuerySet[LoggedAction, Any]:
    entries = LoggedAction.objects.filter(game_id=slot(0)).exclude(events="", note="").exclude(is_undone=True)
    return entries.order_by("-number").values_list(*COLUMNS)


@cache
def _page_of_log() -> Rows:
    return Rows(_visible_entries().filter(version__lt=slot(1))[: LOG_ENTRIES + 1])


@cache
def _entries_of_version() -> Rows:
    return Rows(_visible_entries().filter(version=slot(1)))


def read_steps(*, game: Game, before: int | None = None) -> tuple[list[LogRow], int | None]:
    """A page of the log, newest first and not yet filtered for a reader, and the version where the next older page
    begins."""
    entries = [LogRow(game, *row) for row in _page_of_log()(game.pk, NEWEST if before is None else before)]
    older = entries[LOG_ENTRIES - 1].version if len(entries) > LOG_ENTRIES else None
    if older is not None and entries[LOG_ENTRIES].version == older:
        # Keep the entries of one commit on one page.
        same_commit = [LogRow(game, *row) for row in _entries_of_version()(game.pk, older)]
        entries = [entry for entry in entries if entry.version > older] + same_commit
    elif older is not None:
        del entries[LOG_ENTRIES:]
    return entries, older
