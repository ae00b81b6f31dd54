"""A migration is killed at many of its operations: run again it completes, and games are played. (F21)"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.judging import verdict
from tests.homes import empty_database
from tests.servers import ROOT

FEWEST = 25


def environment_of(home: Path, database: str) -> dict[str, str]:
    known = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
    environment = known | {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings"}
    return environment | ({"DATABASE_URL": database} if database else {})


def run(environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "tests.faults.migrating", *command]
    done = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.timeout(900)  # a hundred processes, one after another
@pytest.mark.parametrize(
    ("kind", "deaths_in_one"),
    [
        ("postgres", "1"),
        pytest.param("postgres", "8", marks=pytest.mark.trial),
        pytest.param("sqlite", "8", marks=pytest.mark.trial),
    ],
)
def test_a_migration_that_was_killed_completes_when_it_is_run_again(
    kind: str, deaths_in_one: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = empty_database(request.getfixturevalue("postgres_url"), "killed") if kind == "postgres" else ""
    environment = environment_of(tmp_path, database)
    killed = run(environment, "killed", deaths_in_one)
    deaths, due, left = map(int, killed.stdout.split())
    assert deaths == due > FEWEST
    assert left == 0
    done = run(environment, "finish")
    assert verdict(environment, killed.stderr + done.stderr) == []
