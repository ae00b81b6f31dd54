"""What is open at one time over all processes: the sockets of a person or of the visitors at an address, and the waits
and streams of one person's programs. Each process knows its own. It tells the others what was opened and closed, many
in one message, and repeats what is open every few seconds. What is not repeated is forgotten, so a process that was
killed leaves nothing behind."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import structlog
from channels.layers import get_channel_layer

from accounts.limits import most_of
from game.infra.coalesce import Batching, PerLoop
from game.live.listeners import TOO_MANY, show_out

GROUP = "roll"
MOST_AT_ONCE = 500  # entries in one message
REPEATED_EVERY, FORGOTTEN_AFTER = 5, 15  # seconds
LIMITS = {"reader": "sockets", "visitor": "visitor_sockets", "waits": "waits", "streams": "streams"}
YOUNGEST_GIVE_WAY = {"waits", "streams"}  # programs come again at once; of a person's pages the newest is in use
log = structlog.get_logger("game.sockets.roll")


class Listed(Protocol):
    """What the roll needs of a socket, a wait or a stream. `reader` is a kind of `LIMITS` and who is counted; `opened`
    is greater for what was opened later; only what was `accepted` is closed."""

    reader: str
    opened: str
    accepted: bool

    async def close(self, code: int | None = None) -> None: ...


class Entry(NamedTuple):
    """Something that is open or was closed, for the others."""

    reader: str
    opened: str
    is_open: bool


class Roll:
    """What is open in one event loop by its readers, and until when each one elsewhere counts unless it is repeated."""

    def __init__(self) -> None:
        self.origin = secrets.token_hex(8)
        self._here: dict[str, dict[str, Listed]] = {}
        self._elsewhere: dict[str, dict[str, float]] = {}
        self._news: Batching[Entry, None] = Batching(self._tell, most=MOST_AT_ONCE)
        self._beginning = asyncio.Lock()
        self._attending: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()

    async def listen(self) -> None:
        """Before the first entry: of any two the older one hears of the younger one at once, and the younger one of the
        older one when it is repeated. Raises `RedisError` where nothing can be heard of the others."""
        if self._is_listening:
            return
        async with self._beginning:
            if not self._is_listening:
                layer: Any = get_channel_layer()
                channel = await layer.new_channel()
                await layer.group_add(GROUP, channel)
                self._attending = asyncio.create_task(self._attend(layer, channel))

    def enter(self, listed: Listed) -> None:
        """Count it. The others are told as soon as they can be: until then it counts here alone."""
        listed.opened = f"{time.time_ns():020}.{secrets.token_hex(4)}"
        self._here.setdefault(listed.reader, {})[listed.opened] = listed
        self._news.mention(Entry(listed.reader, listed.opened, is_open=True))

    def make_room(self, reader: str) -> None:
        """Close those here that are too many, among the accepted; forget those elsewhere, which their own process
        closes."""
        for opened in _too_many(reader, sorted([*self._here.get(reader, ()), *self._elsewhere.get(reader, ())])):
            listed = self._here.get(reader, {}).get(opened)
            if listed is None:
                _drop(self._elsewhere, reader, opened)
            elif listed.accepted:
                _drop(self._here, reader, opened)
                closing = asyncio.create_task(show_out(listed, TOO_MANY))
                self._closing.add(closing)
                closing.add_done_callback(self._closing.discard)

    def has(self, listed: Listed) -> bool:
        """Whether it has not given way."""
        return listed.opened in self._here.get(listed.reader, ())

    def leave(self, listed: Listed) -> None:
        """It is closed, and counts no more."""
        _drop(self._here, listed.reader, listed.opened)
        self._news.mention(Entry(listed.reader, listed.opened, is_open=False))

    async def _tell(self, entries: Sequence[Entry]) -> list[None]:
        layer: Any = get_channel_layer()
        try:
            await layer.group_send(GROUP, {"type": "roll", "from": self.origin, "entries": list(map(list, entries))})
        except Exception as error:
            log.warning("hint_lost", error=str(error))
        return [None] * len(entries)

    @property
    def _is_listening(self) -> bool:
        return self._attending is not None and not self._attending.done()

    async def _attend(self, layer: Any, channel: str) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._hear(layer, channel))
            tasks.create_task(self._repeat())

    async def _hear(self, layer: Any, channel: str) -> None:
        while True:
            self._take(await layer.receive(channel))

    def _take(self, message: Mapping[str, Any]) -> None:
        if message["from"] == self.origin:
            return
        until = time.monotonic() + FORGOTTEN_AFTER
        for reader, opened, is_open in message["entries"]:
            if not is_open:
                _drop(self._elsewhere, reader, opened)
                continue
            known = self._elsewhere.setdefault(reader, {})
            is_news = opened not in known
            known[opened] = until
            if is_news:
                self.make_room(reader)

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(REPEATED_EVERY)
            for reader, known in self._here.items():
                for opened in known:
                    self._news.mention(Entry(reader, opened, is_open=True))
            self._forget()

    def _forget(self) -> None:
        """Entries that are no longer repeated: their process is gone, or said that they were closed while Redis was
        away."""
        now = time.monotonic()
        kept = {
            reader: {opened: until for opened, until in known.items() if until > now}
            for reader, known in self._elsewhere.items()
        }
        self._elsewhere = {reader: known for reader, known in kept.items() if known}


def _too_many(reader: str, opened: list[str]) -> list[str]:
    """Which of these give way, sorted by when they were opened."""
    kind = reader.partition(".")[0]
    most = most_of(LIMITS[kind])
    return opened[most:] if kind in YOUNGEST_GIVE_WAY else opened[: max(0, len(opened) - most)]


def _drop(known: dict[str, dict[str, Any]], reader: str, opened: str) -> None:
    if reader in known:
        known[reader].pop(opened, None)
        if not known[reader]:
            del known[reader]


_rolls = PerLoop(Roll)


def roll() -> Roll:
    """That of this process."""
    return _rolls.here()
