"""`manage.py clock`: the fallback worker, which stands in for stalled workers."""

from __future__ import annotations

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand

from game.fallback_worker import Clock


class Command(BaseCommand):
    help = (
        "Close phases, let bots act and send email while no worker does, for example while Redis is down. Needs the "
        "database alone, and runs until stopped."
    )

    def handle(self, **options: Any) -> None:
        stopped = threading.Event()
        for signal_number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signal_number, lambda *_: stopped.set())
        Clock().run(stopped)
