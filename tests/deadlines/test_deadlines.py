"""When a phase ends, over zones, changes of clocks and leap days: never early, and never earlier for more time."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from game.deadlines.due import (
    MOST_PAUSED,
    MOST_VACATION,
    Fixed,
    Grid,
    Pause,
    Person,
    Terms,
    deadline,
    floor_of,
    next_fixed,
    playable_hours,
)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ZONES = (
    *("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Chatham"),
    *("America/Havana", "Africa/Cairo", "Pacific/Apia", "America/Sao_Paulo", "Pacific/Kiritimati", "Asia/Tehran"),
)

zones = st.sampled_from(ZONES)
FIRST = datetime(2023, 1, 1, tzinfo=UTC)
instants = st.integers(0, 8 * 366 * 24 * 60).map(lambda minute: FIRST + timedelta(minutes=minute))
lengths = st.integers(0, 96 * 60).map(lambda minutes: timedelta(minutes=minutes))
some_time = st.integers(1, 48 * 60).map(lambda minutes: timedelta(minutes=minutes))
grids = st.builds(Grid, zones, st.frozensets(st.integers(0, 167), max_size=168))
fixed_times = st.builds(Fixed, zones, st.frozensets(st.integers(0, 6), min_size=1), st.integers(0, 1439))


@st.composite
def spans_near(draw, start: datetime, most: int = 3) -> list[tuple[datetime, datetime]]:
    """Some times around an instant, of two days at most each."""
    offsets = st.integers(-48 * 60, 200 * 60).map(lambda minutes: start + timedelta(minutes=minutes))
    found = draw(st.lists(st.tuples(offsets, some_time), max_size=most))
    return [(begin, begin + length) for begin, length in found]


@st.composite
def phases(draw) -> tuple[datetime, Terms, list[Person], list[Pause]]:
    """A phase that anybody might play."""
    start, length = draw(instants), draw(lengths)
    cap = draw(st.none() | some_time.map(lambda more: length + more))
    terms = Terms(
        length, cap, draw(st.none() | fixed_times), draw(st.just(timedelta()) | some_time), draw(st.integers(0, 3))
    )
    grid = st.none() | grids
    people = [Person(draw(grid), tuple(draw(spans_near(start, 2)))) for _ in range(draw(st.integers(0, 3)))]
    pauses = [Pause(*span) for span in draw(spans_near(start, 2))]
    return start, terms, people, pauses


def end_of(start: datetime, terms: Terms, people: list[Person], pauses: list[Pause]) -> datetime:
    return deadline(start, terms, people=people, pauses=pauses, now=start)


def is_uninterrupted(phase, until: datetime) -> bool:
    """Whether a phase that ends at fixed times runs on to an instant."""
    start, terms, people, pauses = phase
    spans = [(pause.since, pause.until) for pause in pauses] + [span for each in people for span in each.vacations]
    return terms.fixed is None or not any(begin < until and end > start for begin, end in spans)


def stood_still(start: datetime, end: datetime, spans: list[tuple[datetime, datetime]]) -> timedelta:
    """How much of a time was taken, however the spans overlap."""
    taken, at = timedelta(), start
    for since, until in sorted(spans):
        taken += max(min(until, end) - max(since, at), timedelta())
        at = max(at, min(until, end))
    return taken


@given(phases(), fixed_times)
@example(  # Bob is away from the morning after a phase opened, and back on Friday
    (
        datetime(2026, 11, 23, 19, tzinfo=UTC),
        Terms(6 * HOUR),
        [Person(None, ((datetime(2026, 11, 23, 23, tzinfo=UTC), datetime(2026, 11, 26, 23, tzinfo=UTC)),))],
        [],
    ),
    Fixed("Europe/Berlin", frozenset(range(7)), 20 * 60),
)
def test_at_fixed_times_nobody_loses_what_stood_still(phase, fixed: Fixed) -> None:
    """Everybody has as much of the phase as there was until its usual end, but for an hour or a quarter, and no more
    than up to the next one."""
    start, plain, people, pauses = phase
    terms = Terms(plain.length, plain.cap, fixed, plain.extra)
    end = end_of(start, terms, people, pauses)
    still = [(pause.since, pause.until) for pause in pauses]
    for person in people:
        usual = end_of(start, terms, [Person(person.grid)], [])
        had = end - start - stood_still(start, end, [*still, *person.vacations])
        assert had >= usual - start - floor_of(usual - start)
    assert next_fixed(fixed, end) == end
    usual = end_of(start, terms, [Person(person.grid) for person in people], [])
    if not any(since < end and until > start for since, until in [*still, *(s for p in people for s in p.vacations)]):
        assert end == usual


@given(phases())
def test_no_phase_ends_before_its_length(phase) -> None:
    start, terms, *_ = phase
    assert end_of(*phase) >= start + terms.length + terms.extra


@given(phases(), some_time)
@example(  # the hour that clocks repeat
    (
        datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
        Terms(HOUR, 3 * HOUR),
        [Person(Grid("Europe/Berlin", frozenset({6 * 24 + 2})))],
        [],
    ),
    timedelta(minutes=45),
)
def test_who_begins_later_ends_no_earlier(phase, later: timedelta) -> None:
    start, *rest = phase
    assume(is_uninterrupted(phase, start + later))
    assert end_of(start + later, *rest) >= end_of(start, *rest)


@given(phases(), some_time)
@example(
    (
        datetime(2023, 1, 1, tzinfo=UTC),
        Terms(timedelta(), fixed=Fixed("UTC", frozenset({0, 1}), 0)),
        [],
        [Pause(datetime(2023, 1, 1, tzinfo=UTC), datetime(2023, 1, 2, 1, 1, tzinfo=UTC))],
    ),
    timedelta(minutes=1),
)
def test_a_longer_phase_ends_no_earlier(phase, more: timedelta) -> None:
    start, terms, people, pauses = phase
    cap = None if terms.cap is None else terms.cap + more
    longer = Terms(terms.length + more, cap, terms.fixed, terms.extra, terms.extra_times)
    assert end_of(start, longer, people, pauses) >= end_of(start, terms, people, pauses)
    result = replace(terms, extra=terms.extra + more)
    assert end_of(start, result, people, pauses) >= end_of(start, terms, people, pauses)
    moved = replace(terms, extra_times=terms.extra_times + 1)
    assert (end_of(start, moved, people, pauses) > end_of(start, terms, people, pauses)) == (terms.fixed is not None)


@given(phases(), st.data())
def test_one_more_person_pause_or_vacation_ends_nothing_earlier(phase, data: st.DataObject) -> None:
    start, terms, people, pauses = phase
    before = end_of(start, terms, people, pauses)
    vacations = tuple(data.draw(spans_near(start, 2)))
    assume(people)
    assert end_of(start, terms, [*people, Person(data.draw(grids), vacations)], pauses) >= before
    assert end_of(start, terms, people, [*pauses, *(Pause(*span) for span in vacations)]) >= before
    freer = [Person(people[0].grid, (*people[0].vacations, *vacations)), *people[1:]]
    assert end_of(start, terms, freer, pauses) >= before


@given(instants, lengths, zones, st.lists(st.integers(1, 60), max_size=4), st.lists(st.integers(1, 60), max_size=4))
def test_what_stands_still_is_limited(
    start: datetime, length: timedelta, zone: str, paused: list[int], away: list[int]
) -> None:
    """However long people are away and however often a game is paused."""
    pauses, vacations, at = [], [], start
    for days in paused:
        pauses.append(Pause(at, at + days * DAY))
        at += days * DAY + timedelta(minutes=1)
    for days in away:
        vacations.append((at, at + days * DAY))
        at += days * DAY + timedelta(minutes=1)
    end = end_of(start, Terms(length), [Person(None, tuple(vacations))], pauses)
    assert end <= start + length + MOST_PAUSED + MOST_VACATION
    never = Person(Grid(zone, frozenset()), tuple(vacations))
    assert (
        end_of(start, Terms(length, length + DAY), [never], pauses)
        <= start + length + DAY + MOST_PAUSED + MOST_VACATION
    )
    daily = Terms(length, fixed=Fixed(zone, frozenset(range(7)), 20 * 60))
    usual = end_of(start, daily, [], [])
    assert (
        end_of(start, daily, [Person(None, tuple(vacations))], pauses) < usual + MOST_PAUSED + MOST_VACATION + 2 * DAY
    )


@given(instants, lengths, grids)
def test_everybody_has_had_the_length_in_their_own_hours(start: datetime, length: timedelta, grid: Grid) -> None:
    terms = Terms(length, length + 30 * DAY)
    end = end_of(start, terms, [Person(grid)], [])
    had = playable_hours(grid, start, end)
    assert had == length or (end == start + terms.cap and had < length)


@given(instants, lengths, zones)
def test_who_may_always_play_has_a_plain_clock(start: datetime, length: timedelta, zone: str) -> None:
    always = Person(Grid(zone, frozenset(range(168))))
    assert end_of(start, Terms(length, length + DAY), [always], []) == start + length


@given(instants, fixed_times)
def test_a_fixed_time_is_a_time_of_its_zone(start: datetime, fixed: Fixed) -> None:
    end = next_fixed(fixed, start)
    here = end.astimezone(ZoneInfo(fixed.zone))
    result = time(fixed.minute // 60, fixed.minute % 60)
    is_skipped = here.replace(tzinfo=None) - datetime.combine(here.date(), result) in {HOUR, HOUR / 2}
    assert end >= start
    assert here.time() == result or is_skipped
    assert here.weekday() in fixed.days
    assert end - start < 8 * DAY


@given(instants, some_time, some_time)
def test_a_pause_that_lasts_counts_until_now(start: datetime, after: timedelta, ago: timedelta) -> None:
    since = start + after
    end = deadline(start, Terms(after + HOUR), pauses=[Pause(since)], now=since + ago)
    assert end == since + ago + HOUR


@pytest.mark.parametrize(
    ("start", "hours", "end"),
    [
        ("2026-03-28T20:00+01:00", 4, "2026-03-29T20:00+02:00"),  # Saturday evening, then Sunday from 18:00
        ("2026-03-29T00:30+01:00", 2, "2026-03-29T20:00+02:00"),
        ("2028-02-28T23:00+01:00", 3, "2028-02-29T20:00+01:00"),  # a leap day is a day
    ],
)
def test_playable_hours_of_an_evening(start: str, hours: int, end: str) -> None:
    """Who plays between 18 and 22 o'clock in Berlin, every day."""
    evenings = Grid("Europe/Berlin", frozenset(day * 24 + hour for day in range(7) for hour in range(18, 22)))
    terms = Terms(hours * HOUR, 5 * DAY)
    result = end_of(datetime.fromisoformat(start), terms, [Person(evenings)], [])
    # What is left of two hours each evening adds up.
    had = playable_hours(evenings, datetime.fromisoformat(start), result)
    assert had == hours * HOUR
    assert result <= datetime.fromisoformat(end) + 2 * HOUR


def test_every_weekday_at_eight_in_the_evening() -> None:
    fixed = Fixed("Europe/Berlin", frozenset(range(5)), 20 * 60)
    friday = datetime(2026, 3, 27, 19, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    ends = [deadline(friday + after, Terms(least, fixed=fixed), now=friday) for after, least in (
        (timedelta(), timedelta()),
        (timedelta(), 6 * HOUR),
        (HOUR, 6 * HOUR),
    )]  # fmt: skip
    lines = [f"{end.astimezone(ZoneInfo('Europe/Berlin')):%a %d %H:%M %Z}" for end in ends]
    assert lines == ["Fri 27 20:00 CET", "Mon 30 20:00 CEST", "Mon 30 20:00 CEST"]


@pytest.mark.parametrize(
    ("since", "until", "end"),
    [
        ((23, 18), (23, 23), (24, 20)),  # over the fixed time
        ((23, 9), (23, 10), (23, 20)),  # long before it: an hour is no day
        ((23, 9), (23, 11), (24, 20)),  # two hours less than the others had
        ((24, 9), (24, 10), (23, 20)),  # after it
    ],
)
def test_a_pause_moves_a_fixed_time_to_the_next(
    since: tuple[int, int], until: tuple[int, int], end: tuple[int, int]
) -> None:
    fixed = Fixed("UTC", frozenset(range(7)), 20 * 60)
    opened = datetime(2026, 11, 22, 20, tzinfo=UTC)
    pause = Pause(*(datetime(2026, 11, *at, tzinfo=UTC) for at in (since, until)))
    result = deadline(opened, Terms(6 * HOUR, fixed=fixed), pauses=[pause], now=opened)
    assert result == datetime(2026, 11, *end, tzinfo=UTC)


def test_what_was_asked_for_on_top_reaches_the_next_fixed_time() -> None:
    fixed = Fixed("UTC", frozenset(range(7)), 20 * 60)
    noon = datetime(2026, 11, 22, 12, tzinfo=UTC)
    assert deadline(noon, Terms(HOUR, fixed=fixed, extra=HOUR), now=noon) == noon + 8 * HOUR + DAY


@pytest.mark.parametrize(
    "make",
    [
        lambda: Terms(-HOUR),
        lambda: Terms(HOUR, cap=HOUR / 2),
        lambda: Grid("UTC", frozenset({168})),
        lambda: Fixed("UTC", frozenset(), 0),
        lambda: Fixed("UTC", frozenset({7}), 0),
        lambda: Fixed("UTC", frozenset({1}), 1440),
    ],
)
def test_what_means_nothing_is_not_made(make) -> None:
    with pytest.raises(ValueError):
        make()
