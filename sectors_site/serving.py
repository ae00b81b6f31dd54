"""The web server, on one machine and as a service: uvicorn with limits for HTTP and less memory per socket. `python -m
sectors_site.serving` is the service's web process."""

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
from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.supervisors import Multiprocess

from sectors_site.socket_buffer import MessageBuffer

BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_WRITABLE = asyncio.Event()  # always set, shared by all sockets that are not blocked
MAX_HEAD_BYTES = 32_768
MAX_FRAME_BYTES = 1024
# Sockets still open after this are closed; browsers reconnect by themselves.
GRACE_SECONDS = 2
# Workers that do not answer the supervisor for this long are replaced; on a busy machine they need more than uvicorn's
# five seconds to start, and would be replaced for ever.
HEALTHCHECK_SECONDS = 120


_WRITABLE.set()


class LeanSocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's own keeps the handshake while the socket is open, and a queue and a lock that most sockets never need.
    It leaves closed sockets to the garbage collector, which runs too late if thousands reconnect at once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = MessageBuffer()  # type: ignore[assignment]
        self.writable = _WRITABLE

    def data_received(self, data: bytes) -> None:
        """Uvicorn's own waits for ever after a handshake that it cannot read, such as one with a body."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()) or BAD_REQUEST)
            self.transport.close()

    def pause_writing(self) -> None:
        """Give this socket an event of its own, because its reader is slow."""
        self.writable = asyncio.Event()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.writable = _WRITABLE

    def start_keepalive(self) -> None:
        """The handshake is over, and the application has read or copied its scope."""
        super().start_keepalive()
        self.request.headers.clear()  # still referenced by the parser
        self.scope.clear()  # type: ignore[attr-defined]
        del self.request, self.response

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # breaks a reference cycle


class GuardedProtocol(HttpToolsProtocol):
    """Uvicorn's protocol with limits: the stock one waits for a request's head for ever, of any length."""

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
        if self._head_bytes > MAX_HEAD_BYTES:
            self.transport.write(
                b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            )
            self.transport.close()

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        del self.parser  # breaks a reference cycle

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_head()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(settings.HEAD_SECONDS, self.transport.close)

    def _forget_head(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
        self._head_timer, self._head_bytes = None, 0


class Workers(Multiprocess):
    """Stops listening before the workers end. Uvicorn's own keeps listening until the last one has ended: connections
    accepted meanwhile are never answered, although another process would have taken them."""

    def terminate_all(self) -> None:
        for sock in self.sockets:
            sock.close()
        super().terminate_all()


OPTIONS: dict[str, Any] = {
    "http": GuardedProtocol,
    "ws": LeanSocketProtocol,
    "lifespan": "off",
    "log_config": None,
    # URLs contain the keys of reset and sign-in links.
    "access_log": False,
    "server_header": False,
    # Django and the consumers read the client's address from the headers themselves, as TRUSTED_PROXY_COUNT allows.
    "proxy_headers": False,
    # A socket is closed when the client sends on it; the limit keeps frames small.
    "ws_max_size": MAX_FRAME_BYTES,
    # Our messages have twenty bytes; a compressor per socket would cost more than the rest of the socket.
    "ws_per_message_deflate": False,
    "timeout_graceful_shutdown": GRACE_SECONDS,
    "timeout_worker_healthcheck": HEALTHCHECK_SECONDS,
}


def main() -> None:
    """Serve pages and sockets as a service, until stopped."""
    arguments = _arguments()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sectors_site.settings")
    address = {"uds": arguments.uds} if arguments.uds else {"host": arguments.host, "port": arguments.port}
    serve("sectors_site.asgi:application", workers=settings.WEB_PROCESSES, **address)


def serve(application: str, *, workers: int, **where: Any) -> None:
    """Serve an ASGI application, until stopped."""
    if workers == 1:
        uvicorn.run(application, **where, **OPTIONS)
        return
    if sys.platform == "linux":
        _preload()
    config = uvicorn.Config(application, workers=workers, **where, **OPTIONS)
    Workers(config, sockets=[config.bind_socket()]).run()
    if config.uds:
        Path(config.uds).unlink(missing_ok=True)


def _preload() -> None:
    """Load the site once before forking, so that the workers share memory; by default, Uvicorn loads it in each of
    them. No connection is open and no thread runs yet."""
    from django.urls import get_resolver

    import sectors_site.asgi  # noqa: F401

    get_resolver().reverse_dict  # noqa: B018 - loads all views
    uvicorn._subprocess.spawn = multiprocessing.get_context("fork")  # type: ignore[assignment]
    os.register_at_fork(after_in_child=_reset_signals)
    gc.collect()
    gc.freeze()  # pages that the collector never touches stay shared


def _reset_signals() -> None:
    """The parent's handlers only record signals; a worker that has not set its own yet should just end."""
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, signal.SIG_DFL)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sectors_site.serving", description="Serve pages and sockets.")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="on which port (8000)")
    parser.add_argument("--uds", default="", help="listen on this Unix socket instead")
    return parser.parse_args()


if __name__ == "__main__":
    main()
