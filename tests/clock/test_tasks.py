"""Tasks may run twice or never: bots act, lost calls are found, notices are written once."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F

from game import tasks
from game.bots import playing
from game.clock import sweep
from game.store.game import Game, Status
from game.store.log import LoggedAction
from tests.tables import READY, fresh, new_game, send

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def test_bots_act_through_the_log_and_then_wait_for_people() -> None:
    game = new_game("ada", bots=3)
    assert game.bots_due
    tasks.play_bots(game.pk)
    after = fresh(game)
    assert after.waiting_seats == [0]
    assert not after.bots_due
    assert set(after.log.exclude(seat=None).values_list("seat", flat=True)) == {1, 2, 3}


def test_a_second_call_finds_nothing_to_do() -> None:
    game = new_game("ada", bots=3)
    tasks.play_bots(game.pk)
    before = fresh(game).entries
    tasks.play_bots(game.pk)
    assert fresh(game).entries == before


def test_the_sweep_finds_bots_whose_call_was_lost() -> None:
    game = new_game("ada", bots=3)
    Game.objects.update(moved_at=F("moved_at") + timedelta(minutes=5))
    sweep.play_forgotten_bots()
    assert fresh(game).bots_due  # a call may still be on its way
    Game.objects.update(moved_at=F("moved_at") - timedelta(minutes=10))
    tasks.play_forgotten_bots()
    assert not fresh(game).bots_due


def play_as(monkeypatch: pytest.MonkeyPatch, game: Game, bot: Any) -> None:
    """Let the game's bots do what `bot` says."""
    for key in game.rules.bots:
        monkeypatch.setitem(game.rules.bots, key, bot)  # type: ignore[arg-type]


def test_a_bot_that_breaks_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("ada", bots=1)

    def broken(*args: object) -> list[dict[str, Any]]:
        raise IndexError("a bug")

    play_as(monkeypatch, game, broken)
    playing.play_bots(game_id=game.pk)
    assert fresh(game).waiting_seats == [0]


def test_a34_what_a_bot_may_not_do_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("ada", bots=1)
    asks = [{"kind": "bid_influence", "points": 500}, {"kind": "ready"}, {"kind": "bid_influence", "points": 5}]
    play_as(monkeypatch, game, lambda *known: asks)
    playing.play_bots(game_id=game.pk)
    send(game, 0, READY)
    assert fresh(game).load_position().state.bids == {0: 0, 1: 5}


def test_bots_alone_play_a_game_to_its_end(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = new_game("ada", bots=2, max_turns=2)
    game.seats.filter(number=0).update(bot="random")
    Game.objects.filter(pk=game.pk).update(bots={"0": "random", "1": "house", "2": "house"})
    while playing.play_bots(game_id=game.pk):
        pass
    assert fresh(game).status == Status.FINISHED


def test_every_opened_decision_is_in_the_outbox_with_the_people_it_asks() -> None:
    game = new_game("ada", "bob", bots=1, pace="daily")
    (entry,) = LoggedAction.objects.filter(is_told=False)
    assert (entry.asks, entry.opened_serial) == ([0, 1], game.phase_serial)


def test_the_task_of_the_notices_empties_the_outbox() -> None:
    new_game("ada", bots=1)
    tasks.send_due_notices()
    assert not LoggedAction.objects.filter(is_told=False).exists()
