"""Outages are neutral for everybody: a clock that ran in one is moved by as long as it ran in it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from game.bots import playing
from game.clock import outages, sweep
from game.play import clocks, leases
from game.store import heartbeats
from game.store.game import Game, Status
from game.store.heartbeats import Heartbeat, Job, Outage
from game.store.log import Kind
from tests.tables import fresh, new_game, silent_for

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("judged")]
HOUR = timedelta(hours=1)
LENGTHS = st.timedeltas(timedelta(seconds=1), timedelta(days=10))
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def left(game: Game) -> float:
    now = fresh(game)
    assert now.deadline_at
    return (now.deadline_at - now.now).total_seconds()


def table(*, left: timedelta, of: timedelta = timedelta(days=1), **more: Any) -> Game:
    """A daily game, so long before its deadline or after it."""
    game = new_game("ada", "bob", pace="daily", **more)
    Game.objects.filter(pk=game.pk).update(deadline_at=Now() + left, clock_since=Now() + left - of)
    return fresh(game)


def let_pass(time: timedelta) -> None:
    """The clock of every game runs for so long."""
    Game.objects.update(deadline_at=F("deadline_at") - time, clock_since=F("clock_since") - time)


def test_a_clock_that_was_put_back_closes_nothing_and_beats_on() -> None:
    game = new_game("ada", "bob")
    silent_for(timedelta(hours=-1))
    sweep.sweep()
    assert fresh(game).phase_serial == game.phase_serial
    beat = Heartbeat.objects.get(name=Job.DEADLINES).beat_at
    assert beat <= Game.objects.on_the_clock().get(pk=game.pk).now


@pytest.mark.parametrize("seconds", [-599, -300, -1, 1, 300, 3600, 80_000])
def test_every_phase_gets_the_same_time_back_whether_its_deadline_fell_inside_or_after(seconds: int) -> None:
    game = table(left=timedelta(seconds=seconds))
    silent_for(timedelta(minutes=10))
    sweep.sweep()
    after = fresh(game)
    assert after.phase_serial == game.phase_serial
    # Ten minutes of the outage, and no less left than they.
    assert left(game) == pytest.approx(max(seconds + 600, 600), abs=20)
    assert "down for 10 minutes" in after.log.last().note
    assert (after.version, after.entries) == (game.version + 1, game.entries + 1)
    assert after.log.last().kind == Kind.CLOCK


def test_a_deadline_from_before_the_outage_is_simply_late() -> None:
    game = table(left=-timedelta(minutes=11))
    silent_for(timedelta(minutes=10))
    sweep.sweep()
    assert fresh(game).phase_name == "stock_orders"


def test_a_slow_tick_is_no_outage() -> None:
    game = table(left=-timedelta(seconds=1))
    silent_for(timedelta(seconds=3))
    sweep.sweep()
    assert fresh(game).phase_name == "stock_orders"


@pytest.mark.parametrize("seconds", [-25, -5, 15])
def test_who_was_writing_at_the_deadline_during_a_restart_of_forty_seconds_gets_them_back(
    seconds: int, logged: list[Any]
) -> None:
    """Whatever the length of the phase: the answer was on its way when the site went, or would have been."""
    game = table(left=timedelta(seconds=seconds))
    silent_for(timedelta(seconds=40))
    sweep.sweep()
    after, outage = fresh(game), Outage.objects.get()
    assert after.phase_serial == game.phase_serial
    assert after.deadline_at is not None
    assert game.deadline_at is not None
    took = outage.ended_at - outage.began_at
    assert took <= after.deadline_at - game.deadline_at <= 2 * took
    assert after.deadline_at - outage.ended_at >= took
    assert [line["games"] for line in logged if line["event"] == "deadlines_moved"] == [1]
    assert after.log.last().kind == Kind.CLOCK
    Game.objects.update(deadline_at=Now())
    sweep.sweep()
    assert fresh(game).log.filter(kind=Kind.CLOSE).count() == 1


def test_of_a_restart_of_forty_seconds_a_deadline_hours_away_knows_nothing() -> None:
    game = table(left=HOUR)
    silent_for(timedelta(seconds=40))
    sweep.sweep()
    assert Outage.objects.count() == 1
    assert (fresh(game).deadline_at, fresh(game).entries) == (game.deadline_at, game.entries)


def test_a_site_that_restarts_again_and_again_closes_as_soon_as_it_stays_up_for_as_long_as_it_was_away() -> None:
    """No deadline runs ahead of the clock for ever: what is left does not grow from one outage to the next."""
    game = table(left=timedelta(seconds=25))
    for _ in range(5):
        let_pass(timedelta(seconds=30))
        silent_for(timedelta(seconds=30))
        sweep.sweep()
        assert fresh(game).phase_serial == game.phase_serial
        assert left(game) == pytest.approx(30, abs=20)
    let_pass(timedelta(minutes=1))
    sweep.sweep()
    assert fresh(game).phase_name == "stock_orders"


@pytest.mark.parametrize("of", [timedelta(seconds=40), timedelta(minutes=10), timedelta(minutes=30)], ids=str)
def test_a_restart_of_half_a_minute_takes_no_decision_from_people_who_sit_together(of: timedelta) -> None:
    game = table(left=-timedelta(seconds=5), of=of)
    silent_for(timedelta(seconds=30))
    sweep.sweep()
    assert fresh(game).phase_serial == game.phase_serial
    assert left(game) == pytest.approx(25, abs=10)


def test_a_long_outage_takes_nothing_from_anybody_and_nobody_comes_back_to_a_closing_phase() -> None:
    game = table(left=-timedelta(days=6, hours=23, minutes=59))
    silent_for(timedelta(days=7))
    sweep.sweep()
    assert fresh(game).phase_serial == game.phase_serial
    assert left(game) == pytest.approx(3600, abs=20)


def test_a_phase_that_opened_in_the_outage_gets_back_what_it_lost_of_it() -> None:
    game = table(left=timedelta(hours=23), of=timedelta(hours=24))
    silent_for(timedelta(hours=3))
    sweep.sweep()
    assert left(game) == pytest.approx(24 * 3600, abs=20)


@pytest.mark.parametrize("status", [Status.PAUSED, Status.HELD])
def test_clocks_that_stood_still_lost_nothing(status: str) -> None:
    game = table(left=HOUR)
    Game.objects.update(status=status, deadline_at=None, paused_left=HOUR)
    silent_for(timedelta(hours=3))
    sweep.sweep()
    assert (fresh(game).paused_left, fresh(game).entries) == (HOUR, game.entries)


def test_a_game_resumed_after_the_outage_is_not_moved_for_it() -> None:
    game = table(left=HOUR)
    Outage.objects.create(began_at=Now() - 3 * HOUR, ended_at=Now() - HOUR)
    resumed = fresh(game)
    clocks.stop_clock(game=resumed, status=Status.PAUSED)
    clocks.start_clock(game=resumed)
    resumed.save()
    assert outages.settle()
    assert left(game) == pytest.approx(3600, abs=20)


def test_an_outage_is_noted_once_whoever_comes_back_first() -> None:
    new_game("ada", "bob")
    silent_for(timedelta(minutes=10))
    for _ in range(2):
        for job in heartbeats.PRESENT:
            heartbeats.beat(job)
    assert Outage.objects.count() == 1


def test_of_two_processes_that_beat_first_at_once_none_is_an_error_to_the_database() -> None:
    """PostgreSQL logs each duplicate key, although nothing is wrong."""

    def another_was_quicker(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("INSERT"):
            execute(sql, *rest)
        return execute(sql, *rest)

    Heartbeat.objects.all().delete()
    with connection.execute_wrapper(another_was_quicker):
        heartbeats.beat(Job.MAIL)
        assert playing._give_turn(7, timezone.now())
    assert Heartbeat.objects.filter(name=Job.MAIL).count() == 1


def test_who_works_on_without_a_pause_is_present_however_old_the_other_signs_are() -> None:
    silent_for(timedelta(minutes=10))
    Heartbeat.objects.filter(name=Job.CLOCK).update(beat_at=Now())
    sweep.sweep()
    assert not Outage.objects.exists()


def test_bots_and_mail_at_work_close_no_phase_and_are_no_presence() -> None:
    silent_for(timedelta(minutes=10))
    heartbeats.beat(Job.BOTS)
    heartbeats.beat(Job.MAIL)
    assert heartbeats.is_site_down()
    sweep.sweep()
    assert Outage.objects.count() == 1


def test_nothing_is_closed_before_every_clock_has_been_moved() -> None:
    table(left=-HOUR)
    silent_for(timedelta(hours=3))
    assert leases.claim_games(leases.due_games()) == []  # the process slept with the others and has not noted it yet
    heartbeats.beat(Job.CLOCK)
    assert leases.claim_games(leases.due_games()) == []
    sweep.sweep()
    assert Outage.objects.exclude(settled_at=None).count() == 1


def test_what_was_moved_before_a_crash_is_not_moved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [table(left=-timedelta(minutes=5)) for _ in range(5)]
    silent_for(timedelta(minutes=10))
    monkeypatch.setattr(outages, "BATCH_SIZE", 2)
    move, chunks = outages._move_clocks, 0

    def crash_at_the_third(*chunk: Any) -> None:
        nonlocal chunks
        move(*chunk)
        chunks += 1
        if chunks == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(outages, "_move_clocks", crash_at_the_third)
        with pytest.raises(KeyboardInterrupt):
            sweep.sweep()
    assert [fresh(game).entries - game.entries for game in games] == [1, 1, 1, 1, 0]
    sweep.sweep()
    assert [fresh(game).entries - game.entries for game in games] == [1] * 5
    assert all(left(game) == pytest.approx(600, abs=20) for game in games)


def test_a_game_that_cannot_be_read_holds_up_nobody_else() -> None:
    """Its rules have been taken off the site: every other phase is moved all the same, and closed when it is due."""
    broken, due = table(left=HOUR), table(left=-HOUR)
    fixed = {"zone": "UTC", "days": [*range(7)], "minute": 0}
    Game.objects.filter(pk=broken.pk).update(ruleset="gone", pace="custom", timing={"fixed": fixed})
    silent_for(timedelta(minutes=10))
    sweep.sweep()
    assert left(broken) == pytest.approx(HOUR.total_seconds() + 600, abs=20)
    assert fresh(due).phase_name == "stock_orders"
    broken.delete()


def test_the_statements_of_a_chunk_do_not_depend_on_its_games(django_assert_max_num_queries: Any) -> None:
    games = [table(left=HOUR) for _ in range(6)]
    silent_for(timedelta(hours=1))
    heartbeats.beat(Job.CLOCK)
    with django_assert_max_num_queries(20):
        assert outages.settle()
    assert all(fresh(game).entries > game.entries for game in games)


@given(passed=LENGTHS, remaining=LENGTHS, outage=LENGTHS)
def test_nobody_loses_and_the_order_of_deadlines_stays(
    passed: timedelta, remaining: timedelta, outage: timedelta
) -> None:
    """An outage that begins at noon, in a phase that began so long before it and would have ended so long after."""
    ended, since, deadline = NOON + outage, NOON - passed, NOON + remaining
    later, start = outages.shift_clock(deadline=deadline, since=since, began=NOON, ended=ended)
    assert start - since == outage
    assert later >= deadline + outage
    assert later - ended >= min(outage, HOUR, (deadline - since) / 4)
    assert later == deadline + outage or later - ended <= HOUR
    second = outages.shift_clock(deadline=deadline + timedelta(seconds=1), since=since, began=NOON, ended=ended)[0]
    assert later <= second <= later + timedelta(seconds=1)
