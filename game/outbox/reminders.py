"""When a person is reminded of a deadline: once, late enough to be useful, and while they are awake. The channel checks
at that moment whether the decision is still open."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F, QuerySet

from accounts import quiet_hours
from accounts.models import User
from game.outbox.models import Delivery
from game.store.game import Game
from game.store.log import Notice

LEAST_LEAD = timedelta(hours=1)
MORNING_LEAD = timedelta(hours=2)  # time left after a reminder that waited for the morning
BEDTIME = timedelta(hours=1)  # before the quiet hours begin


def remind_at(game: Game, user: User) -> datetime | None:
    """When to remind: a quarter of the phase before its deadline, at least an hour. In quiet hours, at their end, or
    before they begin if that would be too late; None if no clock runs, or if the person is never awake in time. The
    phase is the whole time its clock runs, which may exceed the usual length."""
    opened_at = game.clock_since
    if game.deadline_at is None or opened_at is None:
        return None
    best = game.deadline_at - max((game.deadline_at - opened_at) / 4, LEAST_LEAD)
    if not quiet_hours.is_quiet(user, best):
        return best
    morning = quiet_hours.next_hour(user, user.quiet_until, best)
    evening = quiet_hours.last_hour(user, user.quiet_from, best) - BEDTIME
    if morning <= game.deadline_at - MORNING_LEAD or (evening <= opened_at and morning < game.deadline_at):
        return morning
    return evening if evening > opened_at else None


def check_at(game: Game, user: User, asked_at: datetime) -> datetime | None:
    """When to check whether a person needs a reminder of a decision that opened at `asked_at`: at the time of the
    reminder, or if that has passed at the deadline, which may have moved by then. None while no clock runs."""
    due = remind_at(game, user)
    return due if due is not None and due > asked_at else game.deadline_at


def move_reminders(waiting: QuerySet[Notice] | QuerySet[Delivery], user: User, now: datetime) -> None:
    """Reschedule reminders of open phases, as notices or webhook deliveries. One that was scheduled may become due now;
    one that was not may come later or never."""
    reminders = waiting.filter(serial=F("game__phase_serial")).order_by("pk")
    games = Game.objects.defer("state", "inputs").in_bulk(reminders.values_list("game_id", flat=True))
    for pk, game_id, due_at in reminders.values_list("pk", "game_id", "due_at"):
        game = games[game_id]
        if game.deadline_at is None or game.clock_since is None:
            continue
        due = check_at(game, user, game.clock_since if due_at < game.deadline_at else now)
        if due is not None:
            waiting.filter(pk=pk).update(due_at=due)
