"""What the web process keeps of a socket, while it is open and when it is closed."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from websockets.server import ServerProtocol

from sectors_site.serving import OPTIONS
from tests.callers import Caller, call_all, hang_up
from tests.servers import free_port

SCOPES: list[dict[str, Any]] = []


async def _consumer(scope: Any, receive: Any, send: Any) -> None:
    """Keeps its scope, as Channels' consumers do, until the socket is closed."""
    SCOPES.append(scope)
    assert (b"host", b"play.example.org") in scope["headers"]
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass
    SCOPES.remove(scope)


@asynccontextmanager
async def _site() -> AsyncIterator[int]:
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(_consumer, port=port, **OPTIONS))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield port
    server.should_exit = True
    await serving


async def _open_and_lose(count: int) -> tuple[list[int], int]:
    """How many lines of the handshake each open socket keeps, and how many sockets are left of those that were lost,
    though nobody looked for circles of garbage."""
    async with _site() as port:
        lines = await call_all(port, "/", [Caller("198.18.0.1")] * count, at_once=count)
        assert all(line.is_open for line in lines)
        kept = [len(scope["headers"]) for scope in SCOPES]
        hang_up(lines)
        while SCOPES:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        return kept, sum(type(each) is ServerProtocol for each in gc.get_objects())


def test_a_socket_keeps_nothing_of_its_handshake_and_leaves_nothing_behind() -> None:
    gc.collect()
    gc.disable()
    try:
        kept, left = asyncio.run(_open_and_lose(20))
    finally:
        gc.enable()
    assert kept == [0] * 20
    assert left == 0
