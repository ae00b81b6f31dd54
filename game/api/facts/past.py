"""The past of a game in facts, as programs read it: where it stopped, and what a seat saw there."""

from __future__ import annotations

from typing import Any

import msgspec

from game.api.facts.games import Place
from game.history.past import Stop, course_of, seen_at
from game.store.game import Game
from game.store.kinds import Instant


class StopLine(msgspec.Struct, frozen=True):
    """A phase at whose start the game stopped; `seat` is whose turn it was, where seats act one after another. `phase`
    is empty at the end of the game."""

    phase_serial: int
    turn: int
    phase: str
    seat: int | None
    at: Instant


class Moment(msgspec.Struct, frozen=True):
    """The start of a phase as one seat saw it then, None a stranger; once the game is over with what was hidden."""

    game: int
    phase_serial: int
    turn: int
    phase: str
    seat: int | None
    view: Any


def stops_of(game: Game) -> list[StopLine]:
    """Where a game stopped, oldest first, without what rewinds took back."""
    return [_line(stop) for stop in course_of(game).stops]


def moment_of(place: Place, serial: int) -> Moment:
    """The start of a phase; one that passed at once is looked at where it led. Raises `NoSuchMoment`."""
    game, course = place.game, course_of(place.game)
    stop = course.stops[course.index_of(serial)]
    view = seen_at(game, course, stop, place.seat).view
    return Moment(game.pk, stop.serial, stop.turn, stop.name, place.seat, view)


def _line(stop: Stop) -> StopLine:
    return StopLine(stop.serial, stop.turn, stop.name, stop.seat, stop.at)
