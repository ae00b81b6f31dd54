"""A game and a seat write the columns that have changed since they were loaded, and no other."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from game.play import moves
from game.store.game import Game, Seat
from game.store.readers import lock
from tests.tables import fresh, new_game

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def written_columns(game: Game) -> set[str]:
    with CaptureQueriesContext(connection) as asked:
        game.write_changes()
    updates = [query["sql"] for query in asked if query["sql"].startswith("UPDATE")]
    columns = {field.column for field in Game._meta.concrete_fields}
    return {name for update in updates for name in columns if f'"{name}" = ' in update.split(" WHERE ")[0]}


def test_only_what_differs_is_written_and_only_once() -> None:
    game = lock(new_game("ada", "bob").pk)
    assert game is not None
    game.name, game.pause = "Renamed", {"used": 1}
    assert written_columns(game) == {"name", "pause"}
    assert written_columns(game) == set()
    game.name = "Renamed again"
    assert written_columns(game) == {"name"}
    assert fresh(game).name == "Renamed again"


def test_what_the_same_transaction_has_written_in_the_meantime_stays() -> None:
    game = new_game("ada", "bob")
    early, late = lock(game.pk), lock(game.pk)
    assert early is not None
    assert late is not None
    early.attempts = 3
    early.write_changes()
    late.held_reason = "a reason"
    late.write_changes()
    assert (fresh(game).attempts, fresh(game).held_reason) == (3, "a reason")


def test_a_game_that_was_read_without_its_lock_is_not_written() -> None:
    game = fresh(new_game("ada", "bob"))
    game.attempts = 3
    with pytest.raises(RuntimeError, match="locked"):
        game.write_changes()
    with pytest.raises(RuntimeError, match="locked"):
        moves.transaction_of(game)
    assert fresh(game).attempts == 0


@pytest.mark.parametrize("fields", [{}, {"name": "Visitor"}])
def test_a_row_that_was_never_loaded_is_written_whole(fields: dict[str, Any]) -> None:
    seat = Seat(game=new_game("ada", "bob"), number=5, **fields)
    seat.write_changes()
    assert Seat.objects.get(pk=seat.pk).name == fields.get("name", "")
