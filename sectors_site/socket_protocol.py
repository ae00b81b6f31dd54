"""The WebSocket protocol of the web process: uvicorn's, with less memory per socket."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from sectors_site.socket_buffer import Mailbox

BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_WRITABLE = asyncio.Event()  # always set, shared by all sockets that are not blocked
_WRITABLE.set()


class LeanSocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's own keeps the handshake while the socket is open, and a queue and a lock that most sockets never need.
    It leaves closed sockets to the garbage collector, which runs too late if thousands reconnect at once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = Mailbox()  # type: ignore[assignment]
        self.writable = _WRITABLE

    def data_received(self, data: bytes) -> None:
        """Uvicorn's own waits for ever after a handshake that it cannot read, such as one with a body."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()) or BAD_REQUEST)
            self.transport.close()

    def pause_writing(self) -> None:
        """The reader is slow: give this socket an event of its own."""
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
