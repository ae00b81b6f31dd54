"""Who is on vacation when, as the others at a table are told: from the row of a game that runs, and before it begins
from what its players have declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models.functions import Now

from game.deadlines.due import Span
from game.store.game import Game, Seat
from game.store.time_models import Vacation


class Away(NamedTuple):
    """A vacation of whoever has this seat."""

    seat: int
    begins: datetime
    ends: datetime


def spans_of(told: Mapping[str, Any]) -> tuple[Span, ...]:
    """The vacations of a seat, as the row of its game keeps them."""
    return tuple(
        (datetime.fromisoformat(begins), datetime.fromisoformat(ends)) for begins, ends in told.get("away", ())
    )


def known_to(game: Game) -> Iterator[Away]:
    """The vacations that a game on the clock knows and that are not over, seat by seat."""
    for number, told in sorted(game.availability.items(), key=lambda item: int(item[0])):
        for begins, ends in spans_of(told):
            if ends > game.now:
                yield Away(int(number), begins, ends)


def declared_by(seats: Iterable[Seat]) -> list[Away]:
    """The vacations of people at a table that has not begun, seat by seat."""
    numbers = {seat.user_id: seat.number for seat in seats if seat.user_id and not seat.bot}
    found = Vacation.objects.filter(user__in=numbers, ends_at__gt=Now()) if numbers else ()
    return sorted(Away(numbers[one.user_id], one.begins_at, one.ends_at) for one in found)
