"""PostgreSQL is restarted under the running service: a plain answer soon, pages again soon after, nothing lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.faults.judging import verdict, watched_service
from tests.faults.sizes import size
from tests.servers import PATIENCE, PostgresServer, postgres_to_restart
from tests.service import Service, Visitor

ROUNDS = size(2, full=10)  # of answers while it is away
SOON = size(PATIENCE, full=5)  # seconds for an answer; the full size is for a machine that does nothing else
SETTLE = """
from tests.tables import new_game, person
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
game = new_game("ada", "bob", pace="daily")
ada = person("ada")
session = SessionStore()
session[SESSION_KEY], session[HASH_SESSION_KEY] = str(ada.pk), ada.get_session_auth_hash()
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session.create()
print(json.dumps([game.pk, game.phase_serial, session.session_key]))
"""
SUBMITTED = "SELECT count(*) FROM game_loggedaction WHERE kind = 'submit' AND game_id = {}"


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with postgres_to_restart(durable=True) as server:
        yield server


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer, redis_url: str) -> Iterator[Service]:
    home = tmp_path_factory.mktemp("restarts")
    found = Service(watched_service(home, database=postgres.url, redis=redis_url))
    found.start("web")
    yield found
    found.stop()


def test_a_restart_is_answered_soon_and_then_forgotten(service: Service, postgres: PostgresServer) -> None:
    game, serial, session = service.run(SETTLE)
    ada = Visitor(service.port, session=session)
    for _ in range(8):  # pages of every process hold a connection
        assert ada.get(f"/games/{game}/")[0] == 200
    bid = {"do": "submit", "serial": str(serial), "points": "7"}
    postgres.stop()
    for _ in range(ROUNDS):
        assert_soon(ada.get(f"/games/{game}/"), 503)
        assert_soon(ada.post(f"/games/{game}/actions/", token="one form", **bid), 503)
        assert_soon(ada.get("/healthz"), 200)
        assert_soon(ada.get("/readyz"), 503)
    postgres.start()
    back = time.monotonic()
    while (status := ada.get(f"/games/{game}/")[0]) != 200:
        assert status == 503
        assert time.monotonic() < back + PATIENCE
    assert time.monotonic() - back < SOON
    assert ada.post(f"/games/{game}/actions/", token="one form", **bid)[0] == 302
    assert service.ask_database(SUBMITTED.format(game)) == 1
    assert ada.get("/readyz")[0] == 200


def test_a_connection_that_died_while_it_was_idle_costs_nobody_a_page(
    service: Service, postgres: PostgresServer
) -> None:
    game, _, session = service.run(SETTLE)
    ada = Visitor(service.port, session=session)
    together(8, lambda: ada.get(f"/games/{game}/"))
    postgres.stop()
    postgres.start()
    assert {ada.get(f"/games/{game}/")[0] for _ in range(12)} == {200}


def test_every_game_is_whole_afterwards_and_no_log_holds_a_secret(service: Service) -> None:
    assert verdict(service.environment, service.words) == []


def assert_soon(answer: tuple[int, float], status: int) -> None:
    assert answer[0] == status
    assert answer[1] < SOON


def together(times: int, do: Any) -> None:
    threads = [threading.Thread(target=do) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
