"""The channel layer of the embedded default, which any thread may send to."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from channels.layers import InMemoryChannelLayer


class LoopInMemoryChannelLayer(InMemoryChannelLayer):
    """Carries every send to the consumers' event loop: from another thread the stock layer wakes nobody until chance does."""

    _home: asyncio.AbstractEventLoop | None = None

    async def new_channel(self, prefix: str = "specific.") -> str:
        self._home = asyncio.get_running_loop()
        return await super().new_channel(prefix)

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        await self._at_home(lambda: super(LoopInMemoryChannelLayer, self).send(channel, message))

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await self._at_home(lambda: super(LoopInMemoryChannelLayer, self).group_send(group, message))

    async def _at_home(self, make: Callable[[], Awaitable[None]]) -> None:
        home = self._home
        if home is None or home.is_closed() or home is asyncio.get_running_loop():
            return await make()

        async def carried() -> None:
            await make()

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(carried(), home))
