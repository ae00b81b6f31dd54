"""Thousands of sockets from one process: each is as little as a browser's end can be."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter

HOST = "play.example.org"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


@dataclass(frozen=True)
class Caller:
    """Who opens a socket: an address of their own, and a session where they are signed in."""

    address: str
    session: str = ""

    def asks(self, path: str) -> bytes:
        """What a browser sends through a proxy that speaks HTTPS for the site."""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {HOST}",
            f"Origin: https://{HOST}",
            "X-Forwarded-Proto: https",
            f"X-Forwarded-For: {self.address}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
            f"Sec-WebSocket-Key: {key}",
            *([f"Cookie: sessionid={self.session}"] if self.session else []),
        ]
        return "\r\n".join([*lines, "", ""]).encode()


def callers_with(sessions: Iterable[str]) -> list[Caller]:
    """One for each session, each at an address of its own."""
    return [Caller(f"198.18.{number // 250}.{number % 250 + 1}", session) for number, session in enumerate(sessions)]


class Line(asyncio.Protocol):
    """One socket. `status` is the answer to the handshake, `code` why it was closed, `heard` when texts came."""

    def __init__(self, asks: bytes) -> None:
        self.asks, self.unread = asks, b""
        self.status = self.code = 0
        self.heard: list[float] = []
        self.answered: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.lost: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @property
    def is_open(self) -> bool:
        return self.status == 101 and not self.lost.done()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.asks)

    def data_received(self, data: bytes) -> None:
        self.unread += data
        if not self.status:
            head, end, rest = self.unread.partition(b"\r\n\r\n")
            if not end:
                return
            self.status, self.unread = int(head.split(b" ", 2)[1]), rest
            self.answered.set_result(self.status)
        while self.status == 101 and len(self.unread) >= 2 and len(self.unread) >= 2 + self.unread[1]:
            length = self.unread[1]  # below 126: what the site says is short
            kind, said, self.unread = self.unread[0] & 15, self.unread[2 : 2 + length], self.unread[2 + length :]
            self._take(kind, said)

    def connection_lost(self, error: Exception | None) -> None:
        for waiting in (self.answered, self.lost):
            if not waiting.done():
                waiting.set_result(self.code)

    def _take(self, kind: int, said: bytes) -> None:
        if kind == TEXT:
            self.heard.append(perf_counter())
        elif kind == PING:
            self.transport.write(bytes([128 | PONG, 128 | len(said), 0, 0, 0, 0]) + said)
        elif kind == CLOSE:
            self.code = int.from_bytes(said[:2], "big")
            self.transport.close()


async def call(port: int, path: str, caller: Caller) -> Line:
    """A socket once the site has answered; without status where the connection was lost before."""
    made = Line(caller.asks(path))
    try:
        await asyncio.get_running_loop().create_connection(lambda: made, "127.0.0.1", port)
    except OSError:
        made.connection_lost(None)
    await made.answered
    return made


async def call_all(port: int, path: str, callers: Sequence[Caller], *, at_once: int) -> list[Line]:
    """All of them, so many under way at a time."""
    places = asyncio.Semaphore(at_once)

    async def one(caller: Caller) -> Line:
        async with places:
            return await call(port, path, caller)

    return list(await asyncio.gather(*(one(caller) for caller in callers)))


async def told(lines: Iterable[Line], act: Callable[[], Awaitable[float]], *, seconds: float = 240) -> list[float]:
    """Seconds from the moment that `act` returns until each socket hears its next text."""
    before = [(line, len(line.heard)) for line in lines]
    began = await act()
    latest = perf_counter() + seconds
    while any(len(line.heard) == count for line, count in before):
        assert perf_counter() < latest, "some were not told"
        await asyncio.sleep(0.005)
    return [line.heard[count] - began for line, count in before]


def hang_up(lines: Iterable[Line]) -> None:
    """As a network does that is gone: without a word."""
    for line in lines:
        line.transport.abort()
