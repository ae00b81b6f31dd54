"""A start without room to store anything ends in one sentence, wherever the room ends. (F12)"""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

from tests.servers import PATIENCE, ROOT, EmbeddedSite

ROOM = [4_096, 600_000]  # bytes that a file may have: enough for the key, and for the database but not for all of it


@pytest.mark.parametrize("room", ROOM)
def test_the_disk_is_full_when_the_site_starts(room: int, tmp_path: Path) -> None:
    site = EmbeddedSite(tmp_path)
    done = subprocess.run(
        site.command,
        cwd=ROOT,
        env=site.environment | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE * 3,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert (
        done.stderr.strip().splitlines()[-1].startswith(f"The site cannot store its files in {tmp_path}: the disk is")
    )
    # Nothing that was begun stands in the way of the next start.
    again = EmbeddedSite(tmp_path).start()
    assert again.stop() == 0
