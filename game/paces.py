"""How long a phase lasts at each pace, by the class of its clock, and what that means for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from game.engine.flow import Flow, Mode, Phase
from game.engine.language import mark, say
from game.engine.ruleset import Ruleset

MINUTE, HOUR, DAY, WEEK = 60, 3600, 86400, 604800
EVENING = 4 * HOUR
LIVE, DAILY = "live", "daily"
REVIEW, DECISION = "review", "decision"
LENGTHS: Mapping[str, Mapping[str, int]] = {
    "demo": {REVIEW: 0, DECISION: 3 * MINUTE},
    "daily": {REVIEW: 0, "votes": 12 * HOUR, "distribution": 12 * HOUR, DECISION: 24 * HOUR},
}
"""In seconds; clock classes that are not named last as long as a decision."""
UNITS = (
    (2 * WEEK, WEEK, mark("{least} to {most} weeks")),
    (2 * DAY, DAY, mark("{least} to {most} days")),
    (HOUR, HOUR, mark("{least} to {most} hours")),
    (0, MINUTE, mark("{least} to {most} minutes")),
)
"""From how many seconds a span is told in which unit."""
LEAST_A_DAY = 0.4  # below it, decisions are told as one in so many days
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
    DAILY: (mark("Daily"), mark("a day per phase"), mark("A day for each decision. Five minutes each evening.")),
    HALF_DAYS: (
        mark("Daily"),
        mark("a day per phase"),
        mark("A day for each decision, half a day for votes. Five minutes each evening."),
    ),
}
"""The title of a pace, its clock and what it means, where a clock is a phase's."""
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
    DAILY: (mark("Daily"), mark("a day per turn"), mark("A day for each turn. Five minutes each evening.")),
}
"""The same where it is a turn's."""


@dataclass(frozen=True)
class PaceWords:
    """A pace as a host reads it."""

    title: str
    clock: str  # in lists
    text: str


def words_of(flow: Flow, pace: str) -> PaceWords:
    """What a pace means in a game: where people act one after another, a clock is a turn's."""
    phases = [row.phase for row in flow.rows]
    table = TURNS if any(phase.mode is Mode.TURNS for phase in phases) else PHASES
    has_shorter = pace == DAILY and any(0 < length_of(pace, phase.clock) < LENGTHS[pace][DECISION] for phase in phases)
    title, clock, text = table[HALF_DAYS if has_shorter and HALF_DAYS in table else pace]
    return PaceWords(say(title), say(clock), say(text))


def span_words(windows: Mapping[str, int], live_minutes: int, pace: str) -> str:
    """What a whole game takes at a pace, from half of the time people have to all of it; "" where nobody counted."""
    most = most_seconds(windows, live_minutes, pace)
    if not most:
        return ""
    length, unit = next((length, unit) for start, length, unit in UNITS if most >= start)
    least, most_units = max(1, round(most / 2 / length)), ceil(most / length)
    evenings = ceil(most / EVENING)
    span = say(unit, least=least, most=most_units)
    if length != HOUR or evenings >= len(EVENINGS):
        return span
    return say("{span}, {evenings}", span=span, evenings=say(EVENINGS[evenings]))


def most_seconds(windows: Mapping[str, int], live_minutes: int, pace: str) -> int:
    """What a whole game takes at a pace if everybody uses all of their time; 0 where nobody counted."""
    if pace == LIVE:
        return live_minutes * MINUTE
    return sum(length_of(pace, clock) * number for clock, number in windows.items())


def usual_seconds(windows: Mapping[str, int], live_minutes: int, pace: str) -> int:
    """What it takes if people use three quarters of their time: the middle of what `span_words` tells."""
    return most_seconds(windows, live_minutes, pace) * 3 // 4


def decisions_words(number: float, seconds: int) -> str:
    """How often somebody must decide, from all of the time used to half of it: `1 to 2 a day`.

    `number` decisions in a game of so many seconds at most; "" where nobody counted, or where a game lasts less than
    two days."""
    if not number or seconds < 2 * DAY:
        return ""
    least = number * DAY / seconds
    if least < LEAST_A_DAY:
        return say("1 in {least} to {most} days", least=round(1 / least / 2), most=round(1 / least))
    fewest, most = max(1, round(least)), max(1, round(2 * least))
    if fewest == most:
        return say("{number} a day", number=most)
    return say("{least} to {most} a day", least=fewest, most=most)


def seconds_of(rules: Ruleset, options: Any, phase: Phase, pace: str) -> int:
    """The length of a phase in seconds; 0 for a review that takes no time. Live games use the rulebook's own."""
    if pace == LIVE:
        return rules.live_seconds(options, phase.name)
    return length_of(pace, phase.clock)


def length_of(pace: str, clock: str) -> int:
    """The length of a class of clocks at a pace that is not live, in seconds."""
    lengths = LENGTHS[pace]
    return lengths.get(clock, lengths[DECISION])
