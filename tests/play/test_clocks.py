"""Deadlines: set, due, never early, and what a sweep does with them."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from game.clock import sweep
from game.play import clocks, moves
from game.store import replay
from game.store.game import Game, Status
from game.store.log import Kind
from game.store.log_notes import rounded_words
from tests.browser.positions import lay
from tests.rulesets.sectors.table import Table
from tests.tables import READY, clock_runs_out, everybody_ready, fresh, new_game, send

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def left(game: Game) -> float:
    now = Game.objects.on_the_clock().get(pk=game.pk)
    assert now.deadline_at
    return (now.deadline_at - now.now).total_seconds()


@pytest.mark.parametrize(("pace", "seconds"), [("demo", 180), ("daily", 86400), ("live", 55)])
def test_the_pace_sets_the_length(pace: str, seconds: int) -> None:
    game = new_game("ada", "bob", pace=pace)
    assert clocks.length_of(game) == timedelta(seconds=seconds)
    assert seconds - 50 < left(game) <= seconds


def test_live_games_stop_to_look_at_results() -> None:
    game = new_game("ada", "bob", pace="live")
    assert everybody_ready(game).phase_name == "influence_resolve"
    assert clock_runs_out(game).phase_name == "stock_orders"


def test_a_phase_is_never_closed_early() -> None:
    game = new_game("ada", "bob")
    sweep.sweep()
    assert not moves.close_phase(game_id=game.pk, expected_serial=game.phase_serial)
    assert fresh(game).phase_serial == game.phase_serial


@pytest.mark.usefixtures("judged")
def test_a_due_phase_is_closed_once() -> None:
    game = new_game("ada", "bob")
    after = clock_runs_out(game)
    assert after.phase_name == "stock_orders"
    assert not moves.close_phase(game_id=game.pk, expected_serial=game.phase_serial)
    sweep.sweep()
    assert fresh(game).phase_serial == after.phase_serial
    assert game.log.filter(kind=Kind.CLOSE).count() == 1


def test_a_due_phase_of_another_serial_stays_open() -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(deadline_at=Now())
    assert not moves.close_phase(game_id=game.pk, expected_serial=game.phase_serial + 1)


@pytest.mark.parametrize("status", [Status.HELD, Status.PAUSED])
def test_the_sweep_leaves_games_alone_that_stand_still(status: str) -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(status=status, deadline_at=None, paused_left=timedelta(minutes=1))
    sweep.sweep()
    assert fresh(game).entries == game.entries


def test_a_closing_that_fails_five_times_holds_the_game_and_keeps_everything(
    monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    game = new_game("ada", "bob")
    send(game, 0, {"kind": "bid_influence", "points": 7}, READY)

    def broken(*args: object, **more: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr("game.play.transactions.referee.close", broken)
    for attempt in range(1, 5):
        assert (clock_runs_out(game).status, fresh(game).attempts) == (Status.RUNNING, attempt)
    held = clock_runs_out(game)
    assert held.status == Status.HELD
    assert held.load_position().pending[0]
    assert [line["attempts"] for line in logged if line["event"] == "resolution_failed"] == [1, 2, 3, 4, 5]
    monkeypatch.undo()
    retried = Game.objects.on_the_clock().get(pk=game.pk)
    clocks.start_clock(game=retried)
    retried.save()
    sweep.sweep()
    assert fresh(game).phase_name == "stock_orders"
    assert fresh(game).load_position().state.bids[0] == 7


def test_a_closing_that_kills_its_process_five_times_is_not_tried_again() -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(attempts=5)
    held = clock_runs_out(game)
    assert (held.status, held.phase_serial) == (Status.HELD, game.phase_serial)


def test_success_forgets_earlier_attempts() -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(attempts=4)
    assert clock_runs_out(game).attempts == 0


@pytest.mark.parametrize(
    ("length", "words"),
    [
        ({"seconds": 45}, "45 seconds"),
        ({"seconds": 61}, "1 minute"),
        ({"minutes": 90}, "90 minutes"),
        ({"hours": 30}, "30 hours"),
    ],
)
def test_lengths_read_like_words(length: dict[str, Any], words: str) -> None:
    assert rounded_words(timedelta(**length)) == words


def test_live_results_in_which_nothing_happened_take_no_time() -> None:
    """They are entered and left in the step that led to them; the log leads to the same position again."""
    game = new_game("ada", "bob", pace="live")
    rows = []
    while fresh(game).turn < 2:
        rows.append(fresh(game).phase_name)
        clock_runs_out(game)
    entries = game.log.exclude(opened_serial=None).order_by("number")
    entered = [entry.phase_name for entry in entries if entry.kind == Kind.CLOSE]
    assert [name for name in entered if name not in rows] == ["production", "capital_gains", "divestment"]
    assert "stock_results" in rows
    assert all(check.is_equal for check in replay.replay_game(game=fresh(game)))


def test_the_first_company_vote_of_a_live_turn_has_the_time_of_its_sheet() -> None:
    """The sheet asks for all companies: 80 seconds; each later vote of the round has the printed 40."""
    table = Table().seats("ada", "bob", cash=500).company("ACME", treasury=400).company("BETA", treasury=400)
    table.holdings("ACME", ada=3, bob=2).holdings("BETA", ada=2, bob=1)
    game = lay(table.at("company_vote", turn=2, acting="ACME"))
    Game.objects.filter(pk=game.pk).update(pace="live")
    assert clocks.length_of(fresh(game)) == timedelta(seconds=80)
    everybody_ready(game)
    assert fresh(game).phase_name == "company_vote"
    assert clocks.length_of(fresh(game)) == timedelta(seconds=40)
    assert fresh(game).deadline_at - fresh(game).clock_since == timedelta(seconds=40)
