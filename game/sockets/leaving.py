"""How whoever heard hints hears no more of them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from redis.exceptions import RedisError


async def leave(layer: Any, channel: str, groups: Iterable[str]) -> None:
    """Forget who read the channel, in all these groups, also where Redis cannot be told."""
    await layer.forget(channel)
    for group in groups:
        with suppress(RedisError):
            await layer.group_discard(group, channel)
