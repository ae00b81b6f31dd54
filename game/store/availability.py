"""When the people of a game play and are away, as stored in the game's row, so that a move reads only this row."""

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
"""The hours of somebody who has declared none: from 8:00 to 23:00, every day."""


def hours_at(seats: Collection[Seat]) -> list[Person]:
    """The people of a table that has not begun, with the hours in which they play."""
    users = [seat.user for seat in seats if seat.user is not None and not (seat.bot or seat.user.is_bot)]
    weeks = dict(PlayTimes.objects.filter(user__in=users).values_list("user_id", "week"))
    return [Person(Grid(user.timezone, hours_of(weeks[user.pk]) if user.pk in weeks else WAKING)) for user in users]


def copy_to(game: Game) -> None:
    """Note in a locked game when its people play and are away. The caller saves the game. Vacation already used in the
    open phase is kept, even if the person is back early or another one has the seat: the seat had no part of the phase
    in that time."""
    if not game.is_slow:
        return
    seats = list(game.seats.filter(user__isnull=False, bot="").select_related("user"))
    people = [seat.user_id for seat in seats]
    away: dict[int, list[Span]] = {}
    for one in Vacation.objects.filter(user__in=people, ends_at__gt=game.now):
        away.setdefault(one.user_id, []).append((one.begins_at, one.ends_at))
    counts = game.read_timing().counts_hours
    weeks = dict(PlayTimes.objects.filter(user__in=people).values_list("user_id", "week")) if counts else {}
    found = {}
    for seat in seats:
        spans = joined([*away.get(seat.user_id or 0, ()), *_spent(game, seat.number)])
        found[str(seat.number)] = _of(seat, spans, weeks if counts else None)
    game.availability = {number: told for number, told in found.items() if told}


def _spent(game: Game, seat: int) -> list[Span]:
    """The vacations of a seat as far as they have passed in the open phase."""
    opened = read_clock(game.clock).start or game.clock_since or game.now
    known = spans_of(game.availability.get(str(seat), {}))
    return [(begins, min(ends, game.now)) for begins, ends in known if begins < game.now and opened < ends]


def _of(seat: Seat, away: list[Span], weeks: dict[int, str] | None) -> dict[str, Any]:
    assert seat.user is not None
    told: dict[str, Any] = {"away": [[begins.isoformat(), ends.isoformat()] for begins, ends in away]} if away else {}
    if weeks is not None:
        told |= {"zone": seat.user.timezone, "week": weeks.get(seat.user.pk, week_of(WAKING))}
    return told


def week_hours(user: User) -> frozenset[int]:
    """The hours of a week in which somebody plays."""
    found = PlayTimes.objects.filter(user=user).values_list("week", flat=True).first()
    return WAKING if found is None else hours_of(found)
