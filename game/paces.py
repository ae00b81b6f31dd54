"""How long a phase lasts at each pace, by the class of its clock, and what that means for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from game.engine.flow import Flow, Mode, Phase
from game.engine.ruleset import Ruleset

MINUTE, HOUR, DAY, WEEK = 60, 3600, 86400, 604800
EVENING = 4 * HOUR
LIVE = "live"
REVIEW, DECISION = "review", "decision"
LENGTHS: Mapping[str, Mapping[str, int]] = {
    "demo": {REVIEW: 0, DECISION: 3 * MINUTE},
    "daily": {REVIEW: 0, "votes": 12 * HOUR, "distribution": 12 * HOUR, DECISION: 24 * HOUR},
}
"""In seconds; clock classes that are not named last as long as a decision."""
UNITS = ((2 * WEEK, WEEK, "weeks"), (2 * DAY, DAY, "days"), (HOUR, HOUR, "hours"), (0, MINUTE, "minutes"))
"""From how many seconds a span is told in which unit."""
LEAST_A_DAY = 0.4  # below it, decisions are told as one in so many days
EVENINGS = ("", "one evening", "two evenings", "three evenings", "four evenings")


@dataclass(frozen=True)
class PaceWords:
    """A pace as a host reads it."""

    title: str
    clock: str  # in lists
    text: str


def words_of(flow: Flow, pace: str) -> PaceWords:
    """What a pace means in a game: where people act one after another, a clock is a turn's."""
    phases = [row.phase for row in flow.rows]
    unit = "turn" if any(phase.mode is Mode.TURNS for phase in phases) else "phase"
    if pace == LIVE:
        text = f"Everyone is online at once. {unit.capitalize()}s last seconds, and every result is shown."
        return PaceWords("Live", f"seconds per {unit}", text)
    if pace == "demo":
        text = f"Three minutes per {unit}, or less if all players are ready."
        return PaceWords("Quick", f"three minutes per {unit}", text)
    has_shorter = any(0 < length_of(pace, phase.clock) < LENGTHS[pace][DECISION] for phase in phases)
    votes = ", half a day for votes" if has_shorter else ""
    text = f"A day for {'each turn' if unit == 'turn' else 'each decision'}{votes}. Five minutes each evening."
    return PaceWords("Daily", f"a day per {unit}", text)


def span_words(windows: Mapping[str, int], live_minutes: int, pace: str) -> str:
    """What a whole game takes at a pace, from half of the time people have to all of it; "" where nobody counted."""
    most = most_seconds(windows, live_minutes, pace)
    if not most:
        return ""
    length, unit = next((length, unit) for start, length, unit in UNITS if most >= start)
    least, most_units = max(1, round(most / 2 / length)), ceil(most / length)
    evenings = ceil(most / EVENING)
    evening_words = f", {EVENINGS[evenings]}" if unit == "hours" and evenings < len(EVENINGS) else ""
    return f"{least} to {most_units} {unit}{evening_words}"


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
        return f"1 in {round(1 / least / 2)} to {round(1 / least)} days"
    told = list(dict.fromkeys((max(1, round(least)), max(1, round(2 * least)))))
    return f"{' to '.join(map(str, told))} a day"


def seconds_of(rules: Ruleset, options: Any, phase: Phase, pace: str) -> int:
    """The length of a phase in seconds; 0 for a review that takes no time. Live games use the rulebook's own."""
    if pace == LIVE:
        return rules.live_seconds(options, phase.name)
    return length_of(pace, phase.clock)


def length_of(pace: str, clock: str) -> int:
    """The length of a class of clocks at a pace that is not live, in seconds."""
    lengths = LENGTHS[pace]
    return lengths.get(clock, lengths[DECISION])
