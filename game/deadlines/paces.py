"""Lengths of phases by pace and clock class, and their descriptions for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from math import ceil
from typing import Annotated, Any

import msgspec

from game.deadlines.due import HOURS_A_WEEK, Fixed, Person, Terms, deadline
from game.engine.flow import Flow, Mode, Phase
from game.engine.language import count, mark, say
from game.engine.ruleset import Ruleset

MINUTE, HOUR, DAY, WEEK = 60, 3600, 86400, 604800
EVENING = 4 * HOUR
LIVE, DAILY, CUSTOM, NO_CLOCK = "live", "daily", "custom", "none"
REVIEW, DECISION, VOTES = "review", "decision", ("votes", "distribution")
LENGTHS: Mapping[str, Mapping[str, int]] = {
    "demo": {REVIEW: 0, DECISION: 3 * MINUTE},
    "evening": {REVIEW: 0, **dict.fromkeys(VOTES, 5 * MINUTE), DECISION: 10 * MINUTE},
    "daily": {REVIEW: 0, DECISION: 24 * HOUR},
    "relaxed": {REVIEW: 0, **dict.fromkeys(VOTES, 2 * DAY), DECISION: 3 * DAY},
    "custom": {REVIEW: 0, DECISION: 24 * HOUR},
    "none": {REVIEW: 0, DECISION: 24 * HOUR},
}
"""In seconds; other clock classes last as long as a decision. A game without a clock needs lengths only if a moderator
gives a bot's seat to a second person."""
SLOW = HOUR  # people do not sit and wait for decisions of this length or longer
UNITS = (
    (2 * WEEK, WEEK, mark("{least} to {most} weeks")),
    (2 * DAY, DAY, mark("{least} to {most} days")),
    (HOUR, HOUR, mark("{least} to {most} hours")),
    (0, MINUTE, mark("{least} to {most} minutes")),
)
"""The unit of a span, from this many seconds on."""
QUICK, ONCE_A_DAY = 0.5, 0.75  # shares of the available time that people use; `simulate --pace` measures the second
LEAST_A_DAY = 0.4  # decisions a day; below it, the text says one decision in a number of days
EVENINGS = ("", mark("one evening"), mark("two evenings"), mark("three evenings"), mark("four evenings"))
HALF_DAYS = "daily with half days for votes"
PHASES = {
    LIVE: (
        mark("Live"),
        mark("seconds per phase"),
        mark("Everyone is online at once. Phases last seconds, and every result is shown."),
    ),
    "demo": (
        mark("Quick"),
        mark("three minutes per phase"),
        mark("Three minutes per phase, or less if all players are ready."),
    ),
    "evening": (
        mark("Evening"),
        mark("ten minutes per phase"),
        mark("Ten minutes for each decision, five for votes. For evenings on which everyone is at home."),
    ),
    DAILY: (mark("Daily"), mark("a day per phase"), mark("A day for each decision. Five minutes each evening.")),
    HALF_DAYS: (
        mark("Daily"),
        mark("a day per phase"),
        mark("A day for each decision, half a day for votes. Five minutes each evening."),
    ),
    "relaxed": (
        mark("Relaxed"),
        mark("three days per phase"),
        mark("Three days for each decision, two for votes. You miss nothing on a weekend away."),
    ),
    CUSTOM: (
        mark("Custom"),
        mark("lengths or times of your own"),
        mark("You choose how long phases last, or when they close."),
    ),
    NO_CLOCK: (mark("No clock"), mark("no deadlines"), mark("For one person and bots. The bots wait for you.")),
}
"""Title, clock and description of each pace, for games whose clocks are of phases."""
TURNS = {
    LIVE: (
        mark("Live"),
        mark("seconds per turn"),
        mark("Everyone is online at once. Turns last seconds, and every result is shown."),
    ),
    "demo": (
        mark("Quick"),
        mark("three minutes per turn"),
        mark("Three minutes per turn, or less if all players are ready."),
    ),
    "evening": (
        mark("Evening"),
        mark("ten minutes per turn"),
        mark("Ten minutes for each turn. For evenings on which everyone is at home."),
    ),
    DAILY: (mark("Daily"), mark("a day per turn"), mark("A day for each turn. Five minutes each evening.")),
    "relaxed": (
        mark("Relaxed"),
        mark("three days per turn"),
        mark("Three days for each turn. You miss nothing on a weekend away."),
    ),
    CUSTOM: (
        mark("Custom"),
        mark("lengths or times of your own"),
        mark("You choose how long turns last, or when they end."),
    ),
    NO_CLOCK: PHASES[NO_CLOCK],
}
"""The same for games whose clocks are of turns."""
EVERY_DAY, WEEKDAYS = frozenset(range(7)), frozenset(range(5))
DAYS = (mark("Mon"), mark("Tue"), mark("Wed"), mark("Thu"), mark("Fri"), mark("Sat"), mark("Sun"))


ClockName = Annotated[str, msgspec.Meta(pattern=r"^[^\x00]*$")]
"""The name of a clock class; PostgreSQL cannot store zero bytes."""


class Timing(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How the phases of one game differ from those of its pace.

    `lengths` are seconds by clock class. With `fixed` times, a phase closes at the first of them after its length. With
    a `cap`, in seconds, lengths are counted in each person's playable hours."""

    lengths: Mapping[ClockName, int] = {}
    fixed: Fixed | None = None
    cap: int = 0

    @property
    def counts_hours(self) -> bool:
        """True if lengths are counted in playable hours."""
        return self.cap > 0

    def terms(self, length: timedelta, extra: timedelta = timedelta(), extra_times: int = 0) -> Terms:
        """The terms of a phase of this length; a phase of length 0 stays at 0."""
        if not length:
            return Terms(length)
        cap = max(timedelta(seconds=self.cap), length) if self.cap else None
        return Terms(length, cap, self.fixed, extra, extra_times)


PLAIN = Timing()


@dataclass(frozen=True)
class PaceWords:
    """The description of a pace for hosts."""

    title: str
    clock: str  # the shorter form for lists
    text: str


def words_of(flow: Flow, pace: str, timing: Timing = PLAIN) -> PaceWords:
    """The description of a pace for a game; in games with turns, clocks are of turns."""
    phases = [row.phase for row in flow.rows]
    is_in_turns = any(phase.mode is Mode.TURNS for phase in phases)
    table = TURNS if is_in_turns else PHASES
    if pace == CUSTOM and timing != PLAIN:
        clock = timing_words(timing, is_in_turns=is_in_turns, has_votes=any(phase.clock in VOTES for phase in phases))
        return PaceWords(say(table[CUSTOM][0]), clock, say("Custom: {clock}.", clock=clock))
    has_shorter = pace == DAILY and any(
        0 < length_of(pace, phase.clock, timing) < LENGTHS[pace][DECISION] for phase in phases
    )
    title, clock, text = table[HALF_DAYS if has_shorter and HALF_DAYS in table else pace]
    return PaceWords(say(title), say(clock), say(text))


def timing_words(timing: Timing, *, is_in_turns: bool, has_votes: bool) -> str:
    """A custom timing in words: `12 hours per phase, 6 hours for votes`, `every weekday at 20:00 (Europe/Berlin)`, or
    `8 playable hours per phase, within 3 days`."""
    fixed = timing.fixed
    if fixed is not None:
        at = f"{fixed.minute // 60}:{fixed.minute % 60:02}"
        return say("{days} at {at} ({zone})", days=days_words(fixed.days), at=at, zone=fixed.zone)
    decision, vote = (length_of(CUSTOM, clock, timing) for clock in (DECISION, VOTES[0]))
    if timing.counts_hours:
        hours, most = round(decision / HOUR), length_words(timing.cap)
        per = mark("{hours} per turn, within {most}") if is_in_turns else mark("{hours} per phase, within {most}")
        return say(per, hours=count("{n} playable hour", "{n} playable hours", hours), most=most)
    text = say(mark("{length} per turn") if is_in_turns else mark("{length} per phase"), length=length_words(decision))
    if not has_votes or vote == decision:
        return text
    return say("{phases}, {length} for votes", phases=text, length=length_words(vote))


def days_words(days: frozenset[int]) -> str:
    """Weekdays in words; Monday is 0."""
    if days == EVERY_DAY:
        return say("every day")
    return say("every weekday") if days == WEEKDAYS else ", ".join(say(DAYS[day]) for day in sorted(days))


def length_words(seconds: int) -> str:
    """A length in words, in the largest unit that divides it."""
    if seconds % HOUR:
        return count("{n} minute", "{n} minutes", seconds // MINUTE)
    if seconds % DAY:
        return count("{n} hour", "{n} hours", seconds // HOUR)
    return count("{n} day", "{n} days", seconds // DAY)


def is_slow(pace: str, timing: Timing = PLAIN) -> bool:
    """True if people come and go between decisions and want email; false if they sit together until the end."""
    if pace in {LIVE, NO_CLOCK}:
        return False
    return timing.fixed is not None or timing.counts_hours or length_of(pace, DECISION, timing) >= SLOW


def span_words(windows: Mapping[str, int], fewest: Mapping[str, int], live_minutes: int, pace: str) -> str:
    """The duration of a whole game at a pace, in words; "" if it was not measured."""
    if pace == LIVE:
        return seconds_words(*live_span(live_minutes))
    return seconds_words(*span_of(most_seconds(fewest, pace), most_seconds(windows, pace)))


def live_span(minutes: int) -> tuple[int, int]:
    """The span of a live game in seconds: from half of the available time to all of it."""
    return minutes * MINUTE // 2, minutes * MINUTE


def span_of(fewest: int, most: int) -> tuple[int, int]:
    """The span of a game in seconds, from the total seconds of its phases: from people who answer in advance and use
    half of their time, to people who do not and use three quarters, as they do if they visit once a day."""
    return round(fewest * QUICK), round(most * ONCE_A_DAY)


def seconds_words(least: int, most: int) -> str:
    """A span of seconds in words, in the unit people plan in; "" for none."""
    if not most:
        return ""
    length, unit = next((length, unit) for start, length, unit in UNITS if most >= start)
    evenings = ceil(most / EVENING)
    span = say(unit, least=max(1, round(least / length)), most=ceil(most / length))
    if length != HOUR or evenings >= len(EVENINGS):
        return span
    return say("{span}, {evenings}", span=span, evenings=say(EVENINGS[evenings]))


def most_seconds(windows: Mapping[str, int], pace: str) -> int:
    """The seconds of these phases at a pace that is not live, if everybody uses all of their time."""
    return sum(length_of(pace, clock) * number for clock, number in windows.items())


def simulated_seconds(
    windows: Mapping[str, int], timing: Timing, *, people: tuple[Person, ...] = (), now: datetime
) -> int:
    """Like `most_seconds`, for a game at a custom pace that starts now: each phase opens when the last has closed. 0 if
    `windows` is empty."""
    at = now
    for clock in in_turn(windows):
        length = timedelta(seconds=length_of(CUSTOM, clock, timing))
        at = deadline(at, timing.terms(length), people=people, now=at)
    return round((at - now).total_seconds())


def phase_lasts(timing: Timing, people: Sequence[Person], now: datetime) -> tuple[int, int]:
    """The least and most hours that a decision of these people lasts, over all starting hours of a week."""
    terms = timing.terms(timedelta(seconds=length_of(CUSTOM, DECISION, timing)))
    # Playing times start and end on full hours.
    return _hours_range(terms, tuple(people), now.replace(minute=0, second=0, microsecond=0))


@lru_cache(256)
def _hours_range(terms: Terms, people: tuple[Person, ...], first: datetime) -> tuple[int, int]:
    starts = [first + timedelta(hours=hour) for hour in range(HOURS_A_WEEK)]
    seconds = [(deadline(start, terms, people=people, now=start) - start).total_seconds() for start in starts]
    return round(min(seconds) / HOUR), ceil(max(seconds) / HOUR)


def in_turn(windows: Mapping[str, int]) -> Iterator[str]:
    """The clock classes of a whole game, each spread evenly over it."""
    placed = sorted(
        ((place + 0.5) / number, clock) for clock, number in sorted(windows.items()) for place in range(number)
    )
    return (clock for _, clock in placed)


def decisions_words(rarest: float, most_often: float) -> str:
    """How often a player must decide, in words, from decisions per day: `1 to 2 a day`."""
    if rarest < LEAST_A_DAY:
        return say("one every {least} to {most} days", least=max(1, round(1 / most_often)), most=round(1 / rarest))
    fewest, most = max(1, round(rarest)), max(1, round(most_often))
    if fewest == most:
        return say("{number} a day", number=most)
    return say("{least} to {most} a day", least=fewest, most=most)


def seconds_of(
    rules: Ruleset, options: Any, phase: Phase, pace: str, timing: Timing = PLAIN, *, is_first: bool = False
) -> int:
    """The length of a phase in seconds; 0 for a review that takes no time. Live games use the lengths of the rules. If
    it `is_first` in its turn, a phase whose sheet also asks for later phases has at least the sheet's length."""
    if pace == LIVE:
        sheet = rules.sheet_seconds.get(phase.name, 0) if is_first else 0
        return max(rules.live_seconds(options, phase.name), sheet)
    return length_of(pace, phase.clock, timing)


def length_of(pace: str, clock: str, timing: Timing = PLAIN) -> int:
    """The length of a clock class in seconds, at a pace that is not live."""
    lengths = {**LENGTHS[pace], **timing.lengths}
    return lengths.get(clock, lengths[DECISION])
