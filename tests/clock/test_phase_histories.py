"""Whatever stands still in a phase, nobody who is waited for has less of it than its length."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.clock import extensions, outages
from game.deadlines.due import Span, joined
from game.deadlines.paces import DECISION, HOUR
from game.play import clocks
from game.store.availability import WAKING, week_of
from game.store.game import Game, Status
from game.store.heartbeats import Outage
from tests.deadlines.test_custom_paces import EVERY_WEEKDAY, begun

pytestmark = [pytest.mark.django_db]
OPENED = datetime(2026, 11, 18, 9, tzinfo=UTC)
A_DAY, HOURS = {"lengths": {DECISION: 24 * HOUR}}, {"lengths": {DECISION: 8 * HOUR}, "cap": 72 * HOUR}
minutes = st.integers(1, 30 * 60).map(lambda number: timedelta(minutes=number))
histories = st.lists(st.tuples(st.sampled_from(["outage", "pause", "vacation", "more"]), minutes, minutes), max_size=5)
PLAYABLE = [datetime(2026, 11, day, hour, tzinfo=UTC) for day in range(18, 31) for hour in range(8, 23)]


class Phase:
    """The open phase of a game, and what has stood still in it for Ada, who never gets ready."""

    def __init__(self, game: Game) -> None:
        self.game, self.still, self.away = game, list[Span](), list[Span]()
        game.now, game.status, game.clock, game.availability = OPENED, Status.RUNNING, {}, {}
        if game.read_timing().counts_hours:
            game.availability = {"0": {"zone": "UTC", "week": week_of(WAKING)}}
        clocks.restart_clock(game)

    def goes_through(self, what: str, wait: timedelta, length: timedelta) -> None:
        """Something begins so long after the last, in the phase, and lasts so long."""
        if self.game.now + wait >= self.ends:
            return
        self.game.now += wait
        before, since = self.ends, self.game.now
        getattr(self, f"_{what}")(since, since + length)
        assert self.ends >= before

    def had(self) -> timedelta:
        """How much of the phase Ada has had when it ends."""
        spans = [(OPENED, self.ends)]
        if self.game.read_timing().counts_hours:
            spans = [(max(at, OPENED), min(at + timedelta(hours=1), self.ends)) for at in PLAYABLE]
        stood = joined([*self.still, *self.away])
        return sum((_outside(begin, end, stood) for begin, end in spans if begin < end), timedelta())

    @property
    def is_capped(self) -> bool:
        """Whether hours were counted and Ada had too few of them in three days that did not stand still."""
        cap = timedelta(seconds=self.game.read_timing().cap)
        return bool(cap) and _outside(OPENED, self.ends, joined([*self.still, *self.away])) >= cap

    @property
    def ends(self) -> datetime:
        assert self.game.deadline_at is not None
        return self.game.deadline_at

    def _outage(self, since: datetime, until: datetime) -> None:
        outages._move_clock(self.game, Outage(began_at=since, ended_at=until))
        self.still.append((since, until))

    def _pause(self, since: datetime, until: datetime) -> None:
        clocks.stop_clock(game=self.game, status=Status.PAUSED, is_voted=True)
        self.game.now = until
        clocks.start_clock(game=self.game)
        self.still.append((since, until))

    def _vacation(self, since: datetime, until: datetime) -> None:
        self.away.append((since + timedelta(hours=12), until + timedelta(hours=12)))
        known: dict[str, Any] = self.game.availability.get("0", {})
        lines = [[begins.isoformat(), ends.isoformat()] for begins, ends in joined(self.away)]
        self.game.availability = {"0": {**known, "away": lines}}
        clocks.follow(self.game, clocks.Because.TIMES)

    def _more(self, _since: datetime, _until: datetime) -> None:
        clocks.extend(self.game, 0, extensions.extension_of(self.game))


def _outside(begin: datetime, end: datetime, stood: list[Span]) -> timedelta:
    taken = (max(min(until, end) - max(since, begin), timedelta()) for since, until in stood)
    return end - begin - sum(taken, timedelta())


@pytest.mark.parametrize("timing", [A_DAY, HOURS, EVERY_WEEKDAY], ids=["length", "hours", "fixed"])
def test_nobody_has_less_of_a_phase_than_its_length_whatever_stands_still(timing: dict[str, Any]) -> None:
    game = begun(timing)

    @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(histories)
    def holds(history: list[tuple[str, timedelta, timedelta]]) -> None:
        phase = Phase(game)
        for step in history:
            phase.goes_through(*step)
        length = clocks.length_of(game)
        assert length is not None
        assert phase.had() >= length or phase.is_capped

    holds()
