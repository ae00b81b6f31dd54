"""The cache of the service: what Redis cannot keep or give just now is taken as absent, and no answer waits for it."""

import json
import time
from collections.abc import Callable
from typing import Any

import structlog
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

PAUSE = 2  # seconds in which a Redis that failed is not asked again: one request may ask a dozen times
log = structlog.get_logger(__name__)


class Unreadable(Exception):
    """Something in Redis that was not put there by us, or by an older version."""


class JSONSerializer:
    """Plain values only: a pickle would let anyone who can write to Redis run code here."""

    def dumps(self, value: Any) -> Any:
        return value if type(value) is int else json.dumps(value, separators=(",", ":"))

    def loads(self, stored: bytes) -> Any:
        try:
            return json.loads(stored)
        except ValueError as error:
            raise Unreadable(str(error)) from None


class LossyRedisCache(RedisCache):
    """Fails open: an addition succeeds, so that limits let people in, and everything else finds nothing."""

    _away_until = 0.0

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        return self._try(lambda: super(LossyRedisCache, self).add(key, value, timeout, version), otherwise=True)

    def get(self, key: str, default: Any = None, version: Any = None) -> Any:
        return self._try(lambda: super(LossyRedisCache, self).get(key, default, version), otherwise=default)

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> None:
        self._try(lambda: super(LossyRedisCache, self).set(key, value, timeout, version), otherwise=None)

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        return self._try(lambda: super(LossyRedisCache, self).touch(key, timeout, version), otherwise=False)

    def delete(self, key: str, version: Any = None) -> bool:
        return self._try(lambda: super(LossyRedisCache, self).delete(key, version), otherwise=False)

    def get_many(self, keys: Any, version: Any = None) -> dict[str, Any]:
        return self._try(lambda: super(LossyRedisCache, self).get_many(keys, version), otherwise={})

    def has_key(self, key: str, version: Any = None) -> bool:
        return self._try(lambda: super(LossyRedisCache, self).has_key(key, version), otherwise=False)

    def incr(self, key: str, delta: int = 1, version: Any = None) -> int:
        return self._try(lambda: super(LossyRedisCache, self).incr(key, delta, version), otherwise=delta)

    def set_many(self, data: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> list[Any]:
        return self._try(lambda: super(LossyRedisCache, self).set_many(data, timeout, version), otherwise=list(data))

    def delete_many(self, keys: Any, version: Any = None) -> None:
        self._try(lambda: super(LossyRedisCache, self).delete_many(keys, version), otherwise=None)

    def clear(self) -> None:
        self._try(lambda: super(LossyRedisCache, self).clear(), otherwise=None)

    def _try(self, ask: Callable[[], Any], *, otherwise: Any) -> Any:
        if time.monotonic() < LossyRedisCache._away_until:
            return otherwise
        try:
            return ask()
        except RedisError as error:
            # For all threads of the process: Django makes one such object for each.
            LossyRedisCache._away_until = time.monotonic() + PAUSE
            log.warning("cache_away", error=str(error))
        except Unreadable as error:
            log.warning("cache_unreadable", error=str(error))
        return otherwise
