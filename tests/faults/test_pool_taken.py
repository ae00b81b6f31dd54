"""All connections to the database are taken by something slow: pages say so within seconds, and go on afterwards.
(F29)"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait

import psycopg
import pytest

from tests.faults.judging import verdict, watched_service
from tests.faults.test_under_fire import GAMES
from tests.servers import PATIENCE
from tests.service import Service, Visitor

SOON = 10.0  # seconds: two for a connection, the rest for a busy machine
READERS = 8
LOCKED = "LOCK TABLE accounts_user IN ACCESS EXCLUSIVE MODE"


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory, postgres_url: str, redis_url: str) -> Iterator[Service]:
    home = tmp_path_factory.mktemp("pool")
    environment = watched_service(home, database=postgres_url, redis=redis_url) | {"DATABASE_POOL": "1"}
    environment["DATABASE_URL"] += "?options=-c%20lock_timeout%3D0"  # what waits for a lock keeps its connection
    found = Service(environment)
    found.start("web")
    yield found
    found.stop()


def test_pages_say_soon_that_they_cannot_be_served(service: Service) -> None:
    """Each of the two web processes has one connection, and both wait for a table that somebody has locked."""
    [[_, session]] = service.run(GAMES.format(count=1, people=1))
    ada = Visitor(service.port, session=session)
    assert ada.get("/games/")[0] == 200
    with ThreadPoolExecutor(READERS) as pool, psycopg.connect(service.environment["DATABASE_URL"]) as locking:
        locking.execute(LOCKED)
        requests = [pool.submit(ada.get, "/games/") for _ in range(READERS)]
        done, waiting = wait(requests, SOON)
        assert len(waiting) <= 2
        assert {each.result()[0] for each in done} == {503}
        assert ada.get("/healthz")[0] == 200
        assert ada.get("/readyz")[0] == 503
        locking.rollback()
        assert {each.result(PATIENCE)[0] for each in waiting} == {200}
    assert ada.get("/games/")[0] == 200
    assert ada.get("/readyz")[0] == 200
    assert verdict(service.environment, service.words) == []
