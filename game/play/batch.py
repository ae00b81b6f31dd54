"""Prefetch for closing a batch of games: drafts, log entries, attendance rows and players, one query each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import F

from game.deadlines.phase_clock import read_clock
from game.infra.compiled import CompiledQuery
from game.store.game import Game, Seat
from game.store.heartbeats import Outage
from game.store.log import Draft, Kind, LoggedAction
from game.store.seat_models import Tenure

SEAT_COLUMNS = [field.attname for field in Seat._meta.concrete_fields]


GAME_INDEX, NUMBER_INDEX, USER_INDEX = (SEAT_COLUMNS.index(name) for name in ("game_id", "number", "user_id"))


ACTIVITY_KINDS = (Kind.SUBMIT, Kind.DRAFT, Kind.CLOCK)  # deeds of a person in a phase, and outages that moved it


class SavedDraft(NamedTuple):
    """A draft that was in time."""

    seat: int
    content: Any
    is_sent: bool
    saved_at: datetime


class ClosingBatch:
    """All lookups are keyed by game id and cover only the open phase and the current players."""

    def __init__(self, games: Iterable[Game]) -> None:
        games = list(games)
        keys = [game.pk for game in games]
        self._drafts: dict[int, list[SavedDraft]] = {key: [] for key in keys}
        self._activity: dict[int, list[tuple[str, int | None]]] = {key: [] for key in keys}
        self._tenures: dict[tuple[int, int], tuple[int, int]] = {}
        for key, *draft in _drafts.rows(keys):
            self._drafts[key].append(SavedDraft(*draft))
        for key, kind, seat in _activity.rows(keys):
            self._activity[key].append((kind, seat))
        for key, number, tenure, in_a_row in _tenures.rows(keys):
            self._tenures[key, number] = (tenure, in_a_row)
        self._keys, self._games = keys, games
        self._people: dict[tuple[int, int], tuple[Any, ...]] | None = None
        self.misses: list[tuple[Game, int, int]] = []
        """Decisions missed while the games were closed, as (game, seat, phase serial)."""

    def drafts_of(self, game: Game, seats: Collection[int]) -> list[SavedDraft]:
        """The drafts that these seats saved in time for the phase, by seat, newest first."""
        return [draft for draft in self._drafts[game.pk] if draft.seat in seats]

    def activity_of(self, game: Game) -> Sequence[tuple[str, int | None]]:
        """The phase's log entries of `ACTIVITY_KINDS`, as (kind, seat)."""
        return self._activity[game.pk]

    def was_moved(self, game: Game) -> bool:
        """True if an outage moved the clock of the phase."""
        return any(kind == Kind.CLOCK for kind, _ in self._activity[game.pk])

    @cached_property
    def outages(self) -> list[tuple[datetime, datetime]]:
        """The outages since the first of the phases opened, as (began, ended)."""
        openings = [read_clock(game.clock).start or game.clock_since for game in self._games]
        since = min(at for at in openings if at is not None)
        return list(Outage.objects.filter(ended_at__gt=since).values_list("began_at", "ended_at"))

    def sittings_of(self, game: Game, seats: Iterable[int]) -> list[int]:
        """The keys of the current tenures at these seats."""
        return [self._tenures[game.pk, seat][0] for seat in seats if (game.pk, seat) in self._tenures]

    def missed_in_a_row(self, game: Game, seat: int) -> int:
        """How many decisions the current player of the seat had missed in a row when the phase began."""
        return self._tenures.get((game.pk, seat), (0, 0))[1]

    def people_of(self, game: Game, seats: Iterable[int]) -> list[tuple[Seat, int]]:
        """Those of these seats that a person has, each with the person's key."""
        if self._people is None:
            self._people = {(row[GAME_INDEX], row[NUMBER_INDEX]): row for row in _people.rows(self._keys)}
        rows = (self._people.get((game.pk, seat)) for seat in sorted(seats))
        return [(Seat.from_db(connection.alias, SEAT_COLUMNS, row), row[USER_INDEX]) for row in rows if row is not None]


_drafts = CompiledQuery(
    lambda games: (
        Draft.objects.in_time()
        .filter(seat__game__in=games, serial=F("seat__game__phase_serial"))
        .order_by("seat__game", "seat__number", *Draft.NEWEST)
        .values_list("seat__game", "seat__number", "content", "is_sent", "saved_at")
    )
)


_activity = CompiledQuery(
    lambda games: (
        LoggedAction.objects.filter(game__in=games, serial=F("game__phase_serial"), kind__in=ACTIVITY_KINDS)
        .order_by()
        .values_list("game", "kind", "seat")
    )
)


_tenures = CompiledQuery(
    lambda games: (
        Tenure.objects.filter(game__in=games, ended_at=None).order_by().values_list("game", "number", "pk", "in_a_row")
    )
)


# Seat objects are built lazily; most are never needed.
_people = CompiledQuery(
    lambda games: Seat.objects.filter(game__in=games, user__isnull=False).order_by().values_list(*SEAT_COLUMNS)
)
