"""The Celery worker and the beat of the embedded default, as threads of the serving process."""

import threading
from typing import Any

import structlog
from celery.beat import EmbeddedService, Scheduler
from celery.worker import WorkController, state

from sectors_site.celery import app

THREADS = 2
SLOWEST_START = 60  # seconds; a machine may be busy with other things
log = structlog.get_logger(__name__)


class Background:
    """One worker and one beat; `start` returns when tasks are being taken, `stop` when the last one has ended."""

    def __init__(self) -> None:
        self._ready = threading.Event()
        self._worker = WorkController(
            app=app,
            hostname="embedded@localhost",
            pool="threads",
            concurrency=THREADS,
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
            loglevel="WARNING",
            ready_callback=lambda consumer: self._ready.set(),
        )
        self._thread = threading.Thread(target=self._work, name="worker", daemon=True)
        # The plain scheduler keeps no file: the schedule is short and missed ticks need no memory.
        self._beat: Any = EmbeddedService(app, thread=True, scheduler_cls=Scheduler)

    def start(self, *, beat: bool = True) -> None:
        state.should_stop = None
        self._thread.start()
        if not self._ready.wait(SLOWEST_START):
            raise RuntimeError(f"The worker did not start within {SLOWEST_START} seconds.")
        if beat:
            self._beat.start()

    def stop(self) -> None:
        state.should_stop = 0  # type: ignore[assignment]
        # The beat keeps running: its next tick wakes the worker, which would otherwise keep sleeping.
        self._thread.join(10)
        if self._beat.is_alive():
            self._beat.stop()
        state.should_stop = None

    def _work(self) -> None:
        self._worker.start()
        if state.should_stop is None:
            log.error("The worker ended by itself: deadlines no longer fire until the site is started again.")
