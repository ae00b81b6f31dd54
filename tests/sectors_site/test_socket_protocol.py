"""What the web process keeps of a socket, while it is open and when it is closed."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from websockets.http11 import Request
from websockets.server import ServerProtocol

from sectors_site.serving import OPTIONS, GuardedProtocol
from tests.callers import Caller, call_all, hang_up
from tests.servers import free_port

SCOPES: list[dict[str, Any]] = []
LONG, TIMES = "x" * 1_000_000, 32  # more than the buffers of both ends take
LONGEST = 60.0  # seconds


async def _consumer(scope: Any, receive: Any, send: Any) -> None:
    """Keeps its scope until the socket is closed, as Channels' consumers do."""
    SCOPES.append(scope)
    assert (b"host", b"play.example.org") in scope["headers"]
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass
    SCOPES.remove(scope)


async def _talker(scope: Any, receive: Any, send: Any) -> None:
    """Says much to whoever asks for it, and one word to others."""
    said = [LONG] * TIMES if scope["path"] == "/much" else ["word"]
    await receive()
    await send({"type": "websocket.accept"})
    for text in said:
        await send({"type": "websocket.send", "text": text})
    SCOPES.append(scope)
    await receive()
    SCOPES.remove(scope)


@asynccontextmanager
async def _site(consumer: Any = _consumer) -> AsyncIterator[int]:
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(consumer, port=port, **OPTIONS))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield port
    server.should_exit = True
    await serving


def _alive(kind: type) -> list[Any]:
    return [each for each in gc.get_objects() if type(each) is kind]


async def _open_and_lose(count: int) -> tuple[list[int], int]:
    """How much each open socket keeps of its handshake, and how many requests are still read. It returns when nothing
    is left of those that were lost."""
    async with _site() as port:
        lines = await call_all(port, "/", [Caller("198.18.0.1")] * count, at_once=count)
        assert all(line.is_open for line in lines)
        rows = [len(each) for each in (*SCOPES, *(request.headers for request in _alive(Request)))]
        reading = len(_alive(GuardedProtocol))
        hang_up(lines)
        async with asyncio.timeout(LONGEST):
            while SCOPES or _alive(ServerProtocol):
                await asyncio.sleep(0.01)
        return rows, reading


def test_a_socket_keeps_nothing_of_its_handshake_and_leaves_nothing_behind() -> None:
    gc.collect()
    gc.disable()  # what is lost must go without it
    try:
        kept, reading = asyncio.run(_open_and_lose(20))
    finally:
        gc.enable()
    assert kept == [0] * 40
    assert reading == 0


async def test_whoever_reads_slowly_holds_up_nobody_else() -> None:
    async with _site(_talker) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(Caller("198.18.0.1").asks("/much"))
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(0.3)
        assert not SCOPES, "All was said, though nobody has read it."
        async with asyncio.timeout(LONGEST):
            lines = await call_all(port, "/", [Caller("198.18.0.2")], at_once=1)
            while not lines[0].heard:
                await asyncio.sleep(0.01)
            framed = len(LONG) + 10
            assert (await reader.readexactly(TIMES * framed)).count(b"x") == TIMES * len(LONG)
        hang_up(lines)
        writer.close()
