"""`manage.py clock`: what worker and beat do, with the database alone and only while they do not."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import structlog
from django.core.management.base import BaseCommand
from django.db import close_old_connections

from game import tasks
from game.services import sweep

LOOK_EVERY = 1.0  # seconds
log = structlog.get_logger(__name__)


class Command(BaseCommand):
    help = (
        "Close phases, let bots act and send email while no worker does, for example while Redis is down. Runs "
        "until stopped."
    )

    def handle(self, **options: Any) -> None:
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        clock = Clock()
        while not stopped.wait(LOOK_EVERY):
            _survive(clock.look)


class Clock:
    """Looks at what is due, and stands in for a worker that leaves it."""

    def __init__(self) -> None:
        self._seen: sweep.Waiting = frozenset()
        # A mail server that hangs must not hold up the deadlines.
        self._post = ThreadPoolExecutor(1, thread_name_prefix="post")
        self._round: Future[None] | None = None

    def look(self) -> None:
        waiting = sweep.stand_in(seen=self._seen)
        self._seen = waiting or frozenset()
        if waiting is None:
            log.warning("clock_stands_in")
            self._send_mail()

    def _send_mail(self) -> None:
        if self._round is None or self._round.done():
            self._round = self._post.submit(_survive, tasks.send_due_notices)


def _survive(work: Callable[[], object]) -> None:
    """The clock outlives every error: the database may be away as well, and comes back."""
    close_old_connections()
    try:
        work()
    except Exception:
        log.exception("clock_failed")
    finally:
        close_old_connections()
