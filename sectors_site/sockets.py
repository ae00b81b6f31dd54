"""What every socket goes through before its consumer."""

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from redis.exceptions import RedisError

TRY_AGAIN_LATER = 1013
log = structlog.get_logger(__name__)


class ClosedWithoutRedis:
    """Closes a socket that Redis cannot serve now. The browser tries again, and meanwhile asks for the page every half
    minute."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(
        self, scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        is_open = True

        async def watched() -> Any:
            nonlocal is_open
            message = await receive()
            is_open = message["type"] != "websocket.disconnect"
            return message

        try:
            await self.inner(scope, watched, send)
        except RedisError as error:
            log.warning("socket_without_redis", error=str(error))
            if is_open:
                await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
