"""A game as it was stored before seats could act one after another: it is read, replayed, shown and played on by
today's site."""

import json
from dataclasses import replace

import pytest

from game.rulesets.registry import RULESETS
from game.store import replay
from game.store.game import Game, Status
from tests.scenes import play_on
from tests.store.stored_games import Told, restore
from tests.tables import READY, send
from tests.toy_scenes import page_of, sits, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.embedded, pytest.mark.usefixtures("judged")]
STORED = Told("sectors", 3, 2).path


@pytest.fixture
def game() -> Game:
    """Three seats at the stock orders of the first turn; the two people have sealed one order each."""
    return restore(STORED)


def test_it_holds_no_column_of_today(game: Game) -> None:
    result = json.loads(STORED.read_text(encoding="utf-8"))
    assert not {"phase_step", "earlier"} & set(result["game"])
    assert not {"step", "is_undone"} & set(result["log"][0])
    assert (game.phase_step, bytes(game.earlier)) == (0, b"")


def test_its_position_is_read_with_its_checksum(game: Game) -> None:
    position = game.load_position()
    assert (position.cursor.step, position.earlier) == (0, ())
    assert sorted(position.pending) == [0, 1]
    assert game.phase_name == "stock_orders"


def test_its_log_still_leads_to_every_stored_position(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The draws of phases that are no turns have the keys they always had; what later rules say otherwise, it has
    not met."""
    rules = RULESETS["sectors"]
    earlier = {version: words for version, words in rules.changes.items() if version <= 3}
    monkeypatch.setitem(RULESETS, "sectors", replace(rules, version=3, changes=earlier))
    checks = list(replay.replay_game(game=game))
    assert [check.serial for check in checks] == [1, 3, 3]
    assert all(check.is_equal for check in checks)


def test_its_page_shows_the_order_that_was_sealed_and_its_story(game: Game) -> None:
    text = words_of(page_of(game, sits("ada")))
    assert "Submitted" in text
    assert "Turn 1, phase " in text


def test_it_is_played_on_to_its_end_and_still_replays(game: Game) -> None:
    send(game, 0, READY)
    replay.rebuild_projections(game_id=game.pk)
    now = play_on(game)
    assert now.status == Status.FINISHED
    assert all(check.is_equal for check in replay.replay_game(game=now))
