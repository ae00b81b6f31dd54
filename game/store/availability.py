"""Playing hours and vacations of a game's players, copied to the game's row, so that a move reads only this row."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from accounts.models import User
from game.deadlines.due import Grid, Person, Span, joined
from game.deadlines.phase_clock import read_clock
from game.store.game import Game, Seat
from game.store.time_models import PlayTimes, Vacation, hours_of, week_of
from game.store.vacations import spans_of

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
