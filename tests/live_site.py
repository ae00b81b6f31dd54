"""The site inside the test's own process, so that a test may build a position and a browser may look at it at once."""

import contextlib
import threading
import time
from collections.abc import Iterator

import uvicorn
from celery.worker import state

from sectors_site.background import Background
from sectors_site.celery import app
from tests.servers import PATIENCE, accepts, free_port

TICK, FETCHES = 0.2, 0.05  # seconds between two beats at least; in which the worker takes up what was sent
REST = 5  # times as long as a beat took
BEAT_TASKS = ("game.tasks.sweep", "game.tasks.play_forgotten_bots", "game.tasks.send_due_notices")


class Worker(Background):
    """The embedded worker with its clock in the test's hand."""

    def tick(self) -> None:
        for name in BEAT_TASKS:
            app.send_task(name)

    @staticmethod
    def is_idle() -> bool:
        return not (state.active_requests or state.reserved_requests)


class LiveSite:
    """A server and a worker as threads; the clock ticks only while a test asks for it, and the worker takes up nothing
    that other tests send."""

    def __init__(self) -> None:
        port = free_port()
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        config = uvicorn.Config(
            "sectors_site.asgi:application", port=port, lifespan="off", log_config=None, timeout_graceful_shutdown=1
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, name="server", daemon=True)
        self.worker = Worker()
        self._is_ticking = False

    def start(self) -> None:
        self.thread.start()
        while not accepts(self.port):
            assert self.thread.is_alive(), "The server did not start."
            time.sleep(0.02)
        self.worker.start(beat=False)
        send = app.send_task
        app.send_task = lambda *task, **more: send(*task, **more) if self._is_ticking else None

    def stop(self) -> None:
        self.server.should_exit = True
        threading.Timer(TICK, self.worker.tick).start()  # a worker that sleeps does not see that it is to stop
        self.worker.stop()
        self.thread.join(10)

    @contextlib.contextmanager
    def ticking(self) -> Iterator[None]:
        """What the beat does in production, quicker; afterwards nothing is at work on the database any more."""
        done = threading.Event()
        ticker = threading.Thread(target=self._tick_until, args=(done,), name="ticker")
        was_ticking, self._is_ticking = self._is_ticking, True  # a story may tick within its own ticking
        ticker.start()
        try:
            yield
        finally:
            done.set()
            ticker.join()
            self._wait_until_idle()
            self._is_ticking = was_ticking

    def _tick_until(self, done: threading.Event) -> None:
        """A slower machine has fewer beats: what people do never waits behind a row of sweeps."""
        pause = TICK
        while not done.wait(pause):
            begun = time.monotonic()
            self.worker.tick()
            done.wait(FETCHES)
            while not (self.worker.is_idle() or done.wait(FETCHES)):
                continue
            pause = max(TICK, REST * (time.monotonic() - begun))

    def _wait_until_idle(self) -> None:
        """Two looks: a task just fetched is in neither list for an instant, and one that ends may have sent another."""
        quiet, latest = 0, time.monotonic() + PATIENCE
        while quiet < 2:
            assert time.monotonic() < latest, "A page is still open, or a task does not end."
            waited = app.control.purge()
            is_idle = self.worker.is_idle() and not self.server.server_state.tasks
            quiet = quiet + 1 if is_idle and not waited else 0
            time.sleep(0.05)
