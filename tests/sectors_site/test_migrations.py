"""A database of the release before the migrations were made one is taken over: its games are replayed and played on."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import zstandard

from tests.servers import ROOT

BEFORE = ROOT / "tests" / "data" / "before_the_squash.sql.zst"
GAMES = 3  # Sectors with a sealed order and Sectors that has ended, Power Up that has begun
PLAY_ON = """
import django
django.setup()
from game.store.game import Game
from tests.tables import clock_runs_out
game = Game.objects.get(ruleset="sectors", status="running")
assert clock_runs_out(game).phase_serial > game.phase_serial
"""


def test_a_database_of_the_release_before_needs_no_migration_and_keeps_its_games(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "sectors.sqlite3")) as database:
        database.executescript(zstandard.decompress(BEFORE.read_bytes()).decode())
    known = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
    environment = known | {"SECTORS_HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "sectors_site.settings"}

    def run(*command: str) -> str:
        line = [sys.executable, *command]
        done = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "No migrations to apply" in run("manage.py", "migrate", "game", "0001_squashed_0014_stand_ins")
    run("manage.py", "migrate", "-v0")
    replays = [run("manage.py", "replay_game", str(number)) for number in range(1, GAMES + 1)]
    assert all("equal" in replay or "today's rules" in replay for replay in replays), "newer rules compare nothing"
    assert any("equal" in replay for replay in replays)
    run("-c", PLAY_ON)
