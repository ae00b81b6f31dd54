"""How the site listens, on one machine and as a service; `python -m sectors_site.serving` is the service's web
process."""

from __future__ import annotations

import argparse
import asyncio
import gc
import multiprocessing
import os
import signal
import sys
from pathlib import Path
from typing import Any

import uvicorn
import uvicorn._subprocess
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.supervisors import Multiprocess

from sectors_site.socket_protocol import LeanSocketProtocol

HEAD_SECONDS = 10
LONGEST_HEAD = 32_768  # bytes
LONGEST_FRAME = 1024  # bytes
# A socket that is still open is closed after so long; the browser opens another by itself.
GRACE_SECONDS = 2


class GuardedProtocol(HttpToolsProtocol):
    """Uvicorn's own, which waits for a request's head for ever and takes one of any length."""

    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect_head()

    def on_headers_complete(self) -> None:
        self._forget_head()
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_timer is None:
            return
        self._head_bytes += len(data)
        if self._head_bytes > LONGEST_HEAD:
            self.transport.write(
                b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            )
            self.transport.close()

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        del self.parser  # it holds this protocol, which has done its work

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_head()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _forget_head(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
        self._head_timer, self._head_bytes = None, 0


class Workers(Multiprocess):
    """Uvicorn's own keeps listening until its last worker has ended: connections that come in between are accepted and
    never answered, although another process would have answered them if it had stopped listening."""

    def terminate_all(self) -> None:
        for door in self.sockets:
            door.close()
        super().terminate_all()


# A process that takes longer to answer its supervisor is replaced; on a busy machine one takes longer than uvicorn's
# five seconds to begin with, and would be replaced for ever.
SLOWEST_SIGN_OF_LIFE = 120  # seconds

OPTIONS: dict[str, Any] = {
    "http": GuardedProtocol,
    "ws": LeanSocketProtocol,
    "lifespan": "off",
    "log_config": None,
    # Addresses hold the keys of reset and sign-in links.
    "access_log": False,
    "server_header": False,
    # Django and the consumers read the client's address from the headers themselves, as TRUSTED_PROXY_COUNT allows.
    "proxy_headers": False,
    # Clients must not send on a socket: it is closed when one does, and the limit keeps frames small.
    "ws_max_size": LONGEST_FRAME,
    # What we say has twenty bytes; a compressor for each socket takes more time and memory than all else of it.
    "ws_per_message_deflate": False,
    "timeout_graceful_shutdown": GRACE_SECONDS,
    "timeout_worker_healthcheck": SLOWEST_SIGN_OF_LIFE,
}


def main() -> None:
    """Serve pages and sockets as a service, until asked to stop."""
    asked = _arguments()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sectors_site.settings")
    from django.conf import settings

    where = {"uds": asked.uds} if asked.uds else {"host": asked.host, "port": asked.port}
    serve("sectors_site.asgi:application", workers=settings.WEB_PROCESSES, **where)


def serve(application: str, *, workers: int, **where: Any) -> None:
    """Serve what is named so, until asked to stop."""
    if workers == 1:
        uvicorn.run(application, **where, **OPTIONS)
        return
    if sys.platform == "linux":
        _load_for_all()
    config = uvicorn.Config(application, workers=workers, **where, **OPTIONS)
    Workers(config, sockets=[config.bind_socket()]).run()
    if config.uds:
        Path(config.uds).unlink(missing_ok=True)


def _load_for_all() -> None:
    """Load the site once, before there are workers: they start as copies, and share what they do not change. By
    default, Uvicorn loads it in each of them. No connection is open and no thread runs yet."""
    from django.urls import get_resolver

    import sectors_site.asgi  # noqa: F401

    get_resolver().reverse_dict  # noqa: B018 - every address, with its views
    uvicorn._subprocess.spawn = multiprocessing.get_context("fork")  # type: ignore[assignment]
    os.register_at_fork(after_in_child=_forget_signals)
    gc.collect()
    gc.freeze()  # what the collector never looks at stays shared


def _forget_signals() -> None:
    """Those of the parent note what is asked of it; a worker that has not got its own yet just ends."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sectors_site.serving", description="Serve pages and sockets.")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="on which port (8000)")
    parser.add_argument("--uds", default="", help="listen on this Unix socket instead")
    return parser.parse_args()


if __name__ == "__main__":
    main()
