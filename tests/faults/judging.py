"""The end of a test of faults: the oracle, asked by a process with the settings of the site that was hurt."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path

from tests.faults.canaries import words_of
from tests.faults.sizes import size
from tests.servers import ROOT
from tests.service import new_service


def watched_service(home: Path, *, database: str, redis: str) -> dict[str, str]:
    """The settings of a new service whose database notes when deadlines are kept."""
    environment = new_service(home, database=database, redis=redis)
    watch(environment)
    return environment


def watch(environment: dict[str, str]) -> None:
    """Have the database of this site note from now on when deadlines are kept."""
    subprocess.run([sys.executable, "-m", "tests.faults.witness"], cwd=ROOT, env=environment, check=True)


def verdict(environment: dict[str, str], said: str, mails: Sequence[EmailMessage] = ()) -> list[str]:
    """What the oracle finds of a site whose processes have `said` this and sent these `mails`."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.oracle", "said"],
        cwd=ROOT,
        env=environment,
        input=said + words_of(mails),
        capture_output=True,
        text=True,
        check=False,
        timeout=size(240, full=3600),
    )
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout)
    return found
