"""A stream of all games of a token, or of one game: numbers and no content, as NDJSON or as server-sent events.

The page itself says how the games stand; the stream listens for hints where it says, asks it again, and tells what
changed. A new connection begins with the whole list, so nothing is missed; one that says in `Last-Event-ID` what it was
told already goes on from there. Once a minute the page is asked without a hint, so that a lost one heals and a revoked
token ends the stream."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack
from hashlib import blake2b
from typing import Any

import msgspec
import structlog
from redis.exceptions import RedisError

from game.api.places import Place, place
from game.api.waiting import ASKS_HEADER, Answer, ask, hint, listening, until_gone
from game.api.waits import FULL, SECRET

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
PATH = re.compile(r"/api/v1/(?:me|games/\d{1,18})/stream")
NDJSON, EVENTS = b"application/x-ndjson", b"text/event-stream"
ALIVE = 15  # seconds between two lines at most
ASK_ANYWAY = 60  # seconds
TOGETHER = 0.2  # seconds in which several hints are one
OK, LIMITED = 200, 429
FULL_HEADER = FULL.lower().encode()
OURS = {b"accept", b"if-none-match", b"last-event-id", ASKS_HEADER, FULL_HEADER}
TOLD = re.compile(rb"(?:\d{1,18}-[0-9a-f]{12})(?:,\d{1,18}-[0-9a-f]{12})*|none")
log = structlog.get_logger("game.api.streaming")


def wants_stream(scope: Scope) -> bool:
    """Whether somebody asks for lines and not for one answer."""
    if scope["type"] != "http" or scope["method"] != "GET" or not PATH.fullmatch(scope["path"]):
        return False
    return any(kind in dict(scope["headers"]).get(b"accept", b"") for kind in (NDJSON, EVENTS))


class Streams:
    """An ASGI application around `pages` that streams to those who ask for it; all else goes to `others`. One stream of
    a person too many is refused by the page itself."""

    def __init__(self, pages: Application, others: Application) -> None:
        self.pages, self.others = pages, others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not wants_stream(scope):
            await self.others(scope, receive, send)
            return
        stream = Stream(self.pages, scope, send)
        first = await ask(self.pages, stream.scope)
        if first.status != OK:
            await first.give(send)
            return
        async with place("streams", first.person) as taken:
            if taken is not None:
                await stream.run(receive, taken, first)
                return
        refused = await ask(self.pages, _asking(scope, FULL_HEADER))
        await refused.give(send)


class Stream:
    """One connection: what its client has been told of each game, as a digest, and how it is told."""

    def __init__(self, pages: Application, scope: Scope, send: Send) -> None:
        accepts = dict(scope["headers"]).get(b"accept", b"")
        self.pages, self.scope, self.send = pages, _asking(scope, ASKS_HEADER), send
        self.media_type = NDJSON if NDJSON in accepts else EVENTS
        self.told = _told_before(dict(scope["headers"]).get(b"last-event-id", b""))
        self.groups: list[str] = []

    async def run(self, receive: Receive, taken: Place, first: Answer) -> None:
        """Until the client goes, the token ends, the place is lost, or hints cannot be heard: then it comes again by
        itself."""
        await self._begin(first)
        try:
            async with until_gone(receive, taken) as gone:
                await self._go_on(gone)
        except (OSError, RedisError) as error:
            log.warning("stream_without_hints", trouble=type(error).__name__)
        await self.send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _begin(self, first: Answer) -> None:
        kept = [(name, value) for name, value in first.headers if name.lower() in {b"vary", b"cache-control"}]
        headers = [*kept, (b"content-type", self.media_type), (b"access-control-allow-origin", b"*")]
        await self.send({"type": "http.response.start", "status": OK, "headers": headers})
        if self.told is None:
            games, self.groups = _games(first), first.groups
            self.told = {number: _digest(game) for number, game in games.items()}
            await self._tell({"type": "hello", "games": list(games.values())})
        else:
            await self._tell_changes(first)
            await self._tell({"type": "alive"})

    async def _go_on(self, gone: asyncio.Task[Any]) -> None:
        loop, is_open = asyncio.get_running_loop(), True
        while is_open and not gone.done():
            heard = list(self.groups)
            async with AsyncExitStack() as stack:
                next_hint = await stack.enter_async_context(listening(heard))
                is_open = await self._look()  # something may have happened before we listened
                asked = loop.time()
                while is_open and not gone.done() and self.groups == heard:
                    if await hint(next_hint, gone, loop.time() + ALIVE):
                        await asyncio.sleep(TOGETHER)
                        is_open, asked = await self._look(), loop.time()
                    elif not gone.done():
                        await self._tell({"type": "alive"})
                        if loop.time() - asked > ASK_ANYWAY:
                            is_open, asked = await self._look(), loop.time()

    async def _look(self) -> bool:
        """Tell what changed; False where there is nothing more to be told to this token."""
        answer = await ask(self.pages, self.scope)
        if answer.status != OK:
            return answer.status == LIMITED
        await self._tell_changes(answer)
        return True

    async def _tell_changes(self, answer: Answer) -> None:
        """What is new since this client was told last; each line's id says what it knows by then."""
        assert self.told is not None
        games, self.groups = _games(answer), answer.groups
        for number, game in games.items():
            if self.told.get(number) != (digest := _digest(game)):
                self.told[number] = digest
                await self._tell({"type": "changed", **game})
        for number in sorted(self.told.keys() - games.keys()):
            del self.told[number]
            await self._tell({"type": "over", "game": number})

    async def _tell(self, line: dict[str, Any]) -> None:
        name = ",".join(f"{number}-{digest}" for number, digest in (self.told or {}).items()) or "none"
        text = msgspec.json.encode({**line, "id": name})
        framed = text + b"\n"
        if self.media_type == EVENTS:
            framed = b"id: %s\nevent: %s\ndata: %s\n\n" % (name.encode(), line["type"].encode(), text)
        await self.send({"type": "http.response.body", "body": framed, "more_body": True})


def _asking(scope: Scope, word: bytes) -> Scope:
    """The same request for one answer of the page, with a word that only this process can say."""
    kept = [(name, value) for name, value in scope["headers"] if name.lower() not in OURS]
    return {**scope, "headers": [*kept, (b"accept", b"application/json"), (word, SECRET.encode())]}


def _games(answer: Answer) -> dict[int, dict[str, Any]]:
    return {game["game"]: game for game in msgspec.json.decode(answer.body)["games"]}


def _digest(game: dict[str, Any]) -> str:
    return blake2b(msgspec.json.encode(game), digest_size=6).hexdigest()


def _told_before(name: bytes) -> dict[int, str] | None:
    """What the line of that id left its reader with; None where there is no such id, so that all is told anew."""
    if not TOLD.fullmatch(name):
        return None
    pairs = [] if name == b"none" else [part.split("-") for part in name.decode().split(",")]
    return {int(number): digest for number, digest in pairs}
