"""`Prefer: wait=N` (RFC 7240): an answer that nothing is new is held until something is, around the synchronous site.
The pages themselves say what is new: the wrapper asks them, listens for hints where they say, and asks again. While it
waits it holds no thread and no database connection; what a lost hint misses is found when the time is up."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import structlog
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from game.api.places import Place, place
from game.api.waits import AGAIN, ASKS, SECRET, WAITS
from game.live.leaving import leave

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
LONGEST = 55  # seconds; below what proxies usually wait for an answer
NOT_MODIFIED = 304
WANTED = re.compile(rb"(?:^|[,;\s])wait=(\d{1,4})(?:$|[,;\s])")
ASKS_HEADER, WAITS_HEADER = ASKS.lower().encode(), WAITS.lower().encode()
AGAIN_HEADER = AGAIN.lower().encode()
OURS = {ASKS_HEADER, AGAIN_HEADER}
log = structlog.get_logger("game.api.waiting")


class Answer:
    """An answer of the site, held back."""

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
        """Whether it says that nothing is new."""
        return self.status == NOT_MODIFIED

    @property
    def person(self) -> str:
        """Who asks, where the answer can be waited for."""
        return "".join(self._told[:1])

    @property
    def groups(self) -> list[str]:
        """Where hints about something newer are said."""
        return self._told[1:]

    @property
    def _told(self) -> list[str]:
        for name, value in self.headers:
            if name.lower() == WAITS_HEADER:
                return str(value.decode()).split()
        return []

    async def give(self, send: Send, *applied: tuple[bytes, bytes]) -> None:
        """Send it on, without what is between us and the site."""
        for message in self.messages:
            if message["type"] == "http.response.start":
                kept = [(name, value) for name, value in message["headers"] if name.lower() != WAITS_HEADER]
                message = {**message, "headers": [*kept, *applied]}  # noqa: PLW2901
            await send(message)


class Waiting:
    """An ASGI application around `pages` that holds answers back for those who ask for it."""

    def __init__(self, pages: Application) -> None:
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(name, value) for name, value in scope.get("headers", []) if name.lower() not in OURS]
        plain = {**scope, "headers": headers}
        seconds = _seconds_wanted(plain)
        if not seconds:
            await self.pages(plain, receive, send)
            return
        asking = {**plain, "headers": [*headers, (ASKS_HEADER, SECRET.encode())]}
        answer, applied = await ask(self.pages, asking), list[tuple[bytes, bytes]]()
        if answer.is_old and answer.groups:
            async with place("waits", answer.person) as taken:
                if taken is not None:
                    answer, applied = await self._wait(asking, receive, taken, answer, seconds)
        await answer.give(send, *applied)

    async def _wait(
        self, scope: Scope, receive: Receive, taken: Place, answer: Answer, seconds: int
    ) -> tuple[Answer, list[tuple[bytes, bytes]]]:
        """The newer answer, or the old one when time is up; without a way to hear of hints, or when the place is lost,
        the old one at once."""
        ends = asyncio.get_running_loop().time() + seconds
        applied = [(b"preference-applied", b"wait=%d" % seconds)]
        again = {**scope, "headers": [*scope["headers"], (AGAIN_HEADER, SECRET.encode())]}
        try:
            async with listening(answer.groups) as hints, until_gone(receive, taken) as gone:
                answer = await ask(self.pages, again)  # something may have happened before we listened
                while answer.is_old and await hint(hints, gone, ends):
                    answer = await ask(self.pages, again)
        except (OSError, RedisError) as error:
            log.warning("wait_without_hints", trouble=type(error).__name__)
            return answer, []
        return answer, [] if taken.lost.is_set() else applied


async def ask(pages: Application, scope: Scope) -> Answer:
    """What the site answers."""
    answer, parts = Answer(), iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        return next(parts, {"type": "http.disconnect"})

    await pages(scope, receive, answer.take)
    return answer


def _seconds_wanted(scope: Scope) -> int:
    """How long somebody with a token wants to wait for something newer than they have; 0 for everything else."""
    if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith("/api/v1/"):
        return 0
    headers = dict(scope["headers"])
    found = WANTED.search(headers.get(b"prefer", b""))
    if found is None or b"if-none-match" not in headers or b"authorization" not in headers:
        return 0
    return min(int(found[1]), LONGEST)


@asynccontextmanager
async def listening(groups: list[str]) -> AsyncIterator[Callable[[], Awaitable[Any]]]:
    """The next hint that is said in one of these groups."""
    layer: Any = get_channel_layer()
    channel = await layer.new_channel("wait.")
    joined: list[str] = []
    try:
        for group in groups:
            await layer.group_add(group, channel)
            joined.append(group)
        yield lambda: layer.receive(channel)
    finally:
        await leave(layer, channel, joined)


@asynccontextmanager
async def until_gone(receive: Receive, taken: Place) -> AsyncIterator[asyncio.Task[Any]]:
    """A task that ends when the client has gone away or the place is lost."""

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            continue

    watching = [asyncio.create_task(watch()), asyncio.create_task(taken.lost.wait())]
    gone = asyncio.create_task(asyncio.wait(watching, return_when=asyncio.FIRST_COMPLETED))
    try:
        yield gone
    finally:
        for task in (gone, *watching):
            task.cancel()


async def hint(next_hint: Callable[[], Awaitable[Any]], gone: asyncio.Task[Any], ends: float) -> bool:
    """Whether something was said before the time was up and the client gone."""
    left = ends - asyncio.get_running_loop().time()
    if left <= 0:
        return False
    said = asyncio.ensure_future(next_hint())
    try:
        await asyncio.wait({said, gone}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        return said.done() and not gone.done()
    finally:
        said.cancel()
