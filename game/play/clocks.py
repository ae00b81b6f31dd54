"""Deadlines: set when a phase opens, stopped and started again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any

from django.db.models.functions import Now

from game.deadlines.due import NONE, SHARE, Fixed, Grid, Person, deadline, floor_of, next_fixed, times_between
from game.deadlines.paces import seconds_of
from game.deadlines.phase_clock import PhaseClock, read_clock
from game.engine.flow import Mode
from game.store.availability import hours_of, spans_of
from game.store.game import Game, Status
from game.store.log import Notice
from game.store.proposals import VoteTopic, drop_proposal


def restart_clock(game: Game) -> None:
    """Set the deadline of the phase that has just opened, if it has one."""
    length = length_of(game)
    game.clock, game.clock_since = {}, None if length is None else game.now
    game.deadline_at = None if length is None else end_of(game, length)


def end_of(
    game: Game, length: timedelta, people: Sequence[Person] | None = None, clock: PhaseClock | None = None
) -> datetime:
    """The end of the open phase, which has this length, by its clock. (The only function that computes it.) `people`
    replaces those who must decide, to find the effect of their vacations; `clock` replaces the phase's own, to find the
    effect of more time."""
    clock = clock or read_clock(game.clock)
    start, extra = clock.start or game.clock_since or game.now, timedelta(seconds=clock.extra)
    timing = game.read_timing()
    terms = timing.terms(length, extra, clock.extra_times)
    people = people_of(game) if people is None else people
    end = deadline(start, terms, people=people, pauses=clock.stood_still, now=game.now) + timedelta(seconds=clock.delay)
    bound = clock.not_before
    if bound is None:
        return end
    return max(end, bound if timing.fixed is None else next_fixed(timing.fixed, bound - floor_of(length)))


def waits_for(game: Game) -> frozenset[int]:
    """The seats whose vacations make the open phase of a running game end later."""
    length = length_of(game)
    if game.deadline_at is None or length is None:
        return frozenset()
    seats = [seat for seat in game.timed_seats if not game.is_played_for(seat)]
    people = {seat: _person(game.availability.get(str(seat), {})) for seat in seats}
    if not any(each.vacations for each in people.values()):
        return frozenset()
    without_vacations = [replace(each, vacations=()) for each in people.values()]
    usual = end_of(game, length, without_vacations)
    return frozenset(seat for seat, each in people.items() if end_of(game, length, [*without_vacations, each]) > usual)


def people_of(game: Game) -> list[Person]:
    """The vacations and hours of the people who must decide; empty if none are known."""
    if not game.availability:
        return []
    seats = [seat for seat in game.timed_seats if not game.is_played_for(seat)]
    return [_person(game.availability.get(str(seat), {})) for seat in seats]


def _person(row: Mapping[str, Any]) -> Person:
    """Parse one person's entry in `Game.availability`."""
    grid = Grid(row["zone"], hours_of(row["week"])) if "week" in row else None
    return Person(grid, spans_of(row))


class Because(Enum):
    """Why a deadline is recomputed, and how it may change: a change of `TIMES` never makes it earlier; a player who is
    `READY` may, but not before the instant at which it was held; a player who is `GONE`, or back early, ends that hold
    too."""

    TIMES = auto()
    READY = auto()
    GONE = auto()


def follow(game: Game, because: Because) -> bool:
    """Recompute the deadline of a locked running game. Returns whether it moved; the caller saves the game and notifies
    the players of a move. If it becomes earlier, the players who must still decide have had their time; even so, they
    keep a quarter of the phase, and reminders scheduled for later are sent now."""
    length = length_of(game)
    if game.deadline_at is None or not length:
        return False
    clock = read_clock(game.clock).begun(game.clock_since)
    game.clock = (clock.holding(None) if because is Because.GONE else clock).stored
    before, nearest = game.deadline_at, _next_closing_time(game, game.now + length / SHARE)
    _set_deadline(game, length, before if because is Because.TIMES else min(before, nearest))
    if game.deadline_at < before:
        reminders = game.notices.filter(kind=Notice.Kind.REMINDER, serial=game.phase_serial, handed_at=None)
        reminders.update(due_at=Now())
    return game.deadline_at != before


def _next_closing_time(game: Game, at: datetime) -> datetime:
    """The next fixed time from `at` on if phases close at fixed times, otherwise `at`."""
    fixed = game.read_timing().fixed
    return at if fixed is None else next_fixed(fixed, at)


def _set_deadline(game: Game, length: timedelta, earliest: datetime) -> None:
    """Set the deadline by the clock, but not before `earliest`; if that applies, the clock stores it."""
    end = end_of(game, length)
    if earliest > end:
        game.clock = read_clock(game.clock).holding(earliest).stored
    game.deadline_at = max(end, earliest)


def length_of(game: Game) -> timedelta | None:
    """The length of the open phase; None when the game is over, or for a decision in a solo game without a clock."""
    phase = game.phase
    if phase is None or (game.is_untimed and phase.mode is not Mode.AUTOMATIC):
        return None
    is_first = list(game.trail).count(game.phase_row) == 1
    seconds = seconds_of(game.rules, game.read_options(), phase, game.pace, game.read_timing(), is_first=is_first)
    return timedelta(seconds=seconds)


def stop_clock(*, game: Game, status: Status, is_voted: bool = False) -> None:
    """Stop the clock of a locked game, unless it is paused already. The caller saves the game."""
    if game.deadline_at is not None:
        game.clock = read_clock(game.clock).begun(game.clock_since).paused(game.now, is_voted=is_voted).stored
        game.paused_left = game.deadline_at - game.now
    game.status, game.deadline_at = status, None


def make_good(*, game: Game, since: datetime, until: datetime) -> None:
    """Compensate an outage for a locked running game whose clock is not plain: it counts as a pause, but the deadline
    never becomes earlier, and some time is left. If that time ends soon after a fixed time, the phase ends with it
    instead of waiting for the next one. The caller saves the game."""
    assert game.deadline_at is not None
    length, before = length_of(game) or NONE, game.deadline_at
    game.clock = read_clock(game.clock).stood(since, until).stored
    floor = floor_of(length)
    earliest = until + min(floor, until - since)
    is_near = earliest <= end_of(game, length) + floor
    _set_deadline(game, length, earliest if is_near else _next_closing_time(game, earliest))
    # The clock does not hold the new deadline: it may wait for a vacation, and becomes earlier when they are ready.
    game.deadline_at = max(before, game.deadline_at)


def start_clock(*, game: Game) -> None:
    """Resume a locked paused or held game with the time it had left, and at least some time to decide, because the
    players did not know when it would resume. The caller saves the game."""
    game.status, game.attempts, game.not_before, game.held_reason = Status.RUNNING, 0, None, ""
    book_pause(game)
    if game.paused_left is None:
        restart_clock(game)
    else:
        _restart_deadline(game, game.paused_left)
        game.clock_since, game.paused_left = game.now, None


def give(game: Game, more: timedelta) -> None:
    """Give the open phase of a locked game more time; if phases close at fixed times, round up to the next one. The
    caller saves the game, which has a deadline or is paused."""
    clock, fixed = read_clock(game.clock).begun(game.clock_since), game.read_timing().fixed
    if fixed is not None:
        _move_to_fixed_time(game, clock, fixed, more)
    elif game.deadline_at is not None:
        # Count from now if the deadline has passed and the sweep has not closed the phase yet.
        until = max(game.deadline_at, game.now) + more
        game.clock, game.deadline_at = clock.delayed(until - game.deadline_at).stored, until
    elif game.paused_left is not None:
        game.clock = clock.delayed(more - min(game.paused_left, NONE)).stored
    if game.paused_left is not None:
        game.paused_left = max(game.paused_left, NONE) + more


def _move_to_fixed_time(game: Game, clock: PhaseClock, fixed: Fixed, more: timedelta) -> None:
    """Move the end of a phase that closes at fixed times to the first one at least `more` later. During a pause the
    clock stores the move for when the game resumes."""
    length, clock = length_of(game) or NONE, clock.on_time()
    end = end_of(game, length, clock=clock)
    until = next_fixed(fixed, max(end, game.now) + more)
    game.clock = clock.moved(times_between(fixed, end, until), until - end).stored
    if game.deadline_at is not None:
        _set_deadline(game, length, max(until, game.deadline_at))


def extend(game: Game, seat: int, more: timedelta) -> None:
    """Give the open phase of a locked running game the time that a seat requested. The caller saves the game."""
    clock, game.deadline_at = extended(game, seat, more)
    game.clock = clock.stored


def extended(game: Game, seat: int, more: timedelta) -> tuple[PhaseClock, datetime]:
    """The clock of the open phase with the time that a seat requests, and the deadline: the next fixed time if phases
    close at those."""
    assert game.deadline_at is not None
    clock = read_clock(game.clock).begun(game.clock_since).extended_by(seat, more)
    if clock.not_before is not None:
        clock = clock.holding(_next_closing_time(game, clock.not_before))
    if is_plain(game):
        return clock, game.deadline_at + more
    return clock, max(game.deadline_at, end_of(game, length_of(game) or timedelta(), clock=clock))


def is_plain(game: Game) -> bool:
    """True if a phase simply lasts its length: no fixed times, playable hours or vacations."""
    timing = game.read_timing()
    return not game.availability and timing.fixed is None and not timing.counts_hours


def book_pause(game: Game) -> None:
    """Add the length of a voted pause to the pause time used, and drop a proposal about the clock."""
    if game.pause_ends_at is None:
        return
    began = game.now if "since" not in game.pause else datetime.fromisoformat(game.pause["since"])
    used_seconds = game.pause.get("used", 0) + (game.now - began).total_seconds()
    game.pause, game.pause_ends_at = {"used": used_seconds}, None
    drop_proposal(game, VoteTopic.PAUSE)


def _restart_deadline(game: Game, time_left: timedelta) -> None:
    """Set the deadline after a pause that left this much time; a deadline that had passed stays passed. Plain clocks
    continue where they stopped; others are recomputed."""
    clock, length = read_clock(game.clock), length_of(game) or timedelta()
    clock = clock.resumed(game.now) if clock.is_paused else clock.begun(game.clock_since)
    game.clock, is_over = clock.stored, time_left <= timedelta()
    if clock.pauses and not is_plain(game):
        _set_deadline(
            game, length, game.now + time_left if is_over else _next_closing_time(game, game.now + floor_of(length))
        )
    else:
        until = game.now + (time_left if is_over else max(time_left, floor_of(length)))
        game.clock, game.deadline_at = clock.delayed(until - end_of(game, length)).stored, until
