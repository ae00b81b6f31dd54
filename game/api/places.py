"""Limits how many waits and streams a user has open at once, over all tokens and processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from redis.exceptions import RedisError

from game.live.roll import roll


class Place:
    """One open wait or stream. It is lost if earlier ones fill the limit, which may become known only later."""

    accepted = True

    def __init__(self, reader: str) -> None:
        self.reader, self.opened, self.lost = reader, "", asyncio.Event()

    async def close(self, code: int | None = None) -> None:
        self.lost.set()


@asynccontextmanager
async def place(limit: str, person: str) -> AsyncIterator[Place | None]:
    """A place for this user; None if all are taken. If other processes cannot be reached, each counts alone."""
    new_place, open_places = Place(f"{limit}.{person}"), roll()
    with suppress(OSError, RedisError):
        await open_places.listen()
    open_places.enter(new_place)
    try:
        open_places.make_room(new_place.reader)
        yield new_place if open_places.has(new_place) else None
    finally:
        open_places.leave(new_place)
