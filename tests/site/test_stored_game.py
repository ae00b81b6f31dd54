"""A game as it was stored before seats could act one after another: it is read, replayed, shown and played on by
today's site."""

import json
from base64 import b64decode
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import DateTimeField
from django.db.models.functions import Now
from django.utils.dateparse import parse_datetime

from game.models import Game, LoggedAction, Seat, Status
from game.rulesets.registry import RULESETS
from game.services import replay
from tests.site.tables import play_on
from tests.site.toy_tables import page_of, sits, words_of
from tests.tables import READY, fresh, person, send

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
STORED = Path(__file__).parent / "stored" / "game_before_steps.json"


def row_of(model: Any, told: dict[str, Any]) -> dict[str, Any]:
    """The columns of a row that the table still has; those that were added later get their default, as in a
    migration."""
    columns = {field.attname: field for field in model._meta.concrete_fields}
    return {name: _value(columns[name], value) for name, value in told.items() if name in columns}


def _value(column: Any, value: Any) -> Any:
    if isinstance(value, dict) and set(value) == {"b64"}:
        return b64decode(value["b64"])
    return parse_datetime(value) if isinstance(column, DateTimeField) and value else value


@pytest.fixture
def game() -> Game:
    """Three seats at the stock orders of the first turn; the two people have sealed one order each."""
    told = json.loads(STORED.read_text(encoding="utf-8"))
    game = Game(**row_of(Game, told["game"]))
    secret = game.secret
    game.save()
    # The fixture of all tests has sealed it anew; and its deadline was that of the day on which it was recorded.
    Game.objects.filter(pk=game.pk).update(secret=secret, deadline_at=Now() + timedelta(hours=1))
    for seat in told["seats"]:
        user = person(seat.pop("person")) if seat["person"] else None
        Seat.objects.create(game=game, user=user, **row_of(Seat, seat))
    for entry in told["log"]:
        LoggedAction.objects.create(game=game, **row_of(LoggedAction, entry))
    return fresh(game)


def test_it_holds_no_column_of_today(game: Game) -> None:
    told = json.loads(STORED.read_text(encoding="utf-8"))
    assert not {"phase_step", "earlier"} & set(told["game"])
    assert not {"step", "is_undone"} & set(told["log"][0])
    assert (game.phase_step, bytes(game.earlier)) == (0, b"")


def test_its_position_is_read_with_its_checksum(game: Game) -> None:
    position = game.load_position()
    assert (position.cursor.step, position.earlier) == (0, ())
    assert sorted(position.pending) == [0, 1]
    assert game.phase_name == "stock_orders"


def test_its_log_still_leads_to_every_stored_position(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The draws of phases that are no turns have the keys they always had; what later rules say otherwise, it has
    not met."""
    monkeypatch.setitem(RULESETS, "sectors", replace(RULESETS["sectors"], version=3))
    checks = list(replay.replay_game(game=game))
    assert [check.serial for check in checks] == [1, 3, 3]
    assert all(check.is_equal for check in checks)


def test_its_page_shows_the_order_that_was_sealed_and_its_story(game: Game) -> None:
    shown = words_of(page_of(game, sits("ada")))
    assert "Submitted" in shown
    assert "Turn 1, phase " in shown


def test_it_is_played_on_to_its_end_and_still_replays(game: Game) -> None:
    send(game, 0, READY)
    replay.rebuild_projections(game_id=game.pk)
    now = play_on(game)
    assert now.status == Status.FINISHED
    assert all(check.is_equal for check in replay.replay_game(game=now))
