"""How sockets, waits and streams stop listening."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from redis.exceptions import RedisError


async def leave(layer: Any, channel: str, groups: Iterable[str]) -> None:
    """Forget the reader of this channel, and take it out of all these groups, even where Redis cannot be told."""
    await layer.forget(channel)
    for group in groups:
        with suppress(RedisError):
            await layer.group_discard(group, channel)
