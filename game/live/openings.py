"""Rate limit for opening sockets, by person or by IP address of visitors. All that open at the same time are counted in
one request to the counter, without the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from accounts import limits
from accounts.limit_answers import describe_refusal, describe_wait
from game.infra.coalesce import Batching, PerLoop
from game.live.listeners import TOO_MANY, is_visitor

MOST_AT_ONCE = 200


async def too_many(reader: str) -> limits.TooMany | None:
    """Count a socket of this reader. Returns the refusal if the limit is exceeded."""
    usage = await _counts.here().ask(reader)
    return limits.TooMany(usage) if usage.is_too_many else None


async def refuse(refusal: limits.TooMany, scope: Mapping[str, Any], send: Callable[..., Any]) -> None:
    """Refuse a socket with the exceeded limit and the time to retry: as a 429 response if the server supports it, else
    only by the closing code."""
    words = f"{describe_refusal(refusal.usage)} {describe_wait(refusal.usage)}"
    headers = {"Content-Type": "text/plain; charset=utf-8", **refusal.headers}
    await answer(scope, send, status=429, code=TOO_MANY, words=words, headers=headers)


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


_counts: PerLoop[Batching[str, limits.Usage]] = PerLoop(lambda: Batching(_count, most=MOST_AT_ONCE))
