"""The channel layers: in memory for the embedded mode, Redis with outages tolerated for the service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer
from channels_redis.utils import _wrap_close
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from sectors_site.socket_buffer import MessageBuffer

TIMEOUT_SECONDS = 2  # seconds for a hint or a subscription


class LoopInMemoryChannelLayer(InMemoryChannelLayer):
    """Runs every send on the consumers' event loop: from another thread, the stock layer wakes its readers only by
    chance."""

    _loop: asyncio.AbstractEventLoop | None = None

    async def new_channel(self, prefix: str = "specific.") -> str:
        self._loop = asyncio.get_running_loop()
        return await super().new_channel(prefix)

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        await self._on_loop(lambda: super(LoopInMemoryChannelLayer, self).send(channel, message))

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await self._on_loop(lambda: super(LoopInMemoryChannelLayer, self).group_send(group, message))

    async def forget(self, channel: str) -> None:
        """Called when the reader has gone."""
        self.channels.pop(channel, None)

    async def _on_loop(self, send: Callable[[], Awaitable[None]]) -> None:
        loop = self._loop
        if loop is None or loop.is_closed() or loop is asyncio.get_running_loop():
            return await send()

        async def run() -> None:
            await send()

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(run(), loop))


@asynccontextmanager
async def _within_timeout() -> AsyncIterator[None]:
    """The layer handles one request at a time: without a timeout, requests queue up behind a hanging Redis. If Redis
    closes a connection while uvloop writes, uvloop raises `RuntimeError`; here that is a lost connection."""
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            yield
    except RuntimeError as error:
        raise RedisConnectionError(str(error)) from error
    except TimeoutError as error:
        raise RedisTimeoutError(f"Redis did not answer within {TIMEOUT_SECONDS} seconds.") from error


class _ImpatientLayer(RedisPubSubLoopLayer):  # type: ignore[misc]
    """Raises a `RedisError` within two seconds, and then forgets what it could not subscribe to."""

    async def _subscribe_to_channel(self, channel: str) -> None:
        """Hints are sent to groups only, so Redis subscriptions are per group and process, however many sockets are in
        the group."""
        self.channels[channel] = MessageBuffer()

    async def forget(self, channel: str) -> None:
        """Called when the reader has gone. The stock layer forgets a channel only if a waiting reader is cancelled."""
        self.channels.pop(channel, None)

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        raise TypeError("Hints are said to groups.")

    async def group_add(self, group: str, channel: str) -> None:
        """Immediate if this process is in the group already: no request to Redis, and no queueing behind other
        requests."""
        name = self._get_group_channel_name(group)
        if channel in self.channels and self.groups.get(name) and name in self._get_shard(name)._subscribed_to:
            self.groups[name].add(channel)
            return
        try:
            async with _within_timeout():
                await super().group_add(group, channel)
        except BaseException:
            self.groups.get(name, set()).discard(channel)
            raise

    async def group_discard(self, group: str, channel: str) -> None:
        async with _within_timeout():
            await super().group_discard(group, channel)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        async with _within_timeout():
            await super().group_send(group, message)


class ImpatientRedisChannelLayer(RedisPubSubChannelLayer):  # type: ignore[misc]
    """The stock layer with a short timeout for hints and for sockets that open."""

    def _get_layer(self) -> RedisPubSubLoopLayer:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            self._layers[loop] = _ImpatientLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        return self._layers[loop]
