"""The ASGI application: sockets, and pages on a thread pool that serves the clients' networks in turn, so that many
requests from one network do not delay those from others."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, cast

from a2wsgi import WSGIMiddleware
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.wsgi import get_wsgi_application


class Job(NamedTuple):
    """Work for a thread, and the client it is for."""

    client: str
    work: Callable[[], Any]
    done: Future[Any]

    def run(self) -> None:
        """Run it, unless it was cancelled."""
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            result = self.work()
        except BaseException as error:
            self.done.set_exception(error)
        else:
            self.done.set_result(result)


class FairExecutor(Executor):
    """A thread pool in which one client occupies at most `most` threads; `client_of` names the client from the
    work's arguments. A job that must wait holds no thread."""

    def __init__(self, threads: int, *, most: int, client_of: Callable[..., str]) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="pages")
        self._most, self._client_of = most, client_of
        self._waiting: dict[str, deque[Job]] = {}  # in the order in which clients are served
        self._under_way = Counter[str]()
        self._lock = Lock()

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        job = Job(self._client_of(*args, **kwargs), partial(work, *args, **kwargs), Future())
        with self._lock:
            self._waiting.setdefault(job.client, deque()).append(job)
        self._threads.submit(self._work)
        return job.done

    def _work(self) -> None:
        """Run jobs until none may run: a job that its client's limit held back has no thread of its own left."""
        while (job := self._take()) is not None:
            job.run()
            self._finish(job)

    def _take(self) -> Job | None:
        with self._lock:
            client = next((each for each in self._waiting if self._under_way[each] < self._most), None)
            if client is None:
                return None
            jobs = self._waiting.pop(client)
            job = jobs.popleft()
            if jobs:
                self._waiting[client] = jobs  # the client goes behind all others
            self._under_way[client] += 1
            return job

    def _finish(self, job: Job) -> None:
        with self._lock:
            self._under_way[job.client] -= 1
            if not self._under_way[job.client]:
                del self._under_way[job.client]


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sectors_site.settings")
# Our views are sync. Django's own ASGI handler gives each request a new thread, and with it a new database connection;
# a small fixed pool of threads answers in two thirds of the time and streams static files. No thread waits for a
# client: bodies are read before a thread is used, and the send queue is unlimited (0) for slow readers.
PAGE_THREADS = 6
THREADS_PER_NETWORK = 3  # threads for one network at a time
wsgi = get_wsgi_application()

# Django must be set up before these import its models.
from game.api.long_poll import Waiting  # noqa: E402
from game.api.streaming import Streams  # noqa: E402
from game.live.consumers import websocket_urlpatterns  # noqa: E402
from game.live.listeners import network_of  # noqa: E402
from sectors_site.asgi_middleware import AlwaysUtf8, OwnOrigin, WholeBodies  # noqa: E402


def on_threads(site: Any) -> WSGIMiddleware:
    """Run a WSGI application on threads that are shared out by network."""
    middleware: Any = WSGIMiddleware(site, send_queue_size=0)
    middleware.executor = FairExecutor(PAGE_THREADS, most=THREADS_PER_NETWORK, client_of=_network_of_request)
    return cast("WSGIMiddleware", middleware)


def _network_of_request(environ: Mapping[str, Any], _: object) -> str:
    return network_of(environ["asgi.scope"])


# The stubs of Django and a2wsgi spell the types of WSGI differently.
pages = WholeBodies(on_threads(wsgi))  # type: ignore[arg-type]

application = ProtocolTypeRouter(
    {
        "http": AlwaysUtf8(Streams(pages, Waiting(pages))),
        "websocket": OwnOrigin(URLRouter(websocket_urlpatterns)),
    }
)
