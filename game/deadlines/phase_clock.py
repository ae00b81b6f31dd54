"""What a game stores about the clock of its open phase besides the deadline, so that the deadline can be
recomputed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec

from game.deadlines.due import Pause


class PhaseClock(msgspec.Struct, frozen=True, omit_defaults=True):
    """Empty for a phase without pauses, extensions or outages.

    `start`: when it opened, set together with any other field; `pauses`: pauses and outages as (since, until, is
    voted); `extra`: seconds that players requested; `extended`: the seats that requested them; `late`: seconds from
    moderators, from short outages, and those left after a longer outage; `later`: by how many fixed times moderators
    moved the end; `kept`: the phase does not end before this instant, because the deadline was held when people's times
    changed. Later additions and pauses move `kept` too; with fixed times it counts as the end before rounding."""

    start: datetime | None = None
    pauses: tuple[tuple[datetime, datetime | None, bool], ...] = ()
    extra: float = 0
    extended: tuple[int, ...] = ()
    later: int = 0
    late: float = 0
    kept: datetime | None = None

    @property
    def is_paused(self) -> bool:
        """True during a pause."""
        return bool(self.pauses) and self.pauses[-1][1] is None

    @property
    def stood_still(self) -> list[Pause]:
        """The pauses as `deadline` takes them."""
        return [Pause(since, until, is_voted) for since, until, is_voted in self.pauses]

    def begun(self, at: datetime | None) -> PhaseClock:
        """With the start set, unless it is already."""
        return self if self.start is not None else msgspec.structs.replace(self, start=at)

    def paused(self, at: datetime, *, is_voted: bool) -> PhaseClock:
        """With a pause that starts at an instant."""
        return msgspec.structs.replace(self, pauses=(*self.pauses, (at, None, is_voted)))

    def resumed(self, at: datetime) -> PhaseClock:
        """With the current pause ended."""
        *before, (since, _, is_voted) = self.pauses
        until = max(at, since)
        kept = self.kept if self.kept is None or self.kept <= since else self.kept + (until - since)
        return msgspec.structs.replace(self, pauses=(*before, (since, until, is_voted)), kept=kept)

    def stood(self, since: datetime, until: datetime) -> PhaseClock:
        """With an outage of the site."""
        return self.paused(since, is_voted=False).resumed(until)

    def delayed(self, by: timedelta) -> PhaseClock:
        """With more time from the site or a moderator."""
        return msgspec.structs.replace(self, late=self.late + by.total_seconds(), kept=self._moved_kept(by))

    def extended_by(self, seat: int, by: timedelta) -> PhaseClock:
        """With more time that a seat requested."""
        extra, extended = self.extra + by.total_seconds(), (*self.extended, seat)
        return msgspec.structs.replace(self, extra=extra, extended=extended, kept=self._moved_kept(by))

    def moved(self, times: int, by: timedelta) -> PhaseClock:
        """With its end moved by so many fixed times, `by` in total."""
        return msgspec.structs.replace(self, later=self.later + times, kept=self._moved_kept(by))

    def on_time(self) -> PhaseClock:
        """Without the seconds in `late`."""
        return msgspec.structs.replace(self, late=0)

    def holding(self, at: datetime | None) -> PhaseClock:
        """With an instant before which the phase does not end, or none."""
        return msgspec.structs.replace(self, kept=at)

    def _moved_kept(self, more: timedelta) -> datetime | None:
        return self.kept and self.kept + more

    @property
    def stored(self) -> dict[str, Any]:
        """The value of `Game.clock`."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields


RAN_THROUGH = PhaseClock()


def read_clock(stored: Mapping[str, Any]) -> PhaseClock:
    """Parse the value of `Game.clock`."""
    return msgspec.convert(stored, PhaseClock) if stored else RAN_THROUGH
