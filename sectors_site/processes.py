"""The processes of a service, in one table: used by `./dev service`, the files in `deploy/` and the operations page."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

WEB_PORT = 8000
BESIDE_PORT = 8001  # of the second web process, during restarts of the first
CELERY = "-m celery -A sectors_site -q"


@dataclass(frozen=True)
class Process:
    """One kind of process; each may run several times. `arguments` are Python's, in the folder of the checkout."""

    name: str
    arguments: str
    does: str

    @property
    def command(self) -> str:
        """As typed in a shell."""
        return f"python {self.arguments}"


def own_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def web_processes(cores: int) -> int:
    """The default number of web processes: one per core; at least two, because one serves while the other is replaced;
    at most four, because each may open a full pool of PostgreSQL connections."""
    return min(max(cores, 2), 4)


# The plain scheduler keeps no file: the schedule is short, and missed ticks need no memory.
BEAT = "beat -S celery.beat:Scheduler"
PROCESSES = (
    Process(
        "web",
        f"-m sectors_site.serving --port {WEB_PORT}",
        "pages by a pool of threads, and sockets under `/ws/`",
    ),
    Process("deadlines", f"{CELERY} worker -Q deadlines -n deadlines@%h", "closes phases"),
    Process("bots", f"{CELERY} worker -Q bots -n bots@%h", "lets bots act"),
    Process("mail", f"{CELERY} worker -Q mail -c 1 -n mail@%h", "sends email, and archives finished games"),
    # More threads than concurrent rounds of webhooks and pushes (`game.tasks`).
    Process("hooks", f"{CELERY} worker -Q hooks -P threads -c 8 -n hooks@%h", "posts to webhooks and to browsers"),
    Process("beat", f"{CELERY} {BEAT}", "starts the tasks of the four workers"),
    Process(
        "clock",
        "manage.py clock",
        "needs PostgreSQL alone; does the work of each worker that has not done it for some seconds",
    ),
)
