"""The caches, which also count: the service's is Redis. What it cannot store or return at the moment counts as absent,
no response waits for it, and each process counts for itself until it is back."""

import json
import math
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, ClassVar

import structlog
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

from sectors_site.memory_counters import Tallies

PAUSE = 2  # seconds in which a Redis that failed is not asked again: one request may ask a dozen times
# Redis runs each as one step: of any number of processes that count at once, every count is counted, and no counter is
# without its end.
COUNT = """
local used = redis.call('INCRBY', KEYS[1], ARGV[2])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {used, redis.call('PTTL', KEYS[1])}
"""
GIVE_BACK = "if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end return 0"
LATELY = 1  # seconds for which a process shows on pages what it has read
tallies = Tallies()  # of this process: Django makes a cache for each request
log = structlog.get_logger("sectors_site.caches")


class MemoryCache(LocMemCache):
    """The cache of the one-process site. Counters are kept apart: what is cached does not push them out."""

    def lately(self, key: str) -> Any:
        """What a key holds."""
        return self.get(key)

    def count(self, asked: Sequence[tuple[str, int]]) -> list[tuple[int, float]]:
        """One more of each key: how many there are now, and in how many seconds they are forgotten. Of several that are
        the same, each is counted."""
        return [tallies.count(key, seconds) for key, seconds in asked]

    def charge(self, key: str, seconds: int, amount: int) -> None:
        """So many more of one key."""
        tallies.count(key, seconds, amount)

    def known(self, key: str) -> tuple[int, float]:
        """How many this process knows of, and in how many seconds they are forgotten; that asks nobody."""
        return tallies.read(key)

    def give_back(self, key: str) -> None:
        """One less, if it is still counted."""
        tallies.give_back(key)

    def exchange(self, key: str, other: str, seconds: int) -> int:
        """One less of one key, if it is still counted, and one more of the other: how many there are now of it."""
        tallies.give_back(key)
        return tallies.count(other, seconds)[0]

    def forget(self, key: str) -> None:
        """Count from nothing again."""
        tallies.forget(key)

    def clear(self) -> None:
        super().clear()
        tallies.clear()


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


class LastingClient(RedisCacheClient):
    """Asks its one server through one object: Django makes one for each question, a quarter of what the question
    costs."""

    @cached_property
    def _redis(self) -> Any:
        return super().get_client(write=True)

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        return self._redis


class LossyRedisCache(RedisCache):
    """Fails open: an addition succeeds, and everything else finds nothing."""

    _clients: ClassVar[dict[str, Any]] = {}  # by address
    _away_until = 0.0
    _read: ClassVar[dict[str, tuple[float, Any]]] = {}  # by all threads, and when

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = LastingClient
        self._address = server

    @cached_property
    def _cache(self) -> Any:
        """One client for the process, whose connections stay open: Django makes a cache for each request, and with it
        would connect each time."""
        return self._clients.setdefault(self._address, super()._cache)

    def lately(self, key: str) -> Any:
        """What a key holds or held within the last second: a process asks for it once, not for every page."""
        now = time.monotonic()
        read_at, value = self._read.get(key, (-math.inf, None))
        if now - read_at >= LATELY:
            value = self.get(key)
            self._read[key] = now, value
        return value

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

    def count(self, asked: Sequence[tuple[str, int]]) -> list[tuple[int, float]]:
        """One more of each key, over all processes, in one journey: how many there are now, and in how many seconds
        they are forgotten. Of several that are the same, each is counted."""
        scripts = [(COUNT, key, seconds, 1) for key, seconds in asked]
        counted = self._try(lambda: self._run(*scripts), otherwise=None)
        if counted is None:
            return [tallies.count(key, seconds) for key, seconds in asked]
        return [(used, left / 1000) for used, left in counted]

    def charge(self, key: str, seconds: int, amount: int) -> None:
        """So many more of one key, over all processes; this one remembers how many there were then."""
        counted = self._try(lambda: self._run((COUNT, key, seconds, amount)), otherwise=None)
        if counted is None:
            tallies.count(key, seconds, amount)
        else:
            [(used, left)] = counted
            tallies.note(key, used, left / 1000)

    def known(self, key: str) -> tuple[int, float]:
        """How many this process knows of, and in how many seconds they are forgotten; that asks nobody."""
        return tallies.read(key)

    def give_back(self, key: str) -> None:
        """One less, if it is still counted."""
        if self._try(lambda: self._run((GIVE_BACK, key)), otherwise=None) is None:
            tallies.give_back(key)

    def exchange(self, key: str, other: str, seconds: int) -> int:
        """One less of one key, if it is still counted, and one more of the other, in one journey: how many there are
        now of it."""
        done = self._try(lambda: self._run((GIVE_BACK, key), (COUNT, other, seconds, 1)), otherwise=None)
        if done is None:
            tallies.give_back(key)
            return tallies.count(other, seconds)[0]
        return int(done[1][0])

    def forget(self, key: str) -> None:
        """Count from nothing again."""
        tallies.forget(key)
        self.delete(key)

    def _run(self, *scripts: tuple[Any, ...]) -> list[Any]:
        """What each of these says, of its key and values, in one journey."""
        journey = self._cache.get_client(None, write=True).pipeline(transaction=False)
        for script, key, *values in scripts:
            journey.eval(script, 1, self.make_and_validate_key(key), *values)
        return list(journey.execute())

    def _try(self, ask: Callable[[], Any], *, otherwise: Any) -> Any:
        if time.monotonic() < LossyRedisCache._away_until:
            return otherwise
        try:
            return ask()
        except RedisError as error:
            # For all threads of the process.
            LossyRedisCache._away_until = time.monotonic() + PAUSE
            log.warning("cache_away", error=str(error))
        except Unreadable as error:
            log.warning("cache_unreadable", error=str(error))
        return otherwise
