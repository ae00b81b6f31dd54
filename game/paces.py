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
    most = (
        live_minutes * MINUTE
        if pace == LIVE
        else sum(length_of(pace, clock) * number for clock, number in windows.items())
    )
    if not most:
        return ""
    length, unit = next((length, unit) for start, length, unit in UNITS if most >= start)
    least, most_units = max(1, round(most / 2 / length)), ceil(most / length)
    evenings = ceil(most / EVENING)
    evening_words = f", {EVENINGS[evenings]}" if unit == "hours" and evenings < len(EVENINGS) else ""
    return f"{least} to {most_units} {unit}{evening_words}"


def seconds_of(rules: Ruleset, options: Any, phase: Phase, pace: str) -> int:
    """The length of a phase in seconds; 0 for a review that takes no time. Live games use the rulebook's own."""
    if pace == LIVE:
        return rules.live_seconds(options, phase.name)
    return length_of(pace, phase.clock)


def length_of(pace: str, clock: str) -> int:
    """The length of a class of clocks at a pace that is not live, in seconds."""
    lengths = LENGTHS[pace]
    return lengths.get(clock, lengths[DECISION])
