"""The places of one token, for answers that are waited for and for streams: as many at a time as the table of limits
says, over all processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from redis.exceptions import RedisError

from accounts.limits import digest
from game.api.tokens import text_in
from game.roll import roll


class Place:
    """One of them. It is lost where so many were opened earlier, which may be heard of after it was taken."""

    accepted = True

    def __init__(self, reader: str) -> None:
        self.reader, self.opened, self.lost = reader, "", asyncio.Event()

    async def close(self, code: int | None = None) -> None:
        self.lost.set()


@asynccontextmanager
async def place(limit: str, scope: Mapping[str, Any]) -> AsyncIterator[Place | None]:
    """One for the token that a request is sent with, whether or not it is good; None where all are taken. While nothing
    can be heard of other processes each counts for itself."""
    token = text_in(dict(scope.get("headers", [])).get(b"authorization", b"").decode("latin-1"))
    found, listed = Place(f"{limit}.{digest(token)}"), roll()
    with suppress(OSError, RedisError):
        await listed.listen()
    listed.enter(found)
    try:
        listed.make_room(found.reader)
        yield found if listed.has(found) else None
    finally:
        listed.leave(found)
