"""A database that is busy, full or away: a plain page that says so, nothing half done, and the site goes on
afterwards."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.db.models.functions import Now
from django.test import Client

from game.models import Game
from game.services import sweep
from tests.tables import everything, fresh, new_game, person, sweep_again

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded]
TROUBLES = [
    OperationalError("database or disk is full"),
    OperationalError("database is locked"),
    InterfaceError("connection already closed"),
]


@contextlib.contextmanager
def failing(trouble: Exception, *, from_statement: int) -> Iterator[None]:
    """The database answers so many statements and then nothing any more."""
    asked = 0

    def fail(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked >= from_statement:
            raise trouble
        return execute(sql, params, many, context)

    with connection.execute_wrapper(fail):
        yield


@pytest.fixture
def game() -> Game:
    return new_game("ada", "bob")


@pytest.fixture
def ada() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(person("ada"))
    return client


@pytest.mark.parametrize("trouble", TROUBLES, ids=str)
@pytest.mark.parametrize("where", ["/", "/games/", "/games/{}/", "/games/{}/version/", "/accounts/login/"])
def test_pages_say_that_the_database_does_not_answer(ada: Client, game: Game, trouble: Exception, where: str) -> None:
    with failing(trouble, from_statement=1):
        answer = ada.get(where.format(game.pk))
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "Earlier submissions are safe" in answer.content.decode()
    assert ada.get(f"/games/{game.pk}/").status_code == 200


@pytest.mark.parametrize("trouble", TROUBLES, ids=str)
def test_a_visitor_still_sees_the_front_page(trouble: Exception) -> None:
    with failing(trouble, from_statement=1):
        answer = Client().get("/")
    assert answer.status_code == 200
    assert "A game among bots" in answer.content.decode()


def test_a_submission_is_taken_whole_or_not_at_all_whichever_statement_fails(ada: Client, game: Game) -> None:
    bid = {"do": "submit", "serial": str(game.phase_serial), "points": "7"}
    before, taken, statement = everything(game), False, 0
    while not taken:
        statement += 1
        with failing(OperationalError("database or disk is full"), from_statement=statement):
            answer = ada.post(f"/games/{game.pk}/actions/", {**bid, "token": "one form"})
        taken = fresh(game).seat_states[0] == "submitted"
        assert answer.status_code == 503
        assert taken or everything(game) == before
    assert statement > 5
    # The person sends the same form again: once is enough, and it is answered as if all had gone well.
    assert ada.post(f"/games/{game.pk}/actions/", {**bid, "token": "one form"}).status_code == 302
    assert fresh(game).entries == game.entries + 1


@pytest.mark.parametrize("statement", [1, 3, 6, 9])
def test_a_sweep_that_fails_is_made_good_by_the_next(game: Game, statement: int) -> None:
    Game.objects.filter(pk=game.pk).update(deadline_at=Now())
    with failing(OperationalError("database is locked"), from_statement=statement), pytest.raises(OperationalError):
        sweep.sweep()
    assert fresh(game).phase_serial == game.phase_serial
    sweep_again()
    assert fresh(game).phase_serial > game.phase_serial
    assert fresh(game).attempts == 0
