"""Keeps processes running: restarts those that end; none outlives the supervisor."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LONG_LIFE_SECONDS = 30  # a process that ends sooner is restarted later each time
MAX_PAUSE_SECONDS = 30
POLL_SECONDS = 0.2
STOP_SECONDS = 20  # before a process is killed
PR_SET_PDEATHSIG = 1


@dataclass
class Kept:
    """A supervised process. `who` names another user, in the form that `subprocess.Popen` takes."""

    name: str
    command: Sequence[str | Path]
    environment: dict[str, str]
    folder: Path
    who: dict[str, Any] = field(default_factory=dict)
    stops_by: int = signal.SIGTERM
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
            preexec_fn=_dies_with_parent(self.stops_by),  # noqa: PLW1509 - the supervisor has one thread
            **self.who,
        )
        self.began = time.monotonic()
        return self.process.pid

    def ended(self) -> int | None:
        """The exit code if it has just ended; schedules the next start."""
        if self.process is None or (code := self.process.poll()) is None:
            return None
        self._kill_group()
        self.process = None
        self.short_lives = 0 if time.monotonic() - self.began > LONG_LIFE_SECONDS else self.short_lives + 1
        self.starts_at = time.monotonic() + self.pause
        return code

    def _kill_group(self) -> None:
        """Its children may still hold its port."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    @property
    def pause(self) -> float:
        """Seconds before the next start: one, doubled after each short life."""
        return float(min(2 ** max(self.short_lives - 1, 0), MAX_PAUSE_SECONDS))

    def tell(self, number: int) -> None:
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
        self.floors: list[list[Kept]] = []
        self.is_asked_to_stop = False

    def add(self, *processes: Kept) -> None:
        """Start a group of processes that need those of earlier calls."""
        self.floors.append(list(processes))
        for each in processes:
            self._start(each)

    def run(self) -> None:
        """Run until asked to stop."""
        while not self.is_asked_to_stop:
            self.look()
            time.sleep(POLL_SECONDS)

    def look(self) -> None:
        """Restart processes that have ended and paused long enough."""
        for process in (each for floor in self.floors for each in floor):
            if (code := process.ended()) is not None:
                self.say(f"{process.name} ended with code {code} and starts again in {process.pause:.0f} s.")
            if process.process is None and time.monotonic() >= process.starts_at:
                self._start(process)

    def stop(self) -> None:
        """Stop all; kill those that do not end by themselves."""
        while self.floors:
            floor = self.floors.pop()
            for process in floor:
                process.tell(process.stops_by)
            ends_at = time.monotonic() + STOP_SECONDS
            for process in floor:
                _wait(process, ends_at)

    def _start(self, kept: Kept) -> None:
        self.say(f"{kept.name} is process {kept.start()}.")


def _wait(process: Kept, ends_at: float) -> None:
    if process.process is None:
        return
    try:
        process.process.wait(max(ends_at - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        process.tell(signal.SIGKILL)
        process.process.wait()


def _dies_with_parent(signal_number: int) -> Callable[[], None] | None:
    """On Linux the kernel ends the process if the supervisor is killed."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(PR_SET_PDEATHSIG, signal_number)
