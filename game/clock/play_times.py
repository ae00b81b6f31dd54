"""When people play and when they are away: declared on their own page and copied into their games, whose deadlines
follow."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import limits
from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark
from game.play import clocks, door, moves
from game.store import account_locks
from game.store.availability import PlayTimes, Vacation, copy_to, week_of
from game.store.game import Game, Keeper, Status
from game.store.log import Kind
from game.store.log_notes import Note, Sentence

LEAST_HOURS = 7  # a week
VACATION_A_YEAR = timedelta(days=28)  # in a calendar year
LONGEST_VACATION = timedelta(days=14)
MAX_DAYS_AHEAD = 366
DAY = timedelta(days=1)
CLOCK_CHANGES = (timedelta(hours=1), timedelta(minutes=30))  # extra time of a day on which clocks go back
UNFINISHED = (Status.RUNNING, Status.PAUSED, Status.HELD)
TOO_FEW = mark("Choose at least {least} hours of the week; you chose {number}.")


@transaction.atomic
def choose_hours(*, user: User, hours: Collection[int]) -> None:
    """Set the hours of a week. Deadlines that depend on them follow at once, but none of an open phase becomes earlier.
    Raises `Refused`; and `limits.TooMany`, since every change is shown to all fellow players."""
    week_hours = frozenset(hours)
    if not week_hours <= frozenset(range(168)):
        raise Refused("A week has the hours 0 to 167.", code="wrong_hours", field="hours")
    if len(week_hours) < LEAST_HOURS:
        raise Refused(TOO_FEW, least=LEAST_HOURS, number=len(week_hours), code="too_few_hours", field="hours")
    limits.spend("times", user.pk)
    _lock_with_games(user)
    account_locks.check_is_free(user)
    PlayTimes.objects.update_or_create(user=user, defaults={"week": week_of(week_hours)})
    _update_games(user)


def begin_moving(*, user: User) -> None:
    """Lock the account and the games that a new time zone will change, until the transaction ends. Raises
    `Revoked`."""
    _lock_with_games(user)


@transaction.atomic
def follow_zone(*, user: User) -> None:
    """Update the games of somebody whose time zone has changed."""
    _update_games(user)


@transaction.atomic
def declare_vacation(*, user: User, first: date, last: date) -> Vacation:
    """Declare a vacation from the first day to the end of the last, in the person's zone. Raises `Refused`; and
    `limits.TooMany`, since every vacation is written to the logs of all their games."""
    _lock_with_games(user)  # also serializes concurrent declarations
    account_locks.check_is_free(user)
    zone = ZoneInfo(user.timezone)
    today = timezone.now().astimezone(zone).date()
    if not today < first <= last or first > today + timedelta(days=MAX_DAYS_AHEAD):
        raise Refused(
            "A vacation begins tomorrow at the earliest, within a year, and ends no earlier than it begins.",
            code="wrong_days",
            field="first",
        )
    begins, ends = (datetime.combine(day, time(), zone) for day in (first, last + timedelta(days=1)))
    if (last - first).days + 1 > LONGEST_VACATION.days:
        raise Refused(
            "A vacation lasts up to {most} days; this one has {n}.",
            most=LONGEST_VACATION.days,
            n=(last - first).days + 1,
            code="vacation_too_long",
            field="last",
        )
    own_vacations = Vacation.objects.filter(user=user)
    if own_vacations.filter(begins_at__lt=ends, ends_at__gt=begins).exists():
        raise Refused(
            "You already have a vacation on some of these days. Remove it first.",
            code="vacation_overlaps",
            field="first",
        )
    days, days_left = (last - first).days + 1, vacation_days_left(user, first.year)
    if days > days_left:
        raise Refused(
            "You have {left} of {bank} days of vacation left in {year}; this one has {n}.",
            left=days_left, bank=VACATION_A_YEAR.days, year=first.year, n=days, code="vacation_used_up", field="last",
        )  # fmt: skip
    limits.spend("vacation", user.pk)
    vacation = Vacation.objects.create(user=user, begins_at=begins, ends_at=ends)
    _update_games(user, Sentence.ON_VACATION(name=user, first=first, last=last))
    return vacation


@transaction.atomic
def end_vacation(*, user: User, number: int) -> None:
    """Remove a vacation that has not begun, or end one that has. Idempotent. Raises `Refused`."""
    _lock_with_games(user)
    account_locks.check_is_free(user)
    vacation = Vacation.objects.select_for_update().filter(user=user, pk=number).first()
    now = timezone.now()
    if vacation is None or vacation.ends_at <= now:
        return
    if vacation.begins_at >= now:
        vacation.delete()
    else:
        vacation.ends_at = now
        vacation.save(update_fields=["ends_at"])
    _update_games(user, Sentence.NO_VACATION(name=user), is_back=True)


def vacation_days_left(user: User, year: int) -> int:
    """Days of vacation left in a calendar year of the person's zone."""
    zone = ZoneInfo(user.timezone)
    vacations = [
        vacation for vacation in Vacation.objects.filter(user=user) if vacation.begins_at.astimezone(zone).year == year
    ]
    return VACATION_A_YEAR.days - sum(_days_used(vacation.ends_at - vacation.begins_at) for vacation in vacations)


def _days_used(length: timedelta) -> int:
    """Days that a vacation uses, at least one: a partial day counts, the extra hour when clocks go back does not.
    Calendar days are not counted, because a move to another time zone would add one."""
    rest = length % DAY
    return max(1, length // DAY + (bool(rest) and rest not in CLOCK_CHANGES))


def _unfinished_games_of(user: User) -> Q:
    return Q(seats__user=user, status__in=UNFINISHED)


def _lock_with_games(user: User) -> None:
    account_locks.lock_with_games(user, games=lambda: _unfinished_games_of(user))


def _update_games(user: User, note: Note | None = None, *, is_back: bool = False) -> None:
    """Update a person's games, in order of their keys to avoid deadlocks. Deadlines become earlier only if someone is
    back from a vacation."""
    games = Game.objects.filter(_unfinished_games_of(user)).order_by("pk").values_list("pk", flat=True)
    for game_id in list(games):
        game = moves.lock(game_id)
        if game is None or game.status not in UNFINISHED or not game.is_slow:
            continue
        former = game.availability
        copy_to(game)
        if former == game.availability:
            continue
        has_moved = clocks.follow(game, clocks.Because.GONE if is_back else clocks.Because.TIMES)
        seat = game.seats.filter(user=user).exclude(keeper=Keeper.RESIGNED).first()
        if note and seat is not None:
            door.count_note(game=game, kind=Kind.PAUSE, seat=seat.number, note=note)
        elif has_moved:
            door.publish(game)
        else:
            door.write(game)
