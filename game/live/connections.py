"""Cluster-wide count of open connections (sockets, long polls, streams) per user or IP address, and the rate at which
they may be opened.

Each process broadcasts what it opens and closes, in batches, and repeats its open connections every few seconds.
Entries that are not repeated expire, so a process that was killed leaves nothing behind. Openings are counted in one
request to the counter, without the database."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import structlog
from channels.layers import get_channel_layer

from accounts import limits
from accounts.limit_answers import describe_refusal, describe_wait
from accounts.limits import most_of
from game.infra.calls import Coalescer, PerLoop
from game.live.listeners import TOO_MANY_CONNECTIONS, close_connection, is_visitor

GROUP = "roll"
MOST_ENTRIES_PER_MESSAGE = 500  # entries in one message
REPEAT_SECONDS, EXPIRY_SECONDS = 5, 15  # seconds
LIMITS = {"reader": "sockets", "visitor": "visitor_sockets", "waits": "waits", "streams": "streams"}
YOUNGEST_GIVE_WAY = {"waits", "streams"}  # API clients reconnect at once, but of a person's pages the newest is in use
log = structlog.get_logger("game.sockets.roll")


class Connection(Protocol):
    """A socket, long poll or stream as the roll sees it. `reader` is a key of `LIMITS` and who is counted; `opened`
    sorts by time of opening; only connections that are `accepted` are closed."""

    reader: str
    opened: str
    accepted: bool

    async def close(self, code: int | None = None) -> None: ...


class Entry(NamedTuple):
    """A message to other processes: a connection is open or was closed."""

    reader: str
    opened: str
    is_open: bool


class ConnectionRegister:
    """The open connections of one event loop by reader, and the expiry of those in other processes."""

    def __init__(self) -> None:
        self.origin = secrets.token_hex(8)
        self._here: dict[str, dict[str, Connection]] = {}
        self._elsewhere: dict[str, dict[str, float]] = {}
        self._outgoing: Coalescer[Entry, None] = Coalescer(self._broadcast, most=MOST_ENTRIES_PER_MESSAGE)
        self._start_lock = asyncio.Lock()
        self._attending: asyncio.Task[None] | None = None
        self._close_tasks: set[asyncio.Task[None]] = set()

    async def listen(self) -> None:
        """Subscribe, before the first entry. Of any two processes, the older one hears of the younger one's connections
        at once, and the younger one of the older one's when they are repeated. Raises `RedisError` if Redis is down."""
        if self._is_listening:
            return
        async with self._start_lock:
            if not self._is_listening:
                layer: Any = get_channel_layer()
                channel = await layer.new_channel()
                await layer.group_add(GROUP, channel)
                self._attending = asyncio.create_task(self._listen_and_repeat(layer, channel))

    def enter(self, listed: Connection) -> None:
        """Count a connection, and broadcast it as soon as possible; until then it counts only here."""
        listed.opened = f"{time.time_ns():020}.{secrets.token_hex(4)}"
        self._here.setdefault(listed.reader, {})[listed.opened] = listed
        self._outgoing.mention(Entry(listed.reader, listed.opened, is_open=True))

    def make_room(self, reader: str) -> None:
        """Close the accepted local connections beyond the limit; drop those of other processes, which close them
        themselves."""
        for opened in _to_close(reader, sorted([*self._here.get(reader, ()), *self._elsewhere.get(reader, ())])):
            listed = self._here.get(reader, {}).get(opened)
            if listed is None:
                _drop(self._elsewhere, reader, opened)
            elif listed.accepted:
                _drop(self._here, reader, opened)
                task = asyncio.create_task(close_connection(listed, TOO_MANY_CONNECTIONS))
                self._close_tasks.add(task)
                task.add_done_callback(self._close_tasks.discard)

    def has(self, listed: Connection) -> bool:
        """True unless the connection was closed to make room."""
        return listed.opened in self._here.get(listed.reader, ())

    def leave(self, listed: Connection) -> None:
        """Stop counting a closed connection."""
        _drop(self._here, listed.reader, listed.opened)
        self._outgoing.mention(Entry(listed.reader, listed.opened, is_open=False))

    async def _broadcast(self, entries: Sequence[Entry]) -> list[None]:
        layer: Any = get_channel_layer()
        try:
            await layer.group_send(GROUP, {"type": "roll", "from": self.origin, "entries": list(map(list, entries))})
        except Exception as error:
            log.warning("hint_lost", error=str(error))
        return [None] * len(entries)

    @property
    def _is_listening(self) -> bool:
        return self._attending is not None and not self._attending.done()

    async def _listen_and_repeat(self, layer: Any, channel: str) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._receive_forever(layer, channel))
            tasks.create_task(self._repeat_forever())

    async def _receive_forever(self, layer: Any, channel: str) -> None:
        while True:
            self._apply(await layer.receive(channel))

    def _apply(self, message: Mapping[str, Any]) -> None:
        if message["from"] == self.origin:
            return
        until = time.monotonic() + EXPIRY_SECONDS
        for reader, opened, is_open in message["entries"]:
            if not is_open:
                _drop(self._elsewhere, reader, opened)
                continue
            expiries = self._elsewhere.setdefault(reader, {})
            is_new = opened not in expiries
            expiries[opened] = until
            if is_new:
                self.make_room(reader)

    async def _repeat_forever(self) -> None:
        while True:
            await asyncio.sleep(REPEAT_SECONDS)
            for reader, connections in self._here.items():
                for opened in connections:
                    self._outgoing.mention(Entry(reader, opened, is_open=True))
            self._drop_expired()

    def _drop_expired(self) -> None:
        """Drop entries that are no longer repeated: their process is gone, or its message about closing them was
        lost."""
        now = time.monotonic()
        current = {
            reader: {opened: until for opened, until in expiries.items() if until > now}
            for reader, expiries in self._elsewhere.items()
        }
        self._elsewhere = {reader: expiries for reader, expiries in current.items() if expiries}


def _to_close(reader: str, opened: list[str]) -> list[str]:
    """The connections beyond the limit, from a sorted list."""
    kind = reader.partition(".")[0]
    most = most_of(LIMITS[kind])
    return opened[most:] if kind in YOUNGEST_GIVE_WAY else opened[: max(0, len(opened) - most)]


def _drop(by_reader: dict[str, dict[str, Any]], reader: str, opened: str) -> None:
    if reader in by_reader:
        by_reader[reader].pop(opened, None)
        if not by_reader[reader]:
            del by_reader[reader]


_registers = PerLoop(ConnectionRegister)


def local_register() -> ConnectionRegister:
    """The roll of this process."""
    return _registers.here()


MOST_OPENINGS = 200


async def count_opening(reader: str) -> limits.TooMany | None:
    """Count a socket of this reader. Returns the refusal if the limit is exceeded."""
    usage = await _counts.here().ask(reader)
    return limits.TooMany(usage) if usage.is_too_many else None


async def refuse(refusal: limits.TooMany, scope: Mapping[str, Any], send: Callable[..., Any]) -> None:
    """Refuse a socket with the exceeded limit and the time to retry: as a 429 response if the server supports it, else
    only by the closing code."""
    words = f"{describe_refusal(refusal.usage)} {describe_wait(refusal.usage)}"
    headers = {"Content-Type": "text/plain; charset=utf-8", **refusal.headers}
    await answer(scope, send, status=429, code=TOO_MANY_CONNECTIONS, words=words, headers=headers)


async def answer(
    scope: Mapping[str, Any], send: Callable[..., Any], *, status: int, code: int, words: str = "",
    headers: Mapping[str, str] = {},
) -> None:  # fmt: skip
    """Answer a handshake without opening a socket."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": code})
        return
    body = words.encode()
    header_pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    header_pairs.append((b"content-length", str(len(body)).encode()))
    await send({"type": "websocket.http.response.start", "status": status, "headers": header_pairs})
    await send({"type": "websocket.http.response.body", "body": body})


async def _count(readers: Sequence[str]) -> list[limits.Usage]:
    names = ("visitor_opens_sockets", "opens_sockets")
    return await asyncio.to_thread(
        limits.spend_together, [(names[not is_visitor(reader)], reader) for reader in readers]
    )


_counts: PerLoop[Coalescer[str, limits.Usage]] = PerLoop(lambda: Coalescer(_count, most=MOST_OPENINGS))
