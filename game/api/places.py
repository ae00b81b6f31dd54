"""The places of one person, for answers that are waited for and for streams: as many at a time as the table of limits
says, whichever tokens they are for, over all processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from redis.exceptions import RedisError

from game.live.roll import roll


class Place:
    """One of them. It is lost where so many were opened earlier, which may be heard of after it was taken."""

    accepted = True

    def __init__(self, reader: str) -> None:
        self.reader, self.opened, self.lost = reader, "", asyncio.Event()

    async def close(self, code: int | None = None) -> None:
        self.lost.set()


@asynccontextmanager
async def place(limit: str, person: str) -> AsyncIterator[Place | None]:
    """One for this person; None where all are taken. While nothing can be heard of other processes each counts for
    itself."""
    found, listed = Place(f"{limit}.{person}"), roll()
    with suppress(OSError, RedisError):
        await listed.listen()
    listed.enter(found)
    try:
        listed.make_room(found.reader)
        yield found if listed.has(found) else None
    finally:
        listed.leave(found)
