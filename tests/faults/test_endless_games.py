"""A game that loops and one that eats memory, on the site as it runs: the others' deadlines are met and pages are
answered."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.faults.endless import SOUND
from tests.faults.judging import verdict
from tests.faults.judging import watch as watch_closings
from tests.homes import fresh_database
from tests.servers import PATIENCE, ROOT, EmbeddedSite, end

SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "tests.faults.endless_settings",
    "RULES_MEGABYTES": "100",
    "RETRY_SECONDS": "1,1,1,1",
    "NEWCOMER_TABLES": "1000",
}
QUESTION = "SELECT name, status, attempts, phase_serial, entries, held_reason FROM game_game"
CLOSED_AND_HELD = """
    SELECT (SELECT max(moved_at) FROM game_game WHERE name LIKE 'sound%'),
           (SELECT max(at) FROM game_loggedaction JOIN game_game ON game_game.id = game_id WHERE status = 'held')
"""  # when the last sound game went on, and when the last of the others was held
Read = Callable[[], dict[str, Any]]


def set_up(environment: dict[str, str]) -> None:
    watch_closings(environment)
    subprocess.run([sys.executable, "-m", "tests.faults.endless"], cwd=ROOT, env=environment, check=True)


def watch(read: Read, *, until: Callable[[dict[str, Any]], bool], seconds: float = 400) -> dict[str, Any]:
    """The games as they are when that is so."""
    latest = time.monotonic() + seconds
    while not until(games := read()):
        assert time.monotonic() < latest, games
        time.sleep(0.1)
    return games


def have_closed(games: dict[str, Any]) -> bool:
    """Whether every sound game has gone on."""
    return all(games[f"sound {number}"][2] > 1 for number in range(SOUND))


def are_held(games: dict[str, Any]) -> bool:
    return games["loops"][0] == games["eats"][0] == "held"


def assert_nothing_else_is_wrong(environment: dict[str, str], said: str) -> None:
    """The two that do not end are known by their attempts, and by nothing else."""
    assert [told.split(": ")[1] for told in verdict(environment, said)] == ["5 attempts at it failed"] * 2


def assert_held_whole(games: dict[str, Any]) -> None:
    """Five attempts, a reason, and of the game nothing but the note that it is held."""
    for name, reason in (("loops", "seconds"), ("eats", "MB of memory")):
        _, attempts, serial, entries, held_reason = games[name]
        assert (attempts, serial, entries) == (5, 1, 2), name
        assert reason in held_reason


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[EmbeddedSite]:
    site = EmbeddedSite(tmp_path, **SETTINGS, RULES_SECONDS="2.5").start()
    yield site
    site.stop()


@pytest.mark.trial
def test_the_embedded_site_goes_on_beside_games_that_do_not_end(embedded: EmbeddedSite) -> None:
    set_up(embedded.environment)

    def read() -> dict[str, Any]:
        with contextlib.closing(sqlite3.connect(embedded.home / "sectors.sqlite3", timeout=PATIENCE)) as rows:
            return {name: rest for name, *rest in rows.execute(QUESTION)}

    watch(read, until=lambda games: games["loops"][1] > 0)
    # Reads and writes of other people: a page, and a sign-in, which stores a session.
    assert status_of(f"{embedded.address}/games/") == status_of(embedded.sign_in) == 200
    watch(read, until=have_closed)
    assert_held_whole(watch(read, until=are_held))
    with contextlib.closing(sqlite3.connect(embedded.home / "sectors.sqlite3", timeout=PATIENCE)) as rows:
        [(closed, held)] = rows.execute(CLOSED_AND_HELD)
    assert closed < held, "they waited for all attempts of the others"
    assert status_of(f"{embedded.address}/games/") == 200
    assert_nothing_else_is_wrong(embedded.environment, embedded.words)


def status_of(address: str) -> int:
    with urllib.request.urlopen(address, timeout=PATIENCE) as page:
        return page.status


@pytest.fixture
def service(tmp_path: Path, postgres_url: str, redis_url: str) -> Iterator[dict[str, str]]:
    """A beat and two workers on a database of their own; their environment."""
    environment = SETTINGS | {
        "PATH": os.environ["PATH"],
        "SECTORS_HOME": str(tmp_path),
        "DATABASE_URL": fresh_database(postgres_url, "endless"),
        "REDIS_URL": redis_url,
        "SECRET_KEY": "k" * 60,
        "RULES_SECONDS": "6",
        "TRUSTED_PROXY_COUNT": "0",
        "EMAIL_URL": "consolemail://",
    }
    celery = [sys.executable, "-m", "celery", "-A", "sectors_site"]
    commands = [[*celery, "worker", "-c", "1", "-n", f"endless{number}@here"] for number in range(2)]
    commands.append([*celery, "beat", "-s", str(tmp_path / "schedule")])
    with (tmp_path / "log").open("ab") as log:
        running = [subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log) for command in commands]
    yield environment
    for process in running:
        end(process)


@pytest.mark.trial
def test_a_second_worker_goes_on_while_the_first_is_in_a_game_that_does_not_end(service: dict[str, str]) -> None:
    def read() -> dict[str, Any]:
        with psycopg.connect(service["DATABASE_URL"]) as rows:
            return {name: rest for name, *rest in rows.execute(QUESTION)}

    wait_for_sweeps(service)
    set_up(service)
    games = watch(read, until=have_closed)
    assert games["loops"][1] <= 1, "they waited for an attempt to end"
    assert_held_whole(watch(read, until=are_held))
    assert_nothing_else_is_wrong(service, Path(service["SECTORS_HOME"], "log").read_text(encoding="utf-8"))


def wait_for_sweeps(service: dict[str, str]) -> None:
    """Until the workers take what the beat sends."""
    latest = time.monotonic() + 400
    with psycopg.connect(service["DATABASE_URL"], autocommit=True) as rows:
        while not rows.execute("SELECT 1 FROM game_heartbeat").fetchall():
            assert time.monotonic() < latest
            time.sleep(0.2)
