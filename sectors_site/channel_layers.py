"""The channel layers: in memory for the embedded default, on a Redis that may be away for the service."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer
from channels_redis.utils import _wrap_close
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from sectors_site.socket_buffer import Mailbox

PATIENCE = 2  # seconds for Redis to take a hint or a socket's subscription


class LoopInMemoryChannelLayer(InMemoryChannelLayer):
    """Carries every send to the consumers' event loop: from another thread, the stock layer wakes its readers only by
    chance."""

    _home: asyncio.AbstractEventLoop | None = None

    async def new_channel(self, prefix: str = "specific.") -> str:
        self._home = asyncio.get_running_loop()
        return await super().new_channel(prefix)

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        await self._at_home(lambda: super(LoopInMemoryChannelLayer, self).send(channel, message))

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await self._at_home(lambda: super(LoopInMemoryChannelLayer, self).group_send(group, message))

    async def forget(self, channel: str) -> None:
        """Whoever read it has gone."""
        self.channels.pop(channel, None)

    async def _at_home(self, make: Callable[[], Awaitable[None]]) -> None:
        home = self._home
        if home is None or home.is_closed() or home is asyncio.get_running_loop():
            return await make()

        async def carried() -> None:
            await make()

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(carried(), home))


@asynccontextmanager
async def _at_once() -> AsyncIterator[None]:
    """The layer takes one request after another: without a limit, those behind a Redis that hangs wait for all before
    them. A connection that Redis closes while uvloop writes is a `RuntimeError` there, and a connection lost here."""
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except RuntimeError as error:
        raise RedisConnectionError(str(error)) from error
    except TimeoutError as error:
        raise RedisTimeoutError(f"Redis did not answer within {PATIENCE} seconds.") from error


class _ImpatientLayer(RedisPubSubLoopLayer):  # type: ignore[misc]
    """Raises a `RedisError` within two seconds, and then forgets what it could not subscribe to."""

    async def _subscribe_to_channel(self, channel: str) -> None:
        """Hints are said to groups alone, so Redis is told of groups alone, once in each process however many sockets
        are in them."""
        self.channels[channel] = Mailbox()

    async def forget(self, channel: str) -> None:
        """Whoever read it has gone. The stock layer forgets a channel only where a reader is cancelled who waits."""
        self.channels.pop(channel, None)

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        raise TypeError("Hints are said to groups.")

    async def group_add(self, group: str, channel: str) -> None:
        """At once where this process is in the group already: Redis has nothing to be told, and nobody waits behind
        others who tell it something."""
        name = self._get_group_channel_name(group)
        if channel in self.channels and self.groups.get(name) and name in self._get_shard(name)._subscribed_to:
            self.groups[name].add(channel)
            return
        try:
            async with _at_once():
                await super().group_add(group, channel)
        except BaseException:
            self.groups.get(name, set()).discard(channel)
            raise

    async def group_discard(self, group: str, channel: str) -> None:
        async with _at_once():
            await super().group_discard(group, channel)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        async with _at_once():
            await super().group_send(group, message)


class ImpatientRedisChannelLayer(RedisPubSubChannelLayer):  # type: ignore[misc]
    """The stock layer, but with a short time limit on Redis for hints and for sockets that open."""

    def _get_layer(self) -> RedisPubSubLoopLayer:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            self._layers[loop] = _ImpatientLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        return self._layers[loop]
