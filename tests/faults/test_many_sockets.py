"""More sockets than anybody should have, and all of them at once, on the service's two web processes; thousands of them
with TEST_SIZE=full."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from tests.callers import Caller, Line, call, call_all, callers_with, hang_up, told
from tests.faults.judging import verdict
from tests.faults.sizes import size
from tests.faults.test_service import environment  # noqa: F401 - a fixture
from tests.servers import PATIENCE
from tests.service import Service, Visitor

CROWD, FLOOD = size(100, full=500), size(200, full=1000)
RESTED = 4  # people who have opened no socket yet: each attempt at a flood is made by another
MOST_OF_A_PERSON, OPENED_IN_A_MINUTE = 6, 120
SEED = f"""
from django.test import Client
from tests.crowd import sessions_of_a_crowd
from tests.tables import new_game, person
client = Client()
client.force_login(person("ada"))
game = new_game("ada", "bob", "eve", pace="daily").pk
crowd = sessions_of_a_crowd({CROWD + RESTED})
print(json.dumps({{"game": game, "ada": client.cookies["sessionid"].value, "crowd": crowd}}))
"""


@pytest.fixture(scope="module")
def service(environment: dict[str, str]) -> Iterator[Service]:  # noqa: F811 - the fixture
    service = Service(environment)
    service.start("web")
    yield service
    service.stop()


@pytest.fixture(scope="module")
def seed(service: Service) -> Any:
    return service.run(SEED)


async def answered_meanwhile(service: Service, game: int, work: Coroutine[Any, Any, list[Line]]) -> list[Line]:
    """The pages of the game are served as ever while this goes on."""
    done, statuses = threading.Event(), []

    def ask() -> None:
        while not statuses or not done.is_set():
            statuses.append(Visitor(service.port).get(f"/games/{game}/")[0])

    asking = asyncio.create_task(asyncio.to_thread(ask))
    try:
        return await work
    finally:
        done.set()
        await asking
        assert set(statuses) == {200}


def something_happens(service: Service, seed: Any) -> Callable[[], Coroutine[Any, Any, float]]:
    """Ada is ready, and everybody at the game is told."""

    async def act() -> float:
        began, game = time.perf_counter(), seed["game"]
        serial = service.ask_database(f"SELECT phase_serial FROM game_game WHERE id = {game}")
        ada = Visitor(service.port, session=seed["ada"])
        post = asyncio.to_thread(ada.post, f"/games/{game}/actions/", do="ready", serial=serial, token=f"{began}")
        assert (await post)[0] == 302
        return began

    return act


async def test_f26_all_sockets_come_back_at_once_after_a_restart(service: Service, seed: Any) -> None:
    path, crowd = f"/ws/games/{seed['game']}/", callers_with(seed["crowd"][:CROWD])
    lines = await call_all(service.port, path, crowd, at_once=100)
    assert [line.status for line in lines] == [101] * CROWD
    await asyncio.to_thread(service.stop, "web")
    await asyncio.wait_for(asyncio.gather(*(line.lost for line in lines)), PATIENCE)
    await asyncio.to_thread(service.start, "web")
    lines = await answered_meanwhile(service, seed["game"], call_all(service.port, path, crowd, at_once=CROWD))
    assert [line.status for line in lines] == [101] * CROWD
    await told(lines, something_happens(service, seed))
    hang_up(lines)


async def test_a23_a_flood_of_sockets_of_one_account_leaves_six_and_nobody_else_notices(
    service: Service, seed: Any
) -> None:
    path, other = f"/ws/games/{seed['game']}/", callers_with(seed["crowd"])[0]
    one = callers_with([seed["crowd"].pop()])[0]
    others = await call(service.port, path, other)
    flood = call_all(service.port, path, [one] * FLOOD, at_once=FLOOD)
    lines = await answered_meanwhile(service, seed["game"], flood)
    latest = time.monotonic() + PATIENCE
    while sum(line.is_open for line in lines) > MOST_OF_A_PERSON:
        assert time.monotonic() < latest
        await asyncio.sleep(0.1)
    refused = [line for line in lines if line.status == 429]
    assert len(refused) == FLOOD - OPENED_IN_A_MINUTE
    assert {line.code for line in lines if line.status == 101 and not line.is_open} == {4429}
    await asyncio.sleep(1)
    assert sum(line.is_open for line in lines) == MOST_OF_A_PERSON
    assert others.is_open
    hang_up([*lines, others])


async def test_a23_two_hundred_of_an_address_leave_thirty(service: Service, seed: Any) -> None:
    visitors = [Caller("203.0.113.9")] * 200
    lines = await call_all(service.port, f"/ws/games/{seed['game']}/", visitors, at_once=len(visitors))
    latest = time.monotonic() + PATIENCE
    while sum(line.is_open for line in lines) > 30:
        assert time.monotonic() < latest
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)
    assert sum(line.is_open for line in lines) == 30
    hang_up(lines)


def test_no_socket_of_all_these_ended_in_a_traceback_and_the_game_is_whole(service: Service) -> None:
    lines = [json.loads(line) for line in service.words.splitlines() if line.startswith('{"')]
    assert [line for line in lines if "exception" in line] == []
    assert verdict(service.environment, service.words) == []
