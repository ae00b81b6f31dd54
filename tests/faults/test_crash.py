"""A process killed in the middle of a resolution leaves the old version or the new one, and nothing between."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.judging import verdict
from tests.homes import fresh_database, fresh_home
from tests.servers import ROOT


def environment_of(home: Path, database: str) -> dict[str, str]:
    environment = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    environment |= {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings", "LOG_LEVEL": "ERROR"}
    return environment | ({"DATABASE_URL": database} if database else {})


def run(home: Path, database: str, command: str) -> subprocess.CompletedProcess[str]:
    line, environment = [sys.executable, "-m", "tests.faults.crashing", command], environment_of(home, database)
    done = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=800)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_the_plug_is_pulled_at_every_statement_of_a_resolution(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = fresh_database(request.getfixturevalue("postgres_url"), "crash") if kind == "postgres" else ""
    fresh_home(tmp_path)
    run(tmp_path, database, "prepare")
    done = run(tmp_path, database, "closings")
    before, *killed, left_alone = map(json.loads, done.stdout.splitlines())
    assert before[2], "it is whole"
    assert len(killed) > 3
    for statement, found in enumerate(killed, start=1):
        assert found == [True, *before], f"killed at statement {statement}"
    died, serial, _, whole, _ = left_alone
    assert (died, whole) == (False, True)
    assert serial > before[0]
    assert verdict(environment_of(tmp_path, database), done.stderr) == []
