"""The clock does the work of whoever rests, from when they have rested for some seconds until they are at it again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.db.models.functions import Now

from game.clock import sweep
from game.fallback_worker import Clock, FallbackJob
from game.play import leases
from game.store import heartbeats
from game.store.game import Game
from game.store.heartbeats import Heartbeat, Job
from tests.tables import fresh, new_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded]


@pytest.fixture(autouse=True)
def _nobody_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine of the tests is."""
    monkeypatch.setattr(leases, "OVERDUE_AFTER", timedelta(minutes=10))


def passes(**length: float) -> None:
    """Everybody's last sign of life is that much older."""
    Heartbeat.objects.update(beat_at=F("beat_at") - timedelta(**length))


def until(what: Callable[[], object]) -> None:
    latest = time.monotonic() + 240
    while not what():
        assert time.monotonic() < latest
        time.sleep(0.01)


@pytest.fixture
def clock() -> Iterator[Clock]:
    clock = Clock()
    yield clock
    rest(clock)
    for stand_in in clock.stand_ins:
        stand_in.stop()


def rest(clock: Clock) -> None:
    """What is under way ends."""
    for stand_in in clock.stand_ins:
        stand_in.wait()


def a_worker_is_at_everything() -> None:
    for job in Job:
        heartbeats.beat(job)


def due() -> Game:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(deadline_at=Now())
    return fresh(game)


def test_what_a_worker_is_at_is_left_to_it(clock: Clock) -> None:
    game = due()
    a_worker_is_at_everything()
    clock.look()
    rest(clock)
    assert fresh(game).phase_serial == game.phase_serial


def test_it_stands_in_at_once_goes_on_alone_and_stops_when_a_worker_is_back(clock: Clock, logged: list[Any]) -> None:
    first = due()
    a_worker_is_at_everything()
    passes(seconds=6)
    clock.look()
    rest(clock)
    assert fresh(first).phase_serial > first.phase_serial
    assert Job.DEADLINES.value in [line["work"] for line in logged if line["event"] == "clock_stands_in"]
    second = due()  # its own sign of life is fresh, and nobody else's
    clock.look()
    rest(clock)
    assert fresh(second).phase_serial > second.phase_serial
    third = due()
    heartbeats.beat(Job.DEADLINES)
    clock.look()
    rest(clock)
    assert fresh(third).phase_serial == third.phase_serial


@pytest.mark.parametrize(
    ("minutes", "is_taken", "is_closed"), [(11, False, True), (9, False, False), (11, True, False)]
)
def test_a_deadline_that_waits_too_long_is_kept_whoever_gives_signs_of_life(
    clock: Clock, minutes: int, is_taken: bool, is_closed: bool
) -> None:
    """A worker may beat and be held up: by a game that loops, or by a Redis that it waits for."""
    game = due()
    Game.objects.filter(pk=game.pk).update(
        deadline_at=Now() - timedelta(minutes=minutes), not_before=Now() + timedelta(minutes=1) if is_taken else None
    )
    a_worker_is_at_everything()
    clock.look()
    rest(clock)
    assert (fresh(game).phase_serial > game.phase_serial) == is_closed


@pytest.mark.parametrize("has_run_before", [False, True])
def test_workers_that_start_with_the_clock_have_time_for_their_first_sign_of_life(
    clock: Clock, has_run_before: bool
) -> None:
    """On a fresh site nobody ever gave one, on another the last is of before the restart."""
    if has_run_before:
        a_worker_is_at_everything()
        passes(days=1)
    clock.look(time.monotonic() + 3600)  # however slow this machine is
    rest(clock)
    assert [stand_in._own for stand_in in clock.stand_ins] == [None] * len(clock.stand_ins), "nothing was done"
    Heartbeat.objects.exclude(name=Job.CLOCK).update(beat_at=Now() - timedelta(minutes=1))
    clock.look(time.monotonic() - 16)
    rest(clock)
    assert None not in [stand_in._own for stand_in in clock.stand_ins]


def test_a_deadline_that_waits_is_kept_from_the_first_look_on(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "OVERDUE_AFTER", timedelta(0))
    game = due()
    clock.look(time.monotonic() + 3600)
    rest(clock)
    assert fresh(game).phase_serial > game.phase_serial


def test_of_two_clocks_one_leads() -> None:
    rounds: list[str] = []

    def at(name: str) -> FallbackJob:
        return FallbackJob(Job.DEADLINES, lambda: (rounds.append(name), heartbeats.beat(Job.DEADLINES)))

    clocks = [at("first"), at("second")]
    for _ in range(3):
        for clock in clocks:
            clock.look()
            clock.wait()
    assert rounds == ["first"] * 3


def test_a_round_that_takes_long_holds_up_neither_the_looks_nor_other_deadlines() -> None:
    stuck, rounds = threading.Event(), 0

    def work() -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 1:
            stuck.wait(30)

    deadlines = FallbackJob(Job.DEADLINES, work, threads=2)
    try:
        for _ in range(3):
            deadlines.look()
        until(lambda: rounds > 1)
    finally:
        stuck.set()
        deadlines.wait()


def test_each_kind_of_work_rests_for_itself(clock: Clock) -> None:
    """Mail at work is no reason to leave the deadlines."""
    game = due()
    a_worker_is_at_everything()
    passes(seconds=6)
    heartbeats.beat(Job.MAIL)
    clock.look()
    rest(clock)
    assert fresh(game).phase_serial > game.phase_serial


def test_an_error_ends_a_round_and_not_the_clock() -> None:
    rounds = 0

    def breaks() -> None:
        nonlocal rounds
        rounds += 1
        raise RuntimeError("a bug")

    deadlines = FallbackJob(Job.DEADLINES, breaks)
    for _ in range(2):
        deadlines.look()
        deadlines.wait()
    assert rounds == 2


def test_a_sweep_that_works_for_minutes_is_no_absence(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [due() for _ in range(13)]
    monkeypatch.setattr("game.play.leases.BATCH_SIZE", 1)
    close = sweep.close_due

    def slowly(claim: object) -> None:
        close(claim)  # type: ignore[arg-type]
        passes(seconds=10)  # of fifteen: the rest is for a machine that is busy

    monkeypatch.setattr(sweep, "close_due", slowly)
    sweep.sweep()
    assert all(fresh(game).phase_serial > game.phase_serial for game in games)
    assert not heartbeats.is_site_down()
