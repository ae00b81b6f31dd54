"""When a phase ends, computed from its start, people's playing hours and vacations, and pauses.

Pure: no games, no database. Instants are timezone-aware; lengths are elapsed time, so DST changes do not stretch
them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

HOURS_A_WEEK = 168
NONE = timedelta()
A_MOMENT = timedelta(minutes=1)  # shorter than the gap between two fixed times
MOST_PAUSED = timedelta(days=14)
MOST_VACATION = timedelta(days=14)
"""The most that voted pauses, and one person's vacations, may delay one phase."""
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
    """The weekly hours in which a person plays: 0 is Monday from 0:00 to 1:00 in their zone."""

    zone: str
    hours: frozenset[int]

    def __post_init__(self) -> None:
        if not self.hours <= frozenset(range(HOURS_A_WEEK)):
            raise ValueError("The hours of a week are 0 to 167.")
        _check_zone(self.zone)


@dataclass(frozen=True)
class Fixed:
    """The weekly times at which phases end: weekdays (Monday is 0), and minutes after midnight in a time zone."""

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
    """A person the phase waits for: playing hours (None: any time) and vacations."""

    grid: Grid | None = None
    vacations: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Pause:
    """A period in which the clock stood still; without an end it still lasts. Voted pauses are limited."""

    since: datetime
    until: datetime | None = None
    is_limited: bool = True


ANYBODY = Person()


@dataclass(frozen=True)
class Terms:
    """How a phase ends: after `length`, or after `cap` if playing hours count and somebody has too few of them. `extra`
    is requested time on top; with fixed times, the end moves by another `extra_times` of them."""

    length: timedelta
    cap: timedelta | None = None
    fixed: Fixed | None = None
    extra: timedelta = NONE
    extra_times: int = 0

    def __post_init__(self) -> None:
        is_capped_below = self.cap is not None and self.cap < self.length
        if min(self.length, self.extra) < NONE or self.extra_times < 0 or is_capped_below:
            raise ValueError("No length is below nothing, and a cap is at least the length.")


def deadline(
    start: datetime, terms: Terms, *, people: Iterable[Person] = (), pauses: Sequence[Pause] = (), now: datetime
) -> datetime:
    """When a phase that began at `start` ends: as soon as everybody it waits for has had its length.

    Pauses and a person's own vacations do not count, up to a limit. With fixed times, the end moves to the first one by
    which everybody has had as much time as before the usual one, minus `floor_of`, so that a few minutes of pause cost
    no day. The result is in UTC and never before `start` plus the length. It does not become earlier with a longer
    length, with another pause, vacation or person, or with a later start if nothing stood still in between. `now` ends
    a pause that still lasts."""
    start, now = start.astimezone(UTC), now.astimezone(UTC)
    spans = [(pause.since, pause.until or max(now, pause.since), pause.is_limited) for pause in pauses]
    limited = _limited(start, ((since, until) for since, until, is_limited in spans if is_limited), MOST_PAUSED)
    still = joined([*limited, *((since, until) for since, until, is_limited in spans if not is_limited)])
    return max(_end_for(start, terms, person, still) for person in (list(people) or [ANYBODY]))


def floor_of(length: timedelta) -> timedelta:
    """The least time left when a clock resumes, and the most that may be lost with fixed times: an hour, or a quarter
    of the phase if that is shorter."""
    return min(LONGEST_FLOOR, length / SHARE)


def next_fixed(fixed: Fixed, at: datetime) -> datetime:
    """The first fixed time at or after an instant. A time that a DST change skips is shifted by the change; of a
    repeated time the first counts."""
    zone = ZoneInfo(fixed.zone)
    day = at.astimezone(zone).date() - timedelta(days=1)
    while True:
        if day.weekday() in fixed.days:
            fixed_time = _instant(zone, day, fixed.minute)
            if fixed_time >= at:
                return fixed_time
        day += timedelta(days=1)


def times_between(fixed: Fixed, since: datetime, until: datetime) -> int:
    """How many fixed times are after `since` and not after `until`."""
    count, at = 0, since
    while (at := next_fixed(fixed, at + A_MOMENT)) <= until:
        count += 1
    return count


def playable_hours(grid: Grid, start: datetime, end: datetime) -> timedelta:
    """How much of a period lies in a grid."""
    overlaps = (min(until, end) - max(since, start) for since, until in _open_spans(grid, start, end))
    return sum((length for length in overlaps if length > NONE), NONE)


def joined(spans: Iterable[Span]) -> list[Span]:
    """Sort spans, and merge those that overlap or touch."""
    merged: list[Span] = []
    for begin, end in sorted((begin.astimezone(UTC), end.astimezone(UTC)) for begin, end in spans):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        elif begin < end:
            merged.append((begin, end))
    return merged


def _end_for(start: datetime, terms: Terms, person: Person, still: list[Span]) -> datetime:
    """The end of the phase if it waited only for this person."""
    blocked = joined([*still, *_limited(start, person.vacations, MOST_VACATION)])
    length_end = _done_by(start, terms, person.grid, blocked)
    if terms.fixed is None:
        return length_end + terms.extra
    end = _next_end(terms, terms.fixed, length_end)
    if blocked:
        usual = _next_end(terms, terms.fixed, _done_by(start, terms, person.grid, []))
        done_as_usual = _after(start, usual - start, blocked)
        end = max(end, next_fixed(terms.fixed, done_as_usual - floor_of(usual - start)))
    for _ in range(terms.extra_times):
        end = next_fixed(terms.fixed, end + A_MOMENT)
    return end


def _next_end(terms: Terms, fixed: Fixed, length_end: datetime) -> datetime:
    """The fixed time at which a phase ends for somebody who has had its length at `length_end`, if nobody moves it."""
    end = next_fixed(fixed, length_end)
    return next_fixed(fixed, end + terms.extra) if terms.extra else end


def _done_by(start: datetime, terms: Terms, grid: Grid | None, blocked: list[Span]) -> datetime:
    """The instant at which a person has had the length of the phase."""
    if grid is None or terms.cap is None or not terms.length:
        return _after(start, terms.length, blocked)
    latest = _after(start, terms.cap, blocked)
    remaining = terms.length
    for opens, end in _without(_open_spans(grid, start, latest), blocked):
        begin = max(opens, start)
        if remaining <= end - begin:
            return min(begin + remaining, latest)
        remaining -= max(end - begin, NONE)
    return latest


def _after(start: datetime, length: timedelta, blocked: Iterable[Span]) -> datetime:
    """The instant at which `length` has passed outside the blocked spans, which are sorted and do not overlap."""
    at, remaining = start, length
    for begin, end in blocked:
        if end <= at:
            continue
        if begin > at:
            if remaining <= begin - at:
                break
            remaining -= begin - at
        at = end
    return at + remaining


def _limited(start: datetime, spans: Iterable[Span], most: timedelta) -> list[Span]:
    """The parts of these spans after `start`, sorted and without overlaps, up to `most` in total."""
    limited, remaining = [], most
    for since, end in joined(spans):
        begin = max(since, start)
        if begin >= end:
            continue
        if remaining <= NONE:
            break
        limited.append((begin, min(end, begin + remaining)))
        remaining -= end - begin
    return limited


def _without(spans: Iterable[Span], blocked: Sequence[Span]) -> Iterator[Span]:
    """Subtract blocked spans from sorted spans."""
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
    """The spans of a grid from the day of `start` to the day of `end`, in order."""
    zone = ZoneInfo(grid.zone)
    day = start.astimezone(zone).date() - timedelta(days=1)
    last = end.astimezone(zone).date()
    while day <= last:
        for first, after in _runs(grid.hours, day.weekday()):
            yield _instant(zone, day, first * 60), _instant(zone, day, after * 60)
        day += timedelta(days=1)


@lru_cache(1024)
def _runs(hours: frozenset[int], weekday: int) -> tuple[tuple[int, int], ...]:
    """Runs of consecutive hours of a weekday, as (first, last + 1)."""
    runs: list[tuple[int, int]] = []
    for hour in range(24):
        if weekday * 24 + hour in hours:
            if runs and runs[-1][1] == hour:
                runs[-1] = (runs[-1][0], hour + 1)
            else:
                runs.append((hour, hour + 1))
    return tuple(runs)


def _instant(zone: ZoneInfo, day: date, minute: int) -> datetime:
    """A minute of a day as an instant; minute 1440 is the next midnight."""
    day, minute = day + timedelta(days=minute // 1440), minute % 1440
    return datetime.combine(day, time(minute // 60, minute % 60), zone).astimezone(UTC)
