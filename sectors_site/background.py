"""The parts of the embedded mode other than its web server: tables, static files and a demo game before the start, then
the Celery worker, the beat and the fallback worker as threads of the same process."""

import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import structlog
from celery.beat import EmbeddedService, Scheduler
from celery.worker import WorkController, state
from django.conf import settings
from django.core.management import call_command

from accounts.models import User
from game.lobby.guests import ensure_demo
from sectors_site.celery import app

THREADS = 3  # webhooks and pushes may hold two of them
RESTART_SECONDS = 1  # seconds before a worker that ended by itself is replaced
START_SECONDS = 60  # generous, for a busy machine
log = structlog.get_logger("sectors_site.background")


class Background:
    """One worker and one beat. `start` returns when the worker takes tasks, `stop` when the last task has ended."""

    def __init__(self) -> None:
        self._ready = threading.Event()
        self._worker = self._new_worker()
        self._thread = threading.Thread(target=self._work, name="worker", daemon=True)
        # The plain scheduler keeps no file: the schedule is short and missed ticks need no memory.
        self._beat: Any = EmbeddedService(app, thread=True, scheduler_cls=Scheduler)
        self._stopped = threading.Event()
        self._clock: threading.Thread | None = None

    def start(self, *, beat: bool = True) -> None:
        state.should_stop = None
        self._thread.start()
        if not self._ready.wait(START_SECONDS):
            raise RuntimeError(f"The worker did not start within {START_SECONDS} seconds.")
        if beat:
            self._beat.start()
            self._start_clock()

    def stop(self) -> None:
        self._stopped.set()
        state.should_stop = 0  # type: ignore[assignment]
        # The beat keeps running: its next tick wakes the worker, which would otherwise keep sleeping.
        self._thread.join(10)
        if self._beat.is_alive():
            self._beat.stop()
        if self._clock is not None:
            self._clock.join(10)
        state.should_stop = None

    def _start_clock(self) -> None:
        """Start the fallback worker, which closes due phases if mail or bots hold all threads of the worker."""
        from game.fallback_worker import Clock  # needs Django to be set up

        self._clock = threading.Thread(target=Clock().run, args=(self._stopped,), name="clock", daemon=True)
        self._clock.start()

    def _new_worker(self) -> WorkController:
        return WorkController(
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

    def _work(self) -> None:
        """Run until stopped: a worker that ends by itself is replaced; meanwhile the fallback worker acts."""
        while True:
            self._worker.start()
            if state.should_stop is not None or self._stopped.wait(RESTART_SECONDS):
                return
            log.error("worker_ended_by_itself")
            self._worker = self._new_worker()


def prepare(game: str) -> User:
    """Bring a private copy up to date. Returns the user of the demo game."""
    call_command("migrate", verbosity=0, interactive=False)
    collect_static()
    return ensure_demo(game)


def collect_static() -> None:
    """Collect only if a source changed: hashing and compressing all files takes longer than the rest of the start."""
    stamp = Path(settings.STATIC_ROOT) / ".sources"
    fingerprint = hashlib.sha256("\n".join(_sources()).encode()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="ascii") == fingerprint:
        return
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(fingerprint, encoding="ascii")


def _sources() -> Iterator[str]:
    yield from sorted(
        path.read_text(encoding="utf-8") for path in (settings.BASE_DIR / "requirements").glob("base.txt")
    )
    for file in sorted((settings.BASE_DIR / "static").rglob("*")):
        stat = file.stat()
        yield f"{file} {stat.st_size} {stat.st_mtime_ns}"
