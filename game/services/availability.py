"""When the people of a game play and are away, as its row keeps it: so that a move reads this row alone."""

from __future__ import annotations

from typing import Any

from game.models import Game, PlayTimes, Seat, Vacation
from game.models.times import week_of

WAKING = frozenset(day * 24 + hour for day in range(7) for hour in range(8, 23))
"""The hours of somebody who has declared none: from 8:00 to 23:00, every day."""


def copy_to(game: Game) -> None:
    """Note in a locked game when its people play and are away. The caller saves the game."""
    if not game.is_slow:
        return
    seats = list(game.seats.filter(user__isnull=False, bot="").select_related("user"))
    people = [seat.user_id for seat in seats]
    away: dict[int, list[list[str]]] = {}
    for one in Vacation.objects.filter(user__in=people, ends_at__gt=game.now):
        away.setdefault(one.user_id, []).append([one.begins_at.isoformat(), one.ends_at.isoformat()])
    counts = game.read_timing().counts_hours
    weeks = dict(PlayTimes.objects.filter(user__in=people).values_list("user_id", "week")) if counts else {}
    found = {str(seat.number): _of(seat, away, weeks if counts else None) for seat in seats}
    game.availability = {number: told for number, told in found.items() if told}


def _of(seat: Seat, away: dict[int, list[list[str]]], weeks: dict[int, str] | None) -> dict[str, Any]:
    assert seat.user is not None
    told: dict[str, Any] = {"away": away[seat.user.pk]} if seat.user.pk in away else {}
    if weeks is not None:
        told |= {"zone": seat.user.timezone, "week": weeks.get(seat.user.pk, week_of(WAKING))}
    return told
