"""A process killed in the middle of a resolution leaves the old version or the new one, and nothing between."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.faults.judging import verdict
from tests.servers import ROOT

MOST_STATEMENTS = 20
KILLED = -9


def environment_of(home: Path, database: str) -> dict[str, str]:
    environment = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    environment |= {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings", "LOG_LEVEL": "ERROR"}
    return environment | ({"DATABASE_URL": database} if database else {})


def run(home: Path, database: str, *command: str) -> subprocess.CompletedProcess[str]:
    line, environment = [sys.executable, "-m", "tests.faults.crashing", *command], environment_of(home, database)
    return subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=600)


def state(home: Path, database: str) -> list[str]:
    done = run(home, database, "report")
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_the_plug_is_pulled_at_every_statement_of_a_resolution(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = fresh_database(request.getfixturevalue("postgres_url")) if kind == "postgres" else ""
    prepared = run(tmp_path, database, "prepare")
    assert prepared.returncode == 0, prepared.stderr
    old, said = state(tmp_path, database), ""
    assert old[2] == "True"
    for statement in range(1, MOST_STATEMENTS):
        done = run(tmp_path, database, "close", str(statement))
        said += done.stderr
        if done.returncode == 0:
            break
        assert done.returncode == KILLED, done.stderr
        assert state(tmp_path, database) == old, f"killed at statement {statement}"
    assert 4 < statement < MOST_STATEMENTS - 1, "it is left alone at last"
    new = state(tmp_path, database)
    assert int(new[0]) > int(old[0])
    assert new[2] == "True"
    assert verdict(environment_of(tmp_path, database), said) == []


def fresh_database(url: str) -> str:
    """A database of its own beside the tests'."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS crash WITH (FORCE)")
        connection.execute("CREATE DATABASE crash")
    return f"{url.rsplit('/', 1)[0]}/crash"
