"""People's playing hours and vacations, and their copy in a game's row, so that a move reads only this row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from accounts.models import User
from game.deadlines.due import Grid, Person, Span, joined
from game.deadlines.phase_clock import read_clock
from game.store.game import Game, Seat

ALL_HOURS = 168


class PlayTimes(models.Model):
    """The weekly hours in which a person usually plays, as a number of 168 bits: bit 0 is Monday from 0:00 to 1:00 in
    their zone."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="play_times")
    week = models.CharField("hours", max_length=42, help_text="Hexadecimal.")

    def __str__(self) -> str:
        return f"the hours of {self.user}"

    @property
    def hours(self) -> frozenset[int]:
        """The hours, from 0 to 167."""
        return hours_of(self.week)


class Vacation(models.Model):
    """A period in which deadlines wait for a person. Ending it early sets `ends_at`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="vacations")
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    declared_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["begins_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("begins_at")), name="vacations_end_after_they_begin"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} from {self.begins_at:%Y-%m-%d} to {self.ends_at:%Y-%m-%d}"

    @property
    def last_day(self) -> datetime:
        """An instant on its last day."""
        return self.ends_at - timedelta(seconds=1)


def hours_of(week: str) -> frozenset[int]:
    """The hours of a stored week."""
    bits = int(week or "0", 16)
    return frozenset(hour for hour in range(ALL_HOURS) if bits >> hour & 1)


def week_of(hours: frozenset[int]) -> str:
    """Hours in the stored format of a week."""
    return f"{sum(1 << hour for hour in hours):x}"


class Away(NamedTuple):
    """A vacation of the player of a seat."""

    seat: int
    begins: datetime
    ends: datetime


def spans_of(entry: Mapping[str, Any]) -> tuple[Span, ...]:
    """Parse the vacations in a seat's entry of `Game.availability`."""
    return tuple(
        (datetime.fromisoformat(begins), datetime.fromisoformat(ends)) for begins, ends in entry.get("away", ())
    )


def known_to(game: Game) -> Iterator[Away]:
    """The vacations in a game's row that are not over, seat by seat. The game needs `now`."""
    for number, entry in sorted(game.availability.items(), key=lambda item: int(item[0])):
        for begins, ends in spans_of(entry):
            if ends > game.now:
                yield Away(int(number), begins, ends)


def declared_by(seats: Iterable[Seat]) -> list[Away]:
    """The vacations of people at a table that has not started, seat by seat."""
    numbers = {seat.user_id: seat.number for seat in seats if seat.user_id and not seat.bot}
    vacations = Vacation.objects.filter(user__in=numbers, ends_at__gt=Now()) if numbers else ()
    return sorted(Away(numbers[vacation.user_id], vacation.begins_at, vacation.ends_at) for vacation in vacations)


WAKING = frozenset(day * 24 + hour for day in range(7) for hour in range(8, 23))
"""The default playing hours: from 8:00 to 23:00, every day."""


def hours_at(seats: Collection[Seat]) -> list[Person]:
    """The people at a table that has not started, with their playing hours."""
    users = [seat.user for seat in seats if seat.user is not None and not (seat.bot or seat.user.is_bot)]
    weeks = dict(PlayTimes.objects.filter(user__in=users).values_list("user_id", "week"))
    return [Person(Grid(user.timezone, hours_of(weeks[user.pk]) if user.pk in weeks else WAKING)) for user in users]


def copy_to(game: Game) -> None:
    """Copy hours and vacations to a locked game. The caller saves the game. Vacation already used in the open phase
    stays, even if the person is back early or the seat has a new player: the seat could not use that time."""
    if not game.is_slow:
        return
    seats = list(game.seats.filter(user__isnull=False, bot="").select_related("user"))
    people = [seat.user_id for seat in seats]
    away: dict[int, list[Span]] = {}
    for vacation in Vacation.objects.filter(user__in=people, ends_at__gt=game.now):
        away.setdefault(vacation.user_id, []).append((vacation.begins_at, vacation.ends_at))
    counts = game.read_timing().counts_hours
    weeks = dict(PlayTimes.objects.filter(user__in=people).values_list("user_id", "week")) if counts else {}
    fields_by_seat = {}
    for seat in seats:
        spans = joined([*away.get(seat.user_id or 0, ()), *_used_vacation(game, seat.number)])
        fields_by_seat[str(seat.number)] = _availability_fields(seat, spans, weeks if counts else None)
    game.availability = {number: fields for number, fields in fields_by_seat.items() if fields}


def _used_vacation(game: Game, seat: int) -> list[Span]:
    """The part of a seat's vacations that has passed in the open phase."""
    opened_at = read_clock(game.clock).start or game.clock_since or game.now
    vacations = spans_of(game.availability.get(str(seat), {}))
    return [(begins, min(ends, game.now)) for begins, ends in vacations if begins < game.now and opened_at < ends]


def _availability_fields(seat: Seat, away: list[Span], weeks: dict[int, str] | None) -> dict[str, Any]:
    assert seat.user is not None
    fields: dict[str, Any] = {"away": [[begins.isoformat(), ends.isoformat()] for begins, ends in away]} if away else {}
    if weeks is not None:
        fields |= {"zone": seat.user.timezone, "week": weeks.get(seat.user.pk, week_of(WAKING))}
    return fields


def week_hours(user: User) -> frozenset[int]:
    """The hours of a week in which somebody plays."""
    week = PlayTimes.objects.filter(user=user).values_list("week", flat=True).first()
    return WAKING if week is None else hours_of(week)
