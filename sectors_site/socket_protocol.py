"""How the web process speaks on a socket: uvicorn's own protocol, without what it keeps of each socket needlessly."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class LeanSocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's own keeps the handshake as long as the socket is open, and leaves a closed one to the garbage
    collector. That runs too late: when thousands of sockets come back at once, the closed ones are still in memory."""

    def start_keepalive(self) -> None:
        """The handshake is over, and its headers have been read."""
        super().start_keepalive()
        del self.request, self.response
        self.scope["headers"].clear()  # type: ignore[attr-defined]  # uvicorn makes a list, which all share

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # it holds the connection that holds it
