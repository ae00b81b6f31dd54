"""A migration is killed between two statements: run again it completes, and the games of before are read. (F21)"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.test_crash import fresh_database
from tests.servers import ROOT

# A game is played on today's tables, which then go back before the last migrations; forward again, the n-th statement
# that changes a table is the last.
PREPARE = """
from django.core.management import call_command
from tests.tables import at_phase, new_game
call_command("migrate", verbosity=0)
at_phase(new_game("ada", "bob", bots=1), "stock_orders")
call_command("migrate", "game", {before!r}, verbosity=0)
"""
MIGRATE = """
import os, signal
from django.core.management import call_command
from django.db import connection
changed = 0
def watch(execute, sql, params, many, context):
    global changed
    changed += sql.startswith(("CREATE", "ALTER", "INSERT INTO \\"django_migrations", "UPDATE"))
    if changed == {statement}:
        os.kill(os.getpid(), signal.SIGKILL)
    return execute(sql, params, many, context)
with connection.execute_wrapper(watch):
    call_command("migrate", verbosity=0)
"""
ORACLE = """
import json
from tests.faults.oracle import faults
print(json.dumps([*faults()]))
"""
BEFORE = "0023"


def run(home: Path, database: str, program: str) -> subprocess.CompletedProcess[str]:
    known = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
    environment = known | {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings"}
    environment |= {"DATABASE_URL": database} if database else {}
    line = [sys.executable, "-c", f"import django\ndjango.setup()\n{program}"]
    return subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=240)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_migration_that_was_killed_completes_when_it_is_run_again(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = fresh_database(request.getfixturevalue("postgres_url")) if kind == "postgres" else ""
    prepared = run(tmp_path, database, PREPARE.format(before=BEFORE))
    assert prepared.returncode == 0, prepared.stderr
    killed = run(tmp_path, database, MIGRATE.format(statement=5))
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    done = run(tmp_path, database, MIGRATE.format(statement=-1))
    assert done.returncode == 0, done.stderr
    oracle = run(
        tmp_path, database, "import json\nfrom tests.faults.oracle import faults\nprint(json.dumps([*faults()]))"
    )
    assert oracle.returncode == 0, oracle.stderr
    assert json.loads(oracle.stdout) == []
