"""`Prefer: wait=N` (RFC 7240): a response that nothing is new is delayed until something is. Wraps the synchronous
site: it asks a page, listens for hints on the channels that the page names, and asks again. While it waits it holds no
thread and no database connection; if a hint is lost, the change is found when the time is up. Internal headers tell the
views of this process who waits on which channels. Each user has a limited number of slots for waits and streams, over
all tokens and processes."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, MutableMapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import structlog
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from game.live.connections import local_register
from game.live.listeners import leave

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
ASKS = "X-Wait-Groups"
WAITS_STILL = "X-Waits-Still"
WAITS = "X-Waits-For"
FULL = "X-No-Place"
SECRET = secrets.token_urlsafe(16)  # known to this process only, in which both sides run
LONGEST = 55  # seconds; less than the usual timeout of proxies
NOT_MODIFIED = 304
WAIT_PREFERENCE = re.compile(rb"(?:^|[,;\s])wait=(\d{1,4})(?:$|[,;\s])")
ASKS_HEADER, WAITS_HEADER = ASKS.lower().encode(), WAITS.lower().encode()
WAITS_STILL_HEADER = WAITS_STILL.lower().encode()
OURS = {ASKS_HEADER, WAITS_STILL_HEADER}
log = structlog.get_logger("game.api.waiting")


def wants_groups(headers: Mapping[str, str]) -> bool:
    """True if this process's wrapper asks for the channels, not a client."""
    return _is_ours(headers, ASKS)


def waiting_for(person: int, groups: Iterable[str]) -> str:
    """The value of the header `WAITS`: the user, whichever their token, and the groups."""
    return " ".join((str(person), *groups))


def is_retry(headers: Mapping[str, str]) -> bool:
    """True if this is the internal retry of a long poll."""
    return _is_ours(headers, WAITS_STILL)


def is_over_limit(headers: Mapping[str, str]) -> bool:
    """True if this process's wrapper found no free place for this stream."""
    return _is_ours(headers, FULL)


def _is_ours(headers: Mapping[str, str], name: str) -> bool:
    return secrets.compare_digest(headers.get(name, "").encode(), SECRET.encode())


class OpenSlot:
    """One open wait or stream. It is lost if earlier ones fill the limit, which may become known only later."""

    accepted = True

    def __init__(self, reader: str) -> None:
        self.reader, self.opened, self.lost = reader, "", asyncio.Event()

    async def close(self, code: int | None = None) -> None:
        self.lost.set()


@asynccontextmanager
async def open_slot(limit: str, person: str) -> AsyncIterator[OpenSlot | None]:
    """A place for this user; None if all are taken. If other processes cannot be reached, each counts alone."""
    new_slot, open_slots = OpenSlot(f"{limit}.{person}"), local_register()
    with suppress(OSError, RedisError):
        await open_slots.listen()
    open_slots.enter(new_slot)
    try:
        open_slots.make_room(new_slot.reader)
        yield new_slot if open_slots.has(new_slot) else None
    finally:
        open_slots.leave(new_slot)


class Answer:
    """A buffered response of the site."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def take(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def status(self) -> int:
        return int(self.messages[0]["status"])

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        return list(self.messages[0].get("headers", []))

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.messages)

    @property
    def is_old(self) -> bool:
        """True for a 304."""
        return self.status == NOT_MODIFIED

    @property
    def person(self) -> str:
        """The user, if the response can be waited for."""
        return "".join(self._wait_header[:1])

    @property
    def groups(self) -> list[str]:
        """The channels that announce a newer response."""
        return self._wait_header[1:]

    @property
    def _wait_header(self) -> list[str]:
        for name, value in self.headers:
            if name.lower() == WAITS_HEADER:
                return str(value.decode()).split()
        return []

    async def give(self, send: Send, *applied: tuple[bytes, bytes]) -> None:
        """Send the response without our internal header."""
        for message in self.messages:
            if message["type"] == "http.response.start":
                headers = [(name, value) for name, value in message["headers"] if name.lower() != WAITS_HEADER]
                message = {**message, "headers": [*headers, *applied]}  # noqa: PLW2901
            await send(message)


class Waiting:
    """An ASGI application around `pages` that delays responses for clients that ask for it."""

    def __init__(self, pages: Application) -> None:
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(name, value) for name, value in scope.get("headers", []) if name.lower() not in OURS]
        plain = {**scope, "headers": headers}
        seconds = _requested_wait(plain)
        if not seconds:
            await self.pages(plain, receive, send)
            return
        asking = {**plain, "headers": [*headers, (ASKS_HEADER, SECRET.encode())]}
        answer, applied = await ask(self.pages, asking), list[tuple[bytes, bytes]]()
        if answer.is_old and answer.groups:
            async with open_slot("waits", answer.person) as wait_slot:
                if wait_slot is not None:
                    answer, applied = await self._wait(asking, receive, wait_slot, answer, seconds)
        await answer.give(send, *applied)

    async def _wait(
        self, scope: Scope, receive: Receive, wait_slot: OpenSlot, answer: Answer, seconds: int
    ) -> tuple[Answer, list[tuple[bytes, bytes]]]:
        """The newer response, or the old one when time is up; the old one at once if hints cannot be received or the
        place is lost."""
        ends_at = asyncio.get_running_loop().time() + seconds
        applied = [(b"preference-applied", b"wait=%d" % seconds)]
        retry = {**scope, "headers": [*scope["headers"], (WAITS_STILL_HEADER, SECRET.encode())]}
        try:
            async with listening(answer.groups) as hints, until_gone(receive, wait_slot) as gone:
                answer = await ask(self.pages, retry)  # changes before we listened
                while answer.is_old and await hint(hints, gone, ends_at):
                    answer = await ask(self.pages, retry)
        except (OSError, RedisError) as error:
            log.warning("wait_without_hints", trouble=type(error).__name__)
            return answer, []
        return answer, [] if wait_slot.lost.is_set() else applied


async def ask(pages: Application, scope: Scope) -> Answer:
    """The site's response to a request."""
    answer, parts = Answer(), iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        return next(parts, {"type": "http.disconnect"})

    await pages(scope, receive, answer.take)
    return answer


def _requested_wait(scope: Scope) -> int:
    """The seconds that an authenticated client with an ETag wants to wait; 0 for any other request."""
    if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith("/api/v1/"):
        return 0
    headers = dict(scope["headers"])
    match = WAIT_PREFERENCE.search(headers.get(b"prefer", b""))
    if match is None or b"if-none-match" not in headers or b"authorization" not in headers:
        return 0
    return min(int(match[1]), LONGEST)


@asynccontextmanager
async def listening(groups: list[str]) -> AsyncIterator[Callable[[], Awaitable[Any]]]:
    """A function that returns the next hint in one of these groups."""
    layer: Any = get_channel_layer()
    channel = await layer.new_channel("wait.")
    joined_groups: list[str] = []
    try:
        for group in groups:
            await layer.group_add(group, channel)
            joined_groups.append(group)
        yield lambda: layer.receive(channel)
    finally:
        await leave(layer, channel, joined_groups)


@asynccontextmanager
async def until_gone(receive: Receive, slot: OpenSlot) -> AsyncIterator[asyncio.Task[Any]]:
    """A task that ends when the client disconnects or the place is lost."""

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            continue

    watchers = [asyncio.create_task(watch()), asyncio.create_task(slot.lost.wait())]
    gone = asyncio.create_task(asyncio.wait(watchers, return_when=asyncio.FIRST_COMPLETED))
    try:
        yield gone
    finally:
        for task in (gone, *watchers):
            task.cancel()


async def hint(next_hint: Callable[[], Awaitable[Any]], gone: asyncio.Task[Any], ends: float) -> bool:
    """True if a hint arrives before the time is up or the client disconnects."""
    seconds_left = ends - asyncio.get_running_loop().time()
    if seconds_left <= 0:
        return False
    pending_hint = asyncio.ensure_future(next_hint())
    try:
        await asyncio.wait({pending_hint, gone}, timeout=seconds_left, return_when=asyncio.FIRST_COMPLETED)
        return pending_hint.done() and not gone.done()
    finally:
        pending_hint.cancel()
