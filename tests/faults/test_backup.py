"""A backup taken while games are played is restored elsewhere, verified, and played on; what differs is said. (F31)"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.faults.judging import verdict
from tests.homes import empty_database, fresh_database, fresh_home
from tests.servers import ROOT

PREPARE = """
from tests.tables import at_phase, new_game, send
game = at_phase(new_game("ada", "bob", bots=2), "stock_orders")
ticker = next(iter(game.load_position().state.companies))
send(game, 0, {"kind": "market_order", "company": ticker, "side": "buy", "location": "ipo", "quantity": 2})
new_game("bob", bots=3)
"""
PLAY = """
import itertools
from game.models import Game
from tests.tables import steps_to_the_end
print("playing", flush=True)
for game in itertools.cycle(Game.objects.exclude(pk=1)):
    next(steps_to_the_end(game), None)
"""
GO_ON = """
from game.models import Game
from tests.faults import witness
from tests.tables import clock_runs_out
witness.watch()
game = Game.objects.get(pk=1)
after = clock_runs_out(game)
assert after.phase_serial > game.phase_serial
"""


class Place:
    """A site's home and database."""

    def __init__(self, home: Path, database: str, *, has_tables: bool = False) -> None:
        home.mkdir()
        if has_tables:
            fresh_home(home)
        self.home = home
        known = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
        self.environment = known | {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings"}
        if database:
            make = fresh_database if has_tables else empty_database
            self.environment["DATABASE_URL"] = make(database, f"backup_{home.name}")

    def program(self, lines: str) -> list[str]:
        return [sys.executable, "-c", f"import django\ndjango.setup()\n{lines}"]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False, timeout=240
        )

    def manage(self, *command: str) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "manage.py", *command)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_backup_of_a_busy_site_is_restored_and_played_on(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = request.getfixturevalue("postgres_url") if kind == "postgres" else ""
    here = Place(tmp_path / "here", database, has_tables=True)
    there, other = (Place(tmp_path / name, database) for name in ("there", "other"))
    prepared = here.run(*here.program(PREPARE))
    assert prepared.returncode == 0, prepared.stderr
    file = tmp_path / "sectors.backup"
    player = subprocess.Popen(here.program(PLAY), cwd=ROOT, env=here.environment, stdout=subprocess.PIPE)
    try:
        assert player.stdout is not None
        player.stdout.readline()
        written = here.manage("backup", str(file))
    finally:
        player.kill()
        player.wait()
    assert written.returncode == 0, written.stderr
    assert written.stdout.startswith("2 games in ")
    assert file.stat().st_mode & 0o077 == 0
    assert "is there already" in here.manage("backup", str(file)).stderr
    assert "into an empty one" in here.manage("restore", str(file)).stderr
    restored = there.manage("restore", str(file))
    assert restored.returncode == 0, restored.stderr
    assert restored.stdout.startswith("2 games restored; ")
    assert restored.stdout.endswith("all equal.\n")
    went_on = there.run(*there.program(GO_ON))
    assert went_on.returncode == 0, went_on.stderr
    assert verdict(there.environment, restored.stderr + went_on.stderr) == []
    refused = other.manage("restore", str(changed(file)))
    assert refused.returncode == 1
    assert "game 1 differs from what was backed up" in refused.stderr


def changed(file: Path) -> Path:
    """The same backup, noting another hash for one game."""
    with tarfile.open(file) as tar:
        parts = {name: tar.extractfile(name).read() for name in tar.getnames()}  # type: ignore[union-attr]
    noted = json.loads(parts["games.json"])
    noted["games"]["1"][3] = "0" * 64
    parts["games.json"] = json.dumps(noted).encode()
    other = file.with_name("changed.backup")
    with tarfile.open(other, "w") as tar:
        for name, content in parts.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return other


def test_what_is_no_backup_is_one_sentence(tmp_path: Path) -> None:
    place = Place(tmp_path / "home", "")
    (file := tmp_path / "no.backup").write_bytes(b"nothing of the kind")
    done = place.manage("restore", str(file))
    assert done.returncode == 1
    assert done.stderr == f"CommandError: {file} is no backup, or is damaged.\n"
