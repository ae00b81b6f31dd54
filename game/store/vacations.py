"""Vacations as a table sees them: from the game's row once it has started, before that from the players' own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models.functions import Now

from game.deadlines.due import Span
from game.store.game import Game, Seat
from game.store.time_models import Vacation


class Away(NamedTuple):
    """A vacation of the player of a seat."""

    seat: int
    begins: datetime
    ends: datetime


def spans_of(told: Mapping[str, Any]) -> tuple[Span, ...]:
    """Parse the vacations in a seat's entry of `Game.availability`."""
    return tuple(
        (datetime.fromisoformat(begins), datetime.fromisoformat(ends)) for begins, ends in told.get("away", ())
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
