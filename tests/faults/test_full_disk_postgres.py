"""PostgreSQL has no room left: pages are read, nothing that is sent is half kept, no deadline counts as a game's fault,
and with room again the same form is taken and what was due is closed. (F12)

A limit on the size of a process's files stands for the disk's: the table of the log has reached it. PostgreSQL's own
log is written in files of 1 MB here instead of 16, so that they are not what fails first."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.faults.judging import verdict, watched_service
from tests.faults.test_database_restarts import SETTLE, SUBMITTED
from tests.servers import PostgresServer, postgres_to_restart, wait_until
from tests.service import Service, Visitor

MEGABYTE = 1024 * 1024
ROOM = str(
    MEGABYTE + 4096
)  # bytes of a file; half a page more, so that PostgreSQL finds it written in part, as on a disk
KEEPING = ("deadlines", "beat", "clock")
LOOKS = 8  # one a second, as often as the clock looks
FILL = """
    DO $$ DECLARE number int := 1000000; BEGIN
        FOR size IN REVERSE 1..0 LOOP LOOP
            BEGIN
                INSERT INTO game_loggedaction (
                    game_id, number, version, kind, branch, serial, turn, phase_name, is_undone, events, note,
                    is_told, token, fingerprint, at
                ) SELECT id, number, 1, 'close', 0, 1, 1, '', false, repeat('x', 1 + 1500 * size), '',
                    true, '', '', now() FROM game_game WHERE name = 'fills the disk';
                number := number + 1;
            EXCEPTION WHEN disk_full THEN EXIT;
            END;
        END LOOP; END LOOP;
    END $$
"""
OTHER = """
from game.lobby import lobby
from tests.tables import person
print(lobby.create_game(host=person("cem"), name="fills the disk", seats=2).pk)
"""
DUE = "UPDATE game_game SET deadline_at = clock_timestamp() WHERE id = {}"
OPEN = "SELECT phase_serial FROM game_game WHERE id = {}"
TRIED = "SELECT attempts || ' ' || status FROM game_game WHERE id = {}"


@pytest.fixture
def postgres() -> Iterator[PostgresServer]:
    with postgres_to_restart(segment=1) as server:
        yield server


@pytest.fixture
def service(tmp_path: Path, postgres: PostgresServer, redis_url: str) -> Iterator[Service]:
    (home := tmp_path / "nospace").mkdir()
    found = Service(watched_service(home, database=postgres.url, redis=redis_url))
    found.start("web", *KEEPING)
    yield found
    found.stop()


@contextlib.contextmanager
def full(service: Service, postgres: PostgresServer) -> Iterator[None]:
    """The table of the log cannot grow. What fills it is never committed and therefore nobody's."""
    with psycopg.connect(service.environment["DATABASE_URL"]) as filling:
        limit(postgres, ROOM)
        try:
            filling.execute(FILL)
            yield
            filling.rollback()
        finally:
            limit(postgres, "unlimited")


def limit(postgres: PostgresServer, room: str) -> None:
    """For each of its processes, by its own account; those to come have the first one's."""
    first = str(postgres.process.pid)
    found = subprocess.run(["pgrep", "-P", first], capture_output=True, text=True, check=True).stdout.split()
    for process in (first, *found):
        # One of them may have ended meanwhile.
        subprocess.run(["prlimit", "--pid", process, f"--fsize={room}:"], check=process == first, **postgres.who)


@pytest.mark.trial
def test_the_disk_is_full_while_the_service_runs(service: Service, postgres: PostgresServer) -> None:
    service.run(OTHER)
    due = service.run(SETTLE)[0]
    game, serial, session = service.run(SETTLE)
    ada = Visitor(service.port, session=session)
    bid = {"do": "submit", "serial": str(serial), "points": "7", "token": "one form"}
    with full(service, postgres):
        service.ask_database(DUE.format(due))
        for _ in range(LOOKS):
            time.sleep(1)
            assert ada.get(f"/games/{game}/")[0] == 200
            assert ada.post(f"/games/{game}/actions/", **bid)[0] == 503
        assert service.ask_database(SUBMITTED.format(game)) == 0
        assert service.ask_database(OPEN.format(due)) == serial
    for _ in range(2):
        assert ada.post(f"/games/{game}/actions/", **bid)[0] == 302
    assert service.ask_database(SUBMITTED.format(game)) == 1
    wait_until(lambda: service.ask_database(OPEN.format(due)) > serial, service.processes["deadlines"])
    assert service.ask_database(TRIED.format(due)) == "0 running"
    assert "disk" in service.words or "extend file" in service.words
    assert verdict(service.environment, service.words) == []
