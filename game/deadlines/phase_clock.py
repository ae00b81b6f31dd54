"""What a game stores about the clock of its open phase besides its deadline, so that the deadline can be computed
again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec

from game.deadlines.due import Pause


class PhaseClock(msgspec.Struct, frozen=True, omit_defaults=True):
    """Nothing, for a phase that has run through so far.

    `start`: when it opened, noted as soon as anything else is; `pauses` as (since, until, whether players voted for
    it), and when the site was away; `extra`: what players asked for on top, in seconds; `extended`: the seats that
    asked; `late`: what moderators gave, what a short absence of the site added and the moment left after a longer one,
    in seconds; `later`: by how many fixed times moderators moved the end where phases close at those; `kept`: before
    when it does not end, where the deadline was held while people's times changed. What is added later and what stands
    still moves that too; where phases close at fixed times it counts as the time it would last to."""

    start: datetime | None = None
    pauses: tuple[tuple[datetime, datetime | None, bool], ...] = ()
    extra: float = 0
    extended: tuple[int, ...] = ()
    later: int = 0
    late: float = 0
    kept: datetime | None = None

    @property
    def is_paused(self) -> bool:
        """Whether a pause lasts."""
        return bool(self.pauses) and self.pauses[-1][1] is None

    @property
    def stood_still(self) -> list[Pause]:
        """The pauses as the deadline reads them."""
        return [Pause(since, until, is_voted) for since, until, is_voted in self.pauses]

    def begun(self, at: datetime | None) -> PhaseClock:
        """With the start noted, unless it is already."""
        return self if self.start is not None else msgspec.structs.replace(self, start=at)

    def paused(self, at: datetime, *, is_voted: bool) -> PhaseClock:
        """With a pause from an instant on."""
        return msgspec.structs.replace(self, pauses=(*self.pauses, (at, None, is_voted)))

    def resumed(self, at: datetime) -> PhaseClock:
        """With the pause that lasts at its end."""
        *before, (since, _, is_voted) = self.pauses
        until = max(at, since)
        kept = self.kept if self.kept is None or self.kept <= since else self.kept + (until - since)
        return msgspec.structs.replace(self, pauses=(*before, (since, until, is_voted)), kept=kept)

    def stood(self, since: datetime, until: datetime) -> PhaseClock:
        """With a time in which the site was away."""
        return self.paused(since, is_voted=False).resumed(until)

    def delayed(self, by: timedelta) -> PhaseClock:
        """With more time that the site or a moderator gave."""
        return msgspec.structs.replace(self, late=self.late + by.total_seconds(), kept=self._kept_for(by))

    def extended_by(self, seat: int, by: timedelta) -> PhaseClock:
        """With more time that a seat asked for."""
        extra, extended = self.extra + by.total_seconds(), (*self.extended, seat)
        return msgspec.structs.replace(self, extra=extra, extended=extended, kept=self._kept_for(by))

    def moved(self, times: int, by: timedelta) -> PhaseClock:
        """With its end so many fixed times later; `by` is how long that is."""
        return msgspec.structs.replace(self, later=self.later + times, kept=self._kept_for(by))

    def on_time(self) -> PhaseClock:
        """Without what a short absence of the site added."""
        return msgspec.structs.replace(self, late=0)

    def holding(self, at: datetime | None) -> PhaseClock:
        """With an instant before which the phase does not end, or none."""
        return msgspec.structs.replace(self, kept=at)

    def _kept_for(self, more: timedelta) -> datetime | None:
        return self.kept and self.kept + more

    @property
    def stored(self) -> dict[str, Any]:
        """As it is stored."""
        told: dict[str, Any] = msgspec.to_builtins(self)
        return told


RAN_THROUGH = PhaseClock()


def read_clock(stored: Mapping[str, Any]) -> PhaseClock:
    """A stored one, typed."""
    return msgspec.convert(stored, PhaseClock) if stored else RAN_THROUGH
