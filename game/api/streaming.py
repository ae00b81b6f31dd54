"""Streams the state of all games of a token, or of one game, as NDJSON or server-sent events: numbers only.

The endpoint reports the state. The stream listens on the channels that its response names, calls it again after each
hint, and sends what changed. A new connection starts with the whole list, so nothing is missed; with `Last-Event-ID` it
continues after that line. Once a minute the endpoint is called without a hint, in case one was lost; this also ends the
stream of a revoked token."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from hashlib import blake2b
from typing import Any

import msgspec
import structlog
from redis.exceptions import RedisError

from game.api.long_poll import (
    ASKS_HEADER,
    FULL,
    SECRET,
    Answer,
    Application,
    OpenSlot,
    Receive,
    Scope,
    Send,
    ask,
    hint,
    listening,
    open_slot,
    until_gone,
)

PATH = re.compile(r"/api/v1/(?:me|games/\d{1,18})/stream")
NDJSON, EVENTS = b"application/x-ndjson", b"text/event-stream"
MAX_SILENCE = 15  # seconds between two lines
REFRESH_INTERVAL = 60  # seconds
HINT_WINDOW = 0.2  # seconds; hints within it count as one
OK, LIMITED = 200, 429
FULL_HEADER = FULL.lower().encode()
REPLACED_HEADERS = {b"accept", b"if-none-match", b"last-event-id", ASKS_HEADER, FULL_HEADER}
LINE_ID = re.compile(rb"(?:\d{1,18}-[0-9a-f]{12})(?:,\d{1,18}-[0-9a-f]{12})*|none")
log = structlog.get_logger("game.api.streaming")


def wants_stream(scope: Scope) -> bool:
    """True if the client asks for a stream instead of a single response."""
    if scope["type"] != "http" or scope["method"] != "GET" or not PATH.fullmatch(scope["path"]):
        return False
    return any(kind in dict(scope["headers"]).get(b"accept", b"") for kind in (NDJSON, EVENTS))


class Streams:
    """An ASGI application around `pages` that serves streams; everything else goes to `others`. The page itself refuses
    streams beyond the user's limit."""

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
        async with open_slot("streams", first.person) as stream_slot:
            if stream_slot is not None:
                await stream.run(receive, stream_slot, first)
                return
        refused = await ask(self.pages, _page_request(scope, FULL_HEADER))
        await refused.give(send)


class Stream:
    """One connection: its format, and the digest of each game's state as last sent to the client."""

    def __init__(self, pages: Application, scope: Scope, send: Send) -> None:
        accepts = dict(scope["headers"]).get(b"accept", b"")
        self.pages, self.scope, self.send = pages, _page_request(scope, ASKS_HEADER), send
        self.media_type = NDJSON if NDJSON in accepts else EVENTS
        self.digests = _digests_in(dict(scope["headers"]).get(b"last-event-id", b""))
        self.groups: list[str] = []

    async def run(self, receive: Receive, stream_slot: OpenSlot, first: Answer) -> None:
        """Run until the client leaves, the token ends, the slot is lost, or hints fail; the client then reconnects."""
        await self._send_start(first)
        try:
            async with until_gone(receive, stream_slot) as gone:
                await self._send_until_gone(gone)
        except (OSError, RedisError) as error:
            log.warning("stream_without_hints", trouble=type(error).__name__)
        await self.send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_start(self, first: Answer) -> None:
        page_headers = [(name, value) for name, value in first.headers if name.lower() in {b"vary", b"cache-control"}]
        headers = [*page_headers, (b"content-type", self.media_type), (b"access-control-allow-origin", b"*")]
        await self.send({"type": "http.response.start", "status": OK, "headers": headers})
        if self.digests is None:
            games, self.groups = _games_in(first), first.groups
            self.digests = {number: _digest(game) for number, game in games.items()}
            await self._send_line({"type": "hello", "games": list(games.values())})
        else:
            await self._send_changes(first)
            await self._send_line({"type": "alive"})

    async def _send_until_gone(self, gone: asyncio.Task[Any]) -> None:
        loop, is_open = asyncio.get_running_loop(), True
        while is_open and not gone.done():
            groups = list(self.groups)
            async with AsyncExitStack() as stack:
                next_hint = await stack.enter_async_context(listening(groups))
                is_open = await self._refresh()  # changes before we listened
                refreshed_at = loop.time()
                while is_open and not gone.done() and self.groups == groups:
                    if await hint(next_hint, gone, loop.time() + MAX_SILENCE):
                        await asyncio.sleep(HINT_WINDOW)
                        is_open, refreshed_at = await self._refresh(), loop.time()
                    elif not gone.done():
                        await self._send_line({"type": "alive"})
                        if loop.time() - refreshed_at > REFRESH_INTERVAL:
                            is_open, refreshed_at = await self._refresh(), loop.time()

    async def _refresh(self) -> bool:
        """Send what changed; False if the token may not read any more."""
        answer = await ask(self.pages, self.scope)
        if answer.status != OK:
            return answer.status == LIMITED
        await self._send_changes(answer)
        return True

    async def _send_changes(self, answer: Answer) -> None:
        """Send the games that differ from what the client knows; each line's id encodes what it knows after it."""
        assert self.digests is not None
        games, self.groups = _games_in(answer), answer.groups
        for number, game in games.items():
            if self.digests.get(number) != (digest := _digest(game)):
                self.digests[number] = digest
                await self._send_line({"type": "changed", **game})
        for number in sorted(self.digests.keys() - games.keys()):
            del self.digests[number]
            await self._send_line({"type": "over", "game": number})

    async def _send_line(self, line: dict[str, Any]) -> None:
        line_id = ",".join(f"{number}-{digest}" for number, digest in (self.digests or {}).items()) or "none"
        text = msgspec.json.encode({**line, "id": line_id})
        frame = text + b"\n"
        if self.media_type == EVENTS:
            frame = b"id: %s\nevent: %s\ndata: %s\n\n" % (line_id.encode(), line["type"].encode(), text)
        await self.send({"type": "http.response.body", "body": frame, "more_body": True})


def _page_request(scope: Scope, header_name: bytes) -> Scope:
    """The request for a single response of the page, with a header that only this process can set."""
    headers = [(name, value) for name, value in scope["headers"] if name.lower() not in REPLACED_HEADERS]
    return {**scope, "headers": [*headers, (b"accept", b"application/json"), (header_name, SECRET.encode())]}


def _games_in(answer: Answer) -> dict[int, dict[str, Any]]:
    return {game["game"]: game for game in msgspec.json.decode(answer.body)["games"]}


def _digest(game: dict[str, Any]) -> str:
    return blake2b(msgspec.json.encode(game), digest_size=6).hexdigest()


def _digests_in(line_id: bytes) -> dict[int, str] | None:
    """The digests encoded in a line's id; None if the id is invalid, so that everything is sent again."""
    if not LINE_ID.fullmatch(line_id):
        return None
    pairs = [] if line_id == b"none" else [part.split("-") for part in line_id.decode().split(",")]
    return {int(number): digest for number, digest in pairs}
