"""The processes of a service: their table, used by `./dev service`, the files in `deploy/` and the operations page; how
they use memory; and the supervisor, which restarts those that end and outlives none."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WEB_PORT = 8000
SECOND_WEB_PORT = 8001  # port of the second web process, during restarts of the first
CELERY = "-m celery -A sectors_site -q"
# The plain scheduler keeps no file: the schedule is short, and missed ticks need no memory.
BEAT = "beat -S celery.beat:Scheduler"
TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8  # as in <malloc.h>
MMAP_BYTES = 128 * 1024  # glibc's initial value, which it raises after the first large page unless it is set
GC_THRESHOLD = 10_000  # net allocations; Python's default of 700 triggers hundreds of times during a start
LONG_LIFE_SECONDS = 30  # a process that ends sooner is restarted later each time
MAX_PAUSE_SECONDS = 30
POLL_SECONDS = 0.2
STOP_SECONDS = 20  # seconds before a process is killed
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Process:
    """One kind of process; each may run several times. `arguments` are Python's, in the folder of the checkout."""

    name: str
    arguments: str
    description: str

    @property
    def command(self) -> str:
        """The command as one types it in a shell."""
        return f"python {self.arguments}"


def own_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def web_processes(cores: int) -> int:
    """The default number of web processes: one per core; at least two, because one serves while the other is replaced;
    at most four, because each may open a full pool of PostgreSQL connections."""
    return min(max(cores, 2), 4)


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


def collect_less_often() -> None:
    """Collect reference cycles less often than Python's default, because almost nothing imported is garbage; and not at
    exit, when the OS frees everything."""
    gc.set_threshold(GC_THRESHOLD)
    atexit.register(gc.freeze)


def return_freed_memory() -> bool:
    """Use one heap instead of one per thread, without large blocks. Python requests only blocks above 512 bytes from
    it, one thread at a time, so nobody waits. True if done: only on Linux with glibc, and not if the operator has set
    `MALLOC_ARENA_MAX`."""
    if sys.platform != "linux" or "MALLOC_ARENA_MAX" in os.environ:
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    options = ((ARENA_MAX, 1), (MMAP_THRESHOLD, MMAP_BYTES), (TRIM_THRESHOLD, MMAP_BYTES))
    return {mallopt(name, value) for name, value in options} == {1}


@dataclass
class SupervisedProcess:
    """A supervised process. `user` names another user, in the form that `subprocess.Popen` takes."""

    name: str
    command: Sequence[str | Path]
    environment: dict[str, str]
    folder: Path
    user: dict[str, Any] = field(default_factory=dict)
    stop_signal: int = signal.SIGTERM
    process: subprocess.Popen[bytes] | None = None
    starts_at: float = 0.0
    began: float = 0.0
    short_lives: int = 0

    def start(self) -> int:
        """Returns the process id."""
        # A session of its own: Ctrl-C reaches only the supervisor, which stops all in order.
        self.process = subprocess.Popen(  # noqa: S603 - of our own words
            self.command,
            cwd=self.folder,
            env=self.environment,
            start_new_session=True,
            preexec_fn=_end_with_parent(self.stop_signal),  # noqa: PLW1509 - the supervisor has one thread
            **self.user,
        )
        self.began = time.monotonic()
        return self.process.pid

    def poll(self) -> int | None:
        """The exit code if it has just ended; schedules the next start."""
        if self.process is None or (code := self.process.poll()) is None:
            return None
        self._kill_group()
        self.process = None
        self.short_lives = 0 if time.monotonic() - self.began > LONG_LIFE_SECONDS else self.short_lives + 1
        self.starts_at = time.monotonic() + self.pause
        return code

    def _kill_group(self) -> None:
        """Kill the process group: its children may still hold its port."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    @property
    def pause(self) -> float:
        """Seconds before the next start: one, doubled after each short life."""
        return float(min(2 ** max(self.short_lives - 1, 0), MAX_PAUSE_SECONDS))

    def send_signal(self, number: int) -> None:
        """Send a signal; SIGKILL also reaches all its children."""
        with contextlib.suppress(ProcessLookupError):
            if self.process is None:
                return
            if number == signal.SIGKILL:
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)


class Supervisor:
    """Starts groups in order and stops them in reverse."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.groups: list[list[SupervisedProcess]] = []
        self.should_stop = False

    def add(self, *processes: SupervisedProcess) -> None:
        """Start a group of processes that need those of earlier calls."""
        self.groups.append(list(processes))
        for each in processes:
            self._start(each)

    def run(self) -> None:
        """Run until asked to stop."""
        while not self.should_stop:
            self.restart_ended()
            time.sleep(POLL_SECONDS)

    def restart_ended(self) -> None:
        """Restart processes that have ended and paused long enough."""
        for process in (each for group in self.groups for each in group):
            if (code := process.poll()) is not None:
                self.say(f"{process.name} ended with code {code} and starts again in {process.pause:.0f} s.")
            if process.process is None and time.monotonic() >= process.starts_at:
                self._start(process)

    def stop(self) -> None:
        """Stop all; kill those that do not end by themselves."""
        while self.groups:
            group = self.groups.pop()
            for process in group:
                process.send_signal(process.stop_signal)
            ends_at = time.monotonic() + STOP_SECONDS
            for process in group:
                _wait(process, ends_at)

    def _start(self, process: SupervisedProcess) -> None:
        self.say(f"{process.name} is process {process.start()}.")


def _wait(process: SupervisedProcess, ends_at: float) -> None:
    if process.process is None:
        return
    try:
        process.process.wait(max(ends_at - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.process.wait()


def _end_with_parent(signal_number: int) -> Callable[[], None] | None:
    """On Linux the kernel ends the process if the supervisor is killed."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(PR_SET_PDEATHSIG, signal_number)
