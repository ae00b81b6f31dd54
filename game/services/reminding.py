"""When a person is reminded of a deadline: once, late enough to be of use, and while they are awake."""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts import hours
from accounts.models import User
from game.models import Game
from game.services import clocks

LEAST_LEAD = timedelta(hours=1)
MORNING_LEAD = timedelta(hours=2)  # what is left after a reminder that waited for the morning
BEDTIME = timedelta(hours=1)  # before the quiet begins


def remind_at(game: Game, user: User) -> datetime | None:
    """A quarter of the phase before its deadline, at least an hour. What would come in the quiet hours comes at their
    end, or before they begin where that would be too late; None while no clock runs, and where they are never awake."""
    length = clocks.length_of(game)
    if game.deadline_at is None or length is None:
        return None
    best, opened = game.deadline_at - max(length / 4, LEAST_LEAD), game.deadline_at - length
    if not hours.is_quiet(user, best):
        return best
    morning = hours.next_hour(user, user.quiet_until, best)
    evening = hours.last_hour(user, user.quiet_from, best) - BEDTIME
    if morning <= game.deadline_at - MORNING_LEAD or (evening <= opened and morning < game.deadline_at):
        return morning
    return evening if evening > opened else None
