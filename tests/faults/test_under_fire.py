"""The service while it is hurt: updated with games under way, its worker killed again and again, its connections
cut, Redis emptied; and after each the same oracle. One kill of each process stands in `test_whole_service`."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.bench.processes import family_of
from tests.faults.judging import verdict, watched_service
from tests.faults.sizes import size, tell
from tests.servers import PostgresServer, RedisServer, end, postgres_to_restart
from tests.service import Service, Visitor

GAMES = """
from secrets import token_hex
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from tests.tables import new_game, person
def seated():
    name = token_hex(4)  # one account has thirty games at most
    games = [new_game(name, "bob" + name, pace="daily") for _ in range({count})]
    ada = person(name)
    session = SessionStore()
    session[SESSION_KEY], session[HASH_SESSION_KEY] = str(ada.pk), ada.get_session_auth_hash()
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session.create()
    return [{{game.pk: game.phase_serial for game in games}}, session.session_key]
print(json.dumps([seated() for _ in range({people})]))
"""
DUE = """
from datetime import timedelta
from django.db.models.functions import Now
from game.store.game import Game
for number, key in enumerate({games}):
    Game.objects.filter(pk=key).update(deadline_at=Now() + timedelta(seconds=number * {apart}))
print("null")
"""
LOST = """
from tests.faults.oracle import tokens
print(json.dumps(tokens({names!r})))
"""
SERIALS = "SELECT count(*) FROM game_game WHERE id IN ({}) AND phase_serial > 1"
CLOSED = "SELECT count(*) FROM game_loggedaction WHERE kind = 'close' AND game_id IN ({})"
DUE_NOW = "UPDATE game_game SET deadline_at = now() WHERE id IN ({})"
TAKEN_UP = "SELECT count(*) FROM game_game WHERE id IN ({}) AND (attempts > 0 OR phase_serial > 1)"
IN_HAND = "SELECT count(*) FROM game_game WHERE id IN ({}) AND attempts > 0"
NEWER = {"DJANGO_SETTINGS_MODULE": "tests.faults.newer_settings"}
pytestmark = pytest.mark.trial


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with postgres_to_restart(durable=True) as server:
        yield server


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    server = RedisServer()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer, redis: RedisServer
) -> Iterator[Service]:
    home = tmp_path_factory.mktemp("fire")
    found = Service(watched_service(home, database=postgres.url, redis=redis.url))
    found.start("web", "deadlines", "beat", "clock")
    yield found
    found.stop()


class Player:
    """Ada, who sends bids and remembers which were acknowledged."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.forms = (f"form {number}" for number in itertools.count())
        self.acknowledged: list[str] = []

    def bid(self, service: Service, game: str, serial: int) -> int:
        """The answer's status; a refusal leaves nothing to remember."""
        token = f"{game} {self.session[:4]} {next(self.forms)}"
        fields = {"do": "submit", "serial": str(serial), "points": "7", "token": token}
        status, _ = Visitor(service.port, session=self.session).post(f"/games/{game}/actions/", **fields)
        if status == 302:
            self.acknowledged.append(token)
        return status


def sit_down(service: Service, count: int) -> tuple[dict[str, int], Player]:
    """So many games of one person, by number with the serial of their phase."""
    (seated,) = many_sit_down(service, count, people=1)
    return seated


def many_sit_down(service: Service, count: int, *, people: int) -> list[tuple[dict[str, int], Player]]:
    """So many games of each of these people."""
    seated = service.run(GAMES.format(count=count, people=people))
    return [(games, Player(session)) for games, session in seated]


def assert_whole(service: Service, *players: Player) -> None:
    """The common oracle, by the service's own version."""
    assert verdict(service.environment, service.words) == []
    assert service.run(LOST.format(names=[name for player in players for name in player.acknowledged])) == []


def wait_for(is_so: Callable[[], bool], seconds: float = 400) -> None:
    latest = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < latest
        time.sleep(0.2)


def are_closed(service: Service, games: dict[str, int]) -> bool:
    return bool(service.ask_database(SERIALS.format(",".join(games))) == len(games))


def test_the_worker_is_killed_again_and_again_while_deadlines_fall(service: Service) -> None:
    """F2, F6: what it had in hand is taken up by others, once. No clock stands in: whatever is claimed dies with it."""
    tables = many_sit_down(service, size(15, full=20), people=size(1, full=50))
    for games, player in tables:
        assert {player.bid(service, game, serial) for game, serial in games.items()} == {302}
    together = {game: serial for games, _ in tables for game, serial in games.items()}
    kills = size(3, full=200)
    service.stop("clock")
    in_hand = [worker_killed_over(service, list(together)[number::kills]) for number in range(kills)]
    service.start("clock")
    tell(f"{len(together)} games, {kills} kills, {sum(map(bool, in_hand))} of them with {sum(in_hand)} games in hand")
    assert any(in_hand), "no worker was killed at its work"
    wait_for(lambda: are_closed(service, together), seconds=size(400, full=3600))
    assert service.ask_database(CLOSED.format(",".join(together))) == len(together)
    assert_whole(service, *(player for _, player in tables))


def worker_killed_over(service: Service, games: list[str]) -> int:
    """Have these games due, kill whoever takes them up, and start another worker; how many games it died over."""
    numbers, latest = ",".join(games), time.monotonic() + 400
    with psycopg.connect(service.environment["DATABASE_URL"], autocommit=True) as database:
        database.execute(DUE_NOW.format(numbers).encode())
        while not first_of(database, TAKEN_UP.format(numbers)):
            assert time.monotonic() < latest, service.words[-3000:]
            time.sleep(0.001)
        worker = service.processes.pop("deadlines")
        for process in family_of(worker.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.number, signal.SIGKILL)
        worker.wait()
        left = first_of(database, IN_HAND.format(numbers))
    service.start("deadlines")
    return left


def first_of(database: Any, question: str) -> int:
    return int(database.execute(question.encode()).fetchone()[0])


def test_every_connection_to_the_database_is_cut_in_mid_work(service: Service) -> None:
    """F10."""
    games, player = sit_down(service, 6)
    statuses = set()
    for game, serial in games.items():
        service.ask_database("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        statuses.add(player.bid(service, game, serial))
    assert statuses <= {302, 503}
    for game, serial in games.items():
        assert player.bid(service, game, serial) in {302, 422}
    service.run(DUE.format(games=list(games), apart=0))
    service.ask_database("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    wait_for(lambda: are_closed(service, games))
    assert_whole(service, player)


def test_redis_is_emptied(service: Service, redis: RedisServer) -> None:
    """F7: sessions and games are in the database."""
    games, player = sit_down(service, 2)
    redis.tell("FLUSHALL")
    for game, serial in games.items():
        assert player.bid(service, game, serial) == 302
    service.run(DUE.format(games=list(games), apart=0))
    wait_for(lambda: are_closed(service, games))
    assert_whole(service, player)


def test_an_update_with_games_under_way(service: Service, tmp_path: Path) -> None:
    """F20, F32: old and new processes side by side over one database, then the new ones alone."""
    games, player = sit_down(service, 8)
    names = list(games)
    assert player.bid(service, names[0], games[names[0]]) == 302
    new = Service(service.environment | NEWER)
    try:
        new.start("web", "deadlines")
        assert player.bid(new, names[1], games[names[1]]) == 302
        service.run(DUE.format(games=names[:6], apart=1))
        wait_for(lambda: are_closed(service, dict.fromkeys(names[:6], 0)))
        assert pages(new, player, names) == {200}
        assert pages(service, player, names) <= {200, 503}
        assert player.bid(service, names[6], games[names[6]]) in {302, 503}
        assert end_of(service, "deadlines", "web", "beat", "clock") <= {0}
        new.start("beat", "clock")
        assert player.bid(new, names[7], games[names[7]]) == 302
        new.run(DUE.format(games=names[6:], apart=0))
        wait_for(lambda: are_closed(service, games))
        assert pages(new, player, names) == {200}
        assert service.ask_database("SELECT count(*) FROM game_game WHERE status = 'held'") == 0
        assert_whole(new, player)
    finally:
        new.stop()


def pages(service: Service, player: Player, games: list[str]) -> set[int]:
    return {Visitor(service.port, session=player.session).get(f"/games/{game}/")[0] for game in games}


def end_of(service: Service, *names: str) -> set[Any]:
    """The exit codes of processes that were asked to end."""
    return {end(service.processes.pop(name), by=signal.SIGTERM) for name in names}
