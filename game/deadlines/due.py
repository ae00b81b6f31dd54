"""When a phase ends: one pure function of when it began, of what people have of their time, and of what stood still.

It knows nothing of games and of the database. All instants are aware; every length is real time, so an hour that a
change of clocks repeats counts twice and one that it skips not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

HOURS_A_WEEK = 168
NONE = timedelta()
A_MOMENT = timedelta(minutes=1)  # shorter than from one fixed time to the next
MOST_PAUSED = timedelta(days=14)
MOST_VACATION = timedelta(days=14)
"""How long pauses that players vote for, and how long one person's vacations, may hold up one phase."""
LONGEST_FLOOR = timedelta(hours=1)
SHARE = 4  # a floor is at most this part of the phase
Span = tuple[datetime, datetime]


def _check_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"There is no time zone {name!r}.") from error


@dataclass(frozen=True)
class Grid:
    """The hours of a week in which somebody may play: 0 is Monday from 0:00 to 1:00 by the clock of their zone."""

    zone: str
    hours: frozenset[int]

    def __post_init__(self) -> None:
        if not self.hours <= frozenset(range(HOURS_A_WEEK)):
            raise ValueError("The hours of a week are 0 to 167.")
        _check_zone(self.zone)


@dataclass(frozen=True)
class Fixed:
    """The times of a week at which phases end: on these weekdays, Monday is 0, at so many minutes after midnight by
    the clock of a zone."""

    zone: str
    days: frozenset[int]
    minute: int

    def __post_init__(self) -> None:
        if not self.days or not self.days <= frozenset(range(7)):
            raise ValueError("Fixed times need weekdays, 0 to 6.")
        if not 0 <= self.minute < 24 * 60:
            raise ValueError("A minute of a day is 0 to 1439.")
        _check_zone(self.zone)


@dataclass(frozen=True)
class Person:
    """Somebody who is waited for: when they may play (None: at any time), and when they are on vacation."""

    grid: Grid | None = None
    vacations: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Pause:
    """A time in which nothing ran; one without an end still lasts. Pauses that players vote for are limited."""

    since: datetime
    until: datetime | None = None
    is_limited: bool = True


ANYBODY = Person()


@dataclass(frozen=True)
class Terms:
    """How phases of a kind end: `length` is everybody's, `cap` how long they last where hours of a grid are counted
    and somebody has too few of them. `extra` is what was asked for on top; at fixed times they end `later` times later
    still."""

    length: timedelta
    cap: timedelta | None = None
    fixed: Fixed | None = None
    extra: timedelta = NONE
    later: int = 0

    def __post_init__(self) -> None:
        if min(self.length, self.extra) < NONE or self.later < 0 or (self.cap is not None and self.cap < self.length):
            raise ValueError("No length is below nothing, and a cap is at least the length.")


def deadline(
    start: datetime, terms: Terms, *, people: Iterable[Person] = (), pauses: Sequence[Pause] = (), now: datetime
) -> datetime:
    """When a phase ends that began at `start`: as soon as everybody who is waited for has had the length of it.

    Neither pauses nor a person's vacations count against them; both are limited. Where phases end at fixed times, the
    end moves on to the next of them, until everybody has had as much as there was before the usual one, but for an hour
    or a quarter: a few minutes of pause cost no day. The result is in UTC, never before `start` and its length, and
    later for a longer length, another pause, vacation or person, and for a later start if nothing stood still in
    between. `now` is where a pause ends that still lasts."""
    start, now = start.astimezone(UTC), now.astimezone(UTC)
    spans = [(pause.since, pause.until or max(now, pause.since), pause.is_limited) for pause in pauses]
    limited = _limited(start, ((since, until) for since, until, is_limited in spans if is_limited), MOST_PAUSED)
    still = joined([*limited, *((since, until) for since, until, is_limited in spans if not is_limited)])
    return max(_end_for(start, terms, person, still) for person in (list(people) or [ANYBODY]))


def floor_of(length: timedelta) -> timedelta:
    """What is left of a phase at least when its clock runs again, and what may be lost of it where it ends at fixed
    times: an hour, or a quarter of the phase."""
    return min(LONGEST_FLOOR, length / SHARE)


def next_fixed(fixed: Fixed, at: datetime) -> datetime:
    """The first of the fixed times that is not before an instant. One that a change of clocks skips comes as much later
    as clocks were changed; of one that it repeats the first counts."""
    zone = ZoneInfo(fixed.zone)
    day = at.astimezone(zone).date() - timedelta(days=1)
    while True:
        if day.weekday() in fixed.days:
            found = _instant(zone, day, fixed.minute)
            if found >= at:
                return found
        day += timedelta(days=1)


def times_between(fixed: Fixed, since: datetime, until: datetime) -> int:
    """How many of the fixed times come after an instant and not after another one."""
    count, at = 0, since
    while (at := next_fixed(fixed, at + A_MOMENT)) <= until:
        count += 1
    return count


def playable_hours(grid: Grid, start: datetime, end: datetime) -> timedelta:
    """How much of a time lies in a grid."""
    found = (min(until, end) - max(since, start) for since, until in _open_spans(grid, start, end))
    return sum((length for length in found if length > NONE), NONE)


def joined(spans: Iterable[Span]) -> list[Span]:
    """Times in order, those that overlap or touch as one."""
    found: list[Span] = []
    for begin, end in sorted((begin.astimezone(UTC), end.astimezone(UTC)) for begin, end in spans):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        elif begin < end:
            found.append((begin, end))
    return found


def _end_for(start: datetime, terms: Terms, person: Person, still: list[Span]) -> datetime:
    """When a phase would end if only this person were waited for."""
    blocked = joined([*still, *_limited(start, person.vacations, MOST_VACATION)])
    had = _had_by(start, terms, person.grid, blocked)
    if terms.fixed is None:
        return had + terms.extra
    end = _closing(terms, terms.fixed, had)
    if not blocked:
        return end
    usual = _closing(terms, terms.fixed, _had_by(start, terms, person.grid, []))
    had_as_much = _pass(start, usual - start, blocked)
    return max(end, next_fixed(terms.fixed, had_as_much - floor_of(usual - start)))


def _closing(terms: Terms, fixed: Fixed, had: datetime) -> datetime:
    """The fixed time at which a phase ends whose length somebody has had."""
    end = next_fixed(fixed, had)
    if terms.extra:
        end = next_fixed(fixed, end + terms.extra)
    for _ in range(terms.later):
        end = next_fixed(fixed, end + A_MOMENT)
    return end


def _had_by(start: datetime, terms: Terms, grid: Grid | None, blocked: list[Span]) -> datetime:
    """When somebody has had the length of a phase."""
    if grid is None or terms.cap is None or not terms.length:
        return _pass(start, terms.length, blocked)
    latest = _pass(start, terms.cap, blocked)
    left = terms.length
    for opens, end in _without(_open_spans(grid, start, latest), blocked):
        begin = max(opens, start)
        if left <= end - begin:
            return min(begin + left, latest)
        left -= max(end - begin, NONE)
    return latest


def _pass(start: datetime, length: timedelta, blocked: Iterable[Span]) -> datetime:
    """When so much time has passed outside of what is blocked; a time in order, without overlaps."""
    at, left = start, length
    for begin, end in blocked:
        if end <= at:
            continue
        if begin > at:
            if left <= begin - at:
                break
            left -= begin - at
        at = end
    return at + left


def _limited(start: datetime, spans: Iterable[Span], most: timedelta) -> list[Span]:
    """What of these times lies after the start, in order and without overlaps, and no more of it than `most`."""
    kept, left = [], most
    for since, end in joined(spans):
        begin = max(since, start)
        if begin >= end:
            continue
        if left <= NONE:
            break
        kept.append((begin, min(end, begin + left)))
        left -= end - begin
    return kept


def _without(spans: Iterable[Span], blocked: Sequence[Span]) -> Iterator[Span]:
    """What is left of times in order when others are taken out of them."""
    for begin, end in spans:
        at = begin
        for stop, on in blocked:
            if on > at and stop < end:
                if stop > at:
                    yield at, stop
                at = max(at, on)
        if at < end:
            yield at, end


def _open_spans(grid: Grid, start: datetime, end: datetime) -> Iterator[Span]:
    """The times of a grid from the day of one instant to another, in order."""
    zone = ZoneInfo(grid.zone)
    day = start.astimezone(zone).date() - timedelta(days=1)
    last = end.astimezone(zone).date()
    while day <= last:
        for first, after in _runs(grid.hours, day.weekday()):
            yield _instant(zone, day, first * 60), _instant(zone, day, after * 60)
        day += timedelta(days=1)


@lru_cache(1024)
def _runs(hours: frozenset[int], weekday: int) -> tuple[tuple[int, int], ...]:
    """The hours of a day that belong together, as first and after the last."""
    runs: list[tuple[int, int]] = []
    for hour in range(24):
        if weekday * 24 + hour in hours:
            if runs and runs[-1][1] == hour:
                runs[-1] = (runs[-1][0], hour + 1)
            else:
                runs.append((hour, hour + 1))
    return tuple(runs)


def _instant(zone: ZoneInfo, day: date, minute: int) -> datetime:
    """A time of a day as an instant; minute 1440 is the next midnight."""
    day, minute = day + timedelta(days=minute // 1440), minute % 1440
    return datetime.combine(day, time(minute // 60, minute % 60), zone).astimezone(UTC)
