"""How long a phase lasts at each pace, by the class of its clock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.engine.flow import Phase
from game.engine.ruleset import Ruleset

MINUTE, HOUR = 60, 3600
LIVE = "live"
DECISION = "decision"
LENGTHS: Mapping[str, Mapping[str, int]] = {
    "demo": {"review": 0, DECISION: 3 * MINUTE},
    "daily": {"review": 0, "votes": 12 * HOUR, "distribution": 12 * HOUR, DECISION: 24 * HOUR},
}
"""In seconds; clock classes that are not named last as long as a decision."""


def seconds_of(rules: Ruleset, options: Any, phase: Phase, pace: str) -> int:
    """The length of a phase in seconds; 0 for a review that takes no time. Live games use the rulebook's own. (S 4.4, A19)"""
    if pace == LIVE:
        return rules.live_seconds(options, phase.name)
    return length_of(pace, phase.clock)


def length_of(pace: str, clock: str) -> int:
    """The length of a class of clocks at a pace that is not live, in seconds."""
    lengths = LENGTHS[pace]
    return lengths.get(clock, lengths[DECISION])
