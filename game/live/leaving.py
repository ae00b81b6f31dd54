"""Unsubscribe sockets, long polls and streams from the channel layer."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from redis.exceptions import RedisError


async def leave(layer: Any, channel: str, groups: Iterable[str]) -> None:
    """Remove a channel from the layer and from all these groups, even if Redis is down."""
    await layer.forget(channel)
    for group in groups:
        with suppress(RedisError):
            await layer.group_discard(group, channel)
