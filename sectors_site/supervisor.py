"""Keeps processes running: one that ends is started again, and none outlives the supervisor."""

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

LONG_ENOUGH = 30  # seconds; what lived shorter is started again later each time
LONGEST_PAUSE = 30
LOOK_EVERY = 0.2
PATIENCE = 20  # seconds for ending by itself
PR_SET_PDEATHSIG = 1


@dataclass
class Kept:
    """A process that is kept running. `who` names another user as `subprocess.Popen` takes it."""

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
        """The number of its process."""
        # A session of its own: Ctrl-C reaches the supervisor alone, which ends all in their order.
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
        """Its exit code where it has just ended; the next start is then planned."""
        if self.process is None or (code := self.process.poll()) is None:
            return None
        self._end_what_it_left()
        self.process = None
        self.short_lives = 0 if time.monotonic() - self.began > LONG_ENOUGH else self.short_lives + 1
        self.starts_at = time.monotonic() + self.pause
        return code

    def _end_what_it_left(self) -> None:
        """What it started itself may still hold its port."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    @property
    def pause(self) -> float:
        """Seconds before the next start: one, and twice as long after each life that was short."""
        return float(min(2 ** max(self.short_lives - 1, 0), LONGEST_PAUSE))

    def tell(self, number: int) -> None:
        """Send it a signal; with SIGKILL also to everything it started."""
        with contextlib.suppress(ProcessLookupError):
            if self.process is None:
                return
            if number == signal.SIGKILL:
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)


class Supervisor:
    """Starts in the order they are added, and ends in the opposite one, floor by floor."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.floors: list[list[Kept]] = []
        self.is_asked_to_stop = False

    def add(self, *kept: Kept) -> None:
        """Start processes that need those of earlier calls."""
        self.floors.append(list(kept))
        for each in kept:
            self._start(each)

    def run(self) -> None:
        """Until asked to stop."""
        while not self.is_asked_to_stop:
            self.look()
            time.sleep(LOOK_EVERY)

    def look(self) -> None:
        """Start again what has ended and has paused long enough."""
        for kept in (each for floor in self.floors for each in floor):
            if (code := kept.ended()) is not None:
                self.say(f"{kept.name} ended with code {code} and starts again in {kept.pause:.0f} s.")
            if kept.process is None and time.monotonic() >= kept.starts_at:
                self._start(kept)

    def stop(self) -> None:
        """End all: what does not end by itself is killed."""
        while self.floors:
            floor = self.floors.pop()
            for kept in floor:
                kept.tell(kept.stops_by)
            latest = time.monotonic() + PATIENCE
            for kept in floor:
                _wait(kept, latest)

    def _start(self, kept: Kept) -> None:
        self.say(f"{kept.name} is process {kept.start()}.")


def _wait(kept: Kept, latest: float) -> None:
    if kept.process is None:
        return
    try:
        kept.process.wait(max(latest - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        kept.tell(signal.SIGKILL)
        kept.process.wait()


def _dies_with_parent(number: int) -> Callable[[], None] | None:
    """On Linux the system itself ends a process whose supervisor was killed."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(PR_SET_PDEATHSIG, number)
