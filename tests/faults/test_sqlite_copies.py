"""SQLite's files, copied at arbitrary moments while games are played, are a whole site each: as after a power cut.
(F13)"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from tests.faults.judging import verdict
from tests.homes import fresh_home
from tests.servers import ROOT

PLAY = """
import itertools
from game.store.game import Game
from tests.faults import witness
from tests.tables import new_game, steps_to_the_end
witness.watch()
new_game("ada", bots=3), new_game("bob", bots=2)
print("playing", flush=True)
for game in itertools.cycle(Game.objects.all()):
    next(steps_to_the_end(game), None)
"""
COPIES, PAUSE = 4, 0.35


def environment(home: Path) -> dict[str, str]:
    known = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
    return known | {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings"}


def copy(home: Path, there: Path) -> None:
    """What a crash would leave: the log first, so that it is never newer than the file it belongs to."""
    there.mkdir()
    for name in ("sectors.sqlite3", "sectors.sqlite3-wal"):
        shutil.copyfile(home / name, there / name)
    shutil.copyfile(home / "secret_key", there / "secret_key")


def test_any_copy_of_the_files_is_a_whole_site(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fresh_home(home)
    program = [sys.executable, "-c", f"import django\ndjango.setup()\n{PLAY}"]
    player_said = tmp_path / "log"
    with player_said.open("wb") as log:
        player = subprocess.Popen(program, cwd=ROOT, env=environment(home), stdout=subprocess.PIPE, stderr=log)
    try:
        assert player.stdout is not None
        player.stdout.readline()
        for number in range(COPIES):
            time.sleep(PAUSE)
            # Held, and not stopped between two writes of its own choosing: wherever it is, is where the power went.
            player.send_signal(signal.SIGSTOP)
            copy(home, tmp_path / f"copy{number}")
            player.send_signal(signal.SIGCONT)
    finally:
        player.kill()
        player.wait()
    for number in range(COPIES):
        with closing(sqlite3.connect(tmp_path / f"copy{number}" / "sectors.sqlite3")) as rows:
            assert rows.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    for number in (0, COPIES - 1):
        assert verdict(environment(tmp_path / f"copy{number}"), player_said.read_text()) == []
