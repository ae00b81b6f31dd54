"""The worker inside the embedded site dies by itself: another takes its place, without a restart of the site."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.homes import fresh_home
from tests.servers import ROOT

LIVES = """
import time
from game.store.heartbeats import Job
from game.store import heartbeats
from game.tasks import sweep
from sectors_site.background import Background

def swept_after(last, seconds=60):
    latest = time.monotonic() + seconds
    while heartbeats.last_beat(Job.DEADLINES) == last:
        sweep.delay()
        time.sleep(0.2)
        assert time.monotonic() < latest, "nobody sweeps"
    return heartbeats.last_beat(Job.DEADLINES)

background = Background()
background.start(beat=False)
first = swept_after(None)
dead = background._worker
dead.stop()
time.sleep(3)
swept_after(heartbeats.last_beat(Job.DEADLINES))
assert background._worker is not dead
background.stop()
print("goes on")
"""


def test_it_has_a_successor(tmp_path: Path) -> None:
    known = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
    environment = known | {"SECTORS_HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "sectors_site.settings"}
    fresh_home(tmp_path)
    program = [sys.executable, "-c", f"import django\ndjango.setup()\n{LIVES}"]
    done = subprocess.run(program, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=800)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("goes on\n")
    assert "worker_ended_by_itself" in done.stderr
