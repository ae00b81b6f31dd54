"""The fallback worker: a heartbeat every few seconds, and the work of stalled workers, using only the database."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import datetime

import structlog
from django.db import close_old_connections

from game import tasks
from game.play import leases
from game.store import heartbeats
from game.store.heartbeats import Job

LOOK_EVERY = 1.0  # seconds
log = structlog.get_logger("game.clock")


class FallbackJob:
    """Does one kind of work when no worker has done it for some seconds, or something is `overdue`, until a worker does
    it again. Deadlines have a second thread, because a game that takes long holds up the first."""

    def __init__(
        self,
        job: Job,
        work: Callable[[], object],
        *,
        threads: int = 1,
        overdue: Callable[[], bool] = lambda: False,
    ) -> None:
        self.job, self.work, self.threads, self.overdue = job, work, threads, overdue
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=job.value)
        self._rounds: list[Future[None]] = []
        self._own: datetime | None = None

    def look(self, began: float = -math.inf) -> None:
        """Begin a round, unless others do the work or enough rounds are running. A worker that could not report yet
        since the clock `began` does not count as stopped, because workers start together with it."""
        self._rounds = [task for task in self._rounds if not task.done()]
        is_ours = not self._rounds and self._own is not None and heartbeats.last_beat(self.job) == self._own
        if len(self._rounds) == self.threads:
            return
        could_beat = time.monotonic() - began >= heartbeats.RESTS_AFTER[self.job].total_seconds()
        if is_ours or (could_beat and heartbeats.is_stalled(self.job)):
            log.warning("clock_stands_in", work=self.job.value)
        elif not self.overdue():
            return
        self._rounds.append(self._pool.submit(survive, self._round))

    def wait(self) -> None:
        """Wait until the running rounds have ended."""
        wait(self._rounds)

    def stop(self) -> None:
        self._pool.shutdown()

    def _round(self) -> None:
        self.work()
        self._own = heartbeats.last_beat(self.job)


class Clock:
    """Checks once a second whether work has stalled, even while its own rounds are running."""

    def __init__(self) -> None:
        self.stand_ins = [
            FallbackJob(Job.DEADLINES, tasks.sweep, threads=2, overdue=leases.is_any_overdue),
            FallbackJob(Job.BOTS, tasks.play_forgotten_bots),
            FallbackJob(Job.MAIL, tasks.send_due_notices),
            FallbackJob(Job.HOOKS, tasks.send_due_hooks),
            FallbackJob(Job.PUSH, tasks.send_due_pushes),
        ]

    def run(self, stopped: threading.Event) -> None:
        """Check until stopped; then let the running rounds end."""
        began = time.monotonic()
        while not stopped.wait(LOOK_EVERY):
            survive(lambda: self.look(began))
        for stand_in in self.stand_ins:
            stand_in.stop()

    def look(self, began: float = -math.inf) -> None:
        if heartbeats.is_stalled(Job.CLOCK):
            heartbeats.beat(Job.CLOCK)
        for stand_in in self.stand_ins:
            stand_in.look(began)


def survive(work: Callable[[], object]) -> None:
    """Log every error and go on: the database may be down too, and comes back."""
    close_old_connections()
    try:
        work()
    except Exception:
        log.exception("clock_failed")
    finally:
        close_old_connections()
