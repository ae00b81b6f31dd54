"""How many sockets a person, or an address of visitors, has open: of too many the oldest give way.

Each process knows its own sockets. It tells all others which were opened and closed, many by one message, and keeps in
mind the younger ones elsewhere of those it serves itself."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import structlog
from channels.layers import get_channel_layer

from game.sockets import TOO_MANY, most_of, show_out
from game.together import PerLoop, Together

GROUP = "sockets"
MOST_AT_ONCE = 500  # sockets in one message
log = structlog.get_logger(__name__)


class Listed(Protocol):
    """What the roll needs of a socket: `opened` is greater for those that were opened later."""

    reader: str
    opened: str
    accepted: bool

    async def close(self, code: int | None = None) -> None: ...


class Entry(NamedTuple):
    """A socket that was opened or closed, for the others."""

    reader: str
    opened: str
    is_open: bool


class Roll:
    """The sockets of one event loop by their readers, and those elsewhere, without a socket, that count with them."""

    def __init__(self) -> None:
        self.origin = secrets.token_hex(8)
        self._sockets: dict[str, dict[str, Listed | None]] = {}
        self._news: Together[Entry, None] = Together(self._tell, most=MOST_AT_ONCE)
        self._beginning = asyncio.Lock()
        self._hearing: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()

    async def enter(self, socket: Listed) -> None:
        """Count it before it is let in. The others are told as soon as they can be: until then it counts here alone.
        Raises `RedisError` where nothing can be heard of them."""
        await self._listen()  # before the stamp: of any two sockets the older one hears of the younger one
        socket.opened = f"{time.time_ns():020}.{secrets.token_hex(4)}"
        self._sockets.setdefault(socket.reader, {})[socket.opened] = socket
        self._news.mention(Entry(socket.reader, socket.opened, is_open=True))

    def make_room(self, reader: str) -> None:
        """Close the oldest of too many, among those that were let in; forget the oldest elsewhere."""
        known = self._sockets.get(reader, {})
        for opened in sorted(known)[: -most_of(reader)]:
            socket = known[opened]
            if socket is None:
                del known[opened]
            elif socket.accepted:
                del known[opened]
                closing = asyncio.create_task(show_out(socket, TOO_MANY))
                self._closing.add(closing)
                closing.add_done_callback(self._closing.discard)

    def leave(self, socket: Listed) -> None:
        """It is closed, and counts no more."""
        known = self._sockets.get(socket.reader, {})
        known.pop(socket.opened, None)
        if not any(known.values()):
            self._sockets.pop(socket.reader, None)
        self._news.mention(Entry(socket.reader, socket.opened, is_open=False))

    async def _tell(self, entries: Sequence[Entry]) -> list[None]:
        layer: Any = get_channel_layer()
        try:
            await layer.group_send(GROUP, {"type": "sockets", "from": self.origin, "entries": list(map(list, entries))})
        except Exception as error:
            log.warning("hint_lost", error=str(error))
        return [None] * len(entries)

    async def _listen(self) -> None:
        if self._is_listening:
            return
        async with self._beginning:
            if not self._is_listening:
                layer: Any = get_channel_layer()
                channel = await layer.new_channel()
                await layer.group_add(GROUP, channel)
                self._hearing = asyncio.create_task(self._hear(layer, channel))

    @property
    def _is_listening(self) -> bool:
        return self._hearing is not None and not self._hearing.done()

    async def _hear(self, layer: Any, channel: str) -> None:
        while True:
            self._take(await layer.receive(channel))

    def _take(self, message: Mapping[str, Any]) -> None:
        if message["from"] == self.origin:
            return
        for reader, opened, is_open in message["entries"]:
            if reader not in self._sockets:
                continue
            if is_open:
                self._sockets[reader][opened] = None
                self.make_room(reader)
            else:
                self._sockets[reader].pop(opened, None)


_rolls = PerLoop(Roll)


def roll() -> Roll:
    """That of this process."""
    return _rolls.here()
