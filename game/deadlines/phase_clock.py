"""What a game stores about the clock of its open phase besides the deadline, so that the deadline can be
recomputed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec

from game.deadlines.due import Pause

STORED_NAMES = {"delay": "late", "extra_times": "later", "not_before": "kept"}
"""Fields that are stored under another name."""


class PhaseClock(msgspec.Struct, frozen=True, omit_defaults=True, rename=STORED_NAMES):
    """Empty for a phase without pauses, extensions or outages.

    `start`: when it opened, set together with any other field; `pauses`: pauses and outages as (since, until, is
    voted); `extra`: seconds that players requested; `extended`: the seats that requested them; `delay`: seconds from
    moderators, from short outages, and those left after a longer outage; `extra_times`: by how many fixed times
    moderators moved the end; `not_before`: the phase does not end before this instant, because the deadline was held
    when people's times changed. Later additions and pauses move it too; with fixed times it counts as the end before
    rounding."""

    start: datetime | None = None
    pauses: tuple[tuple[datetime, datetime | None, bool], ...] = ()
    extra: float = 0
    extended: tuple[int, ...] = ()
    extra_times: int = 0
    delay: float = 0
    not_before: datetime | None = None

    @property
    def is_paused(self) -> bool:
        """True during a pause."""
        return bool(self.pauses) and self.pauses[-1][1] is None

    @property
    def stood_still(self) -> list[Pause]:
        """The pauses as `deadline` takes them."""
        return [Pause(since, until, is_voted) for since, until, is_voted in self.pauses]

    def begun(self, at: datetime | None) -> PhaseClock:
        """A copy with a start, unless it has one."""
        return self if self.start is not None else msgspec.structs.replace(self, start=at)

    def paused(self, at: datetime, *, is_voted: bool) -> PhaseClock:
        """A copy with a pause that starts at an instant."""
        return msgspec.structs.replace(self, pauses=(*self.pauses, (at, None, is_voted)))

    def resumed(self, at: datetime) -> PhaseClock:
        """A copy whose current pause ends at an instant."""
        *before, (since, _, is_voted) = self.pauses
        until = max(at, since)
        not_before = self.not_before
        if not_before is not None and not_before > since:
            not_before += until - since
        return msgspec.structs.replace(self, pauses=(*before, (since, until, is_voted)), not_before=not_before)

    def stood(self, since: datetime, until: datetime) -> PhaseClock:
        """A copy with an outage of the site added."""
        return self.paused(since, is_voted=False).resumed(until)

    def delayed(self, by: timedelta) -> PhaseClock:
        """A copy with more time from the site or a moderator."""
        delay = self.delay + by.total_seconds()
        return msgspec.structs.replace(self, delay=delay, not_before=self._not_before_and(by))

    def extended_by(self, seat: int, by: timedelta) -> PhaseClock:
        """A copy with more time that a seat requested."""
        extra, extended = self.extra + by.total_seconds(), (*self.extended, seat)
        return msgspec.structs.replace(self, extra=extra, extended=extended, not_before=self._not_before_and(by))

    def moved(self, times: int, by: timedelta) -> PhaseClock:
        """A copy whose end is moved by a number of fixed times, `by` in total."""
        extra_times = self.extra_times + times
        return msgspec.structs.replace(self, extra_times=extra_times, not_before=self._not_before_and(by))

    def on_time(self) -> PhaseClock:
        """A copy without the seconds in `delay`."""
        return msgspec.structs.replace(self, delay=0)

    def holding(self, at: datetime | None) -> PhaseClock:
        """A copy with the instant before which the phase does not end, or without one."""
        return msgspec.structs.replace(self, not_before=at)

    def _not_before_and(self, more: timedelta) -> datetime | None:
        return self.not_before and self.not_before + more

    @property
    def stored(self) -> dict[str, Any]:
        """The value of `Game.clock`."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields


RAN_THROUGH = PhaseClock()


def read_clock(stored: Mapping[str, Any]) -> PhaseClock:
    """Parse the value of `Game.clock`."""
    return msgspec.convert(stored, PhaseClock) if stored else RAN_THROUGH
