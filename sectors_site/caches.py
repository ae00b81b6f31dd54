"""The caches, which also count; the service uses Redis. A Redis outage is treated as a cache miss: no response waits
for it, and each process counts for itself meanwhile."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import structlog
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

MAX_COUNTERS = 100_000  # about 20 MB
RETRY_SECONDS = 2  # seconds without Redis after a failure: one request may use it a dozen times
# Redis runs each script atomically: no count is lost, however many processes count at once, and every counter expires.
COUNT = """
local used = redis.call('INCRBY', KEYS[1], ARGV[2])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {used, redis.call('PTTL', KEYS[1])}
"""
REFUND = "if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end return 0"
REUSE_SECONDS = 1  # how long a process reuses a value that it has read
log = structlog.get_logger("sectors_site.caches")


@dataclass(slots=True)
class LocalCount:
    """A count until `ends`, in seconds since 1970."""

    used: int
    ends: float


class LocalCounters:
    """Thread-safe counters. If there are too many, the smallest are dropped: counting once each from many addresses
    does not evict a high count."""

    def __init__(self, most: int = MAX_COUNTERS) -> None:
        self._most, self._tallies, self._lock = most, dict[str, LocalCount](), threading.Lock()

    def __len__(self) -> int:
        return len(self._tallies)

    def count(self, key: str, seconds: int, amount: int = 1) -> tuple[int, float]:
        """Add an amount: the count, and the seconds until it expires."""
        now = time.time()
        with self._lock:
            tally = self._tallies.get(key)
            if tally is None or tally.ends <= now:
                self._make_room(now)
                tally = self._tallies[key] = LocalCount(0, now + seconds)
            tally.used += amount
            return tally.used, tally.ends - now

    def note(self, key: str, used: int, seconds: float) -> None:
        """Store a count that was made elsewhere."""
        now = time.time()
        with self._lock:
            if key not in self._tallies:
                self._make_room(now)
            self._tallies[key] = LocalCount(used, now + seconds)

    def read(self, key: str) -> tuple[int, float]:
        """The count, and the seconds until it expires; counts nothing."""
        now = time.time()
        tally = self._tallies.get(key)
        return (0, 0) if tally is None or tally.ends <= now else (tally.used, tally.ends - now)

    def refund(self, key: str) -> None:
        """Subtract one, if the counter still exists."""
        with self._lock:
            tally = self._tallies.get(key)
            if tally is not None and tally.used > 0:
                tally.used -= 1

    def forget(self, key: str) -> None:
        with self._lock:
            self._tallies.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._tallies.clear()

    def _make_room(self, now: float) -> None:
        """Drop a quarter at a time, so that the work per new counter is small."""
        if len(self._tallies) < self._most:
            return
        running = {key: tally for key, tally in self._tallies.items() if tally.ends > now}
        if len(running) > self._most * 3 // 4:
            by_size = sorted(running.items(), key=lambda each: each[1].used, reverse=True)
            running = dict(by_size[: self._most * 3 // 4])
        self._tallies = running


local_counters = LocalCounters()  # per process: Django creates a cache object for each request


class MemoryCache(LocMemCache):
    """The cache of the one-process site. Counters are separate, so that cached values do not evict them."""

    def get_recent(self, key: str) -> Any:
        """The value of a key, as in `LossyRedisCache.get_recent`."""
        return self.get(key)

    def count(self, keys: Sequence[tuple[str, int]]) -> list[tuple[int, float]]:
        """Add one to each key: its count, and the seconds until it expires. Repeated keys are counted each time."""
        return [local_counters.count(key, seconds) for key, seconds in keys]

    def charge(self, key: str, seconds: int, amount: int) -> None:
        """Add an amount to one key."""
        local_counters.count(key, seconds, amount)

    def peek(self, key: str) -> tuple[int, float]:
        """The count that this process knows, and the seconds until it expires; makes no request."""
        return local_counters.read(key)

    def refund(self, key: str) -> None:
        """Subtract one, if the counter still exists."""
        local_counters.refund(key)

    def exchange(self, key: str, other: str, seconds: int) -> int:
        """Subtract one from one key, if it still exists, and add one to the other. Returns the other's count."""
        local_counters.refund(key)
        return local_counters.count(other, seconds)[0]

    def forget(self, key: str) -> None:
        """Reset the counter to zero."""
        local_counters.forget(key)

    def clear(self) -> None:
        super().clear()
        local_counters.clear()


class UnreadableValue(Exception):
    """A value in Redis that was written by somebody else, or by an older version."""


class JSONSerializer:
    """Plain values only: a pickle would let anyone with write access to Redis run code here."""

    def dumps(self, value: Any) -> Any:
        return value if type(value) is int else json.dumps(value, separators=(",", ":"))

    def loads(self, stored: bytes) -> Any:
        try:
            return json.loads(stored)
        except ValueError as error:
            raise UnreadableValue(str(error)) from None


class LastingClient(RedisCacheClient):
    """Keeps one client object: Django creates one per command, a quarter of the command's cost."""

    @cached_property
    def _redis(self) -> Any:
        return super().get_client(write=True)

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        return self._redis


class LossyRedisCache(RedisCache):
    """Fails open: `add` succeeds, and everything else finds nothing."""

    _clients: ClassVar[dict[str, Any]] = {}  # by address
    _down_until = 0.0
    _read: ClassVar[dict[str, tuple[float, Any]]] = {}  # when and what, shared by all threads

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = LastingClient
        self._address = server

    @cached_property
    def _cache(self) -> Any:
        """One client per process with lasting connections: Django creates a cache for each request, and would connect
        each time."""
        return self._clients.setdefault(self._address, super()._cache)

    def get_recent(self, key: str) -> Any:
        """The value of a key, at most one second old: a process reads it once, not for every page."""
        now = time.monotonic()
        read_at, value = self._read.get(key, (-math.inf, None))
        if now - read_at >= REUSE_SECONDS:
            value = self.get(key)
            self._read[key] = now, value
        return value

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        return self._try(lambda: super(LossyRedisCache, self).add(key, value, timeout, version), default=True)

    def get(self, key: str, default: Any = None, version: Any = None) -> Any:
        return self._try(lambda: super(LossyRedisCache, self).get(key, default, version), default=default)

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> None:
        self._try(lambda: super(LossyRedisCache, self).set(key, value, timeout, version), default=None)

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        return self._try(lambda: super(LossyRedisCache, self).touch(key, timeout, version), default=False)

    def delete(self, key: str, version: Any = None) -> bool:
        return self._try(lambda: super(LossyRedisCache, self).delete(key, version), default=False)

    def get_many(self, keys: Any, version: Any = None) -> dict[str, Any]:
        return self._try(lambda: super(LossyRedisCache, self).get_many(keys, version), default={})

    def has_key(self, key: str, version: Any = None) -> bool:
        return self._try(lambda: super(LossyRedisCache, self).has_key(key, version), default=False)

    def incr(self, key: str, delta: int = 1, version: Any = None) -> int:
        return self._try(lambda: super(LossyRedisCache, self).incr(key, delta, version), default=delta)

    def set_many(self, data: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> list[Any]:
        return self._try(lambda: super(LossyRedisCache, self).set_many(data, timeout, version), default=list(data))

    def delete_many(self, keys: Any, version: Any = None) -> None:
        self._try(lambda: super(LossyRedisCache, self).delete_many(keys, version), default=None)

    def clear(self) -> None:
        self._try(lambda: super(LossyRedisCache, self).clear(), default=None)

    def count(self, keys: Sequence[tuple[str, int]]) -> list[tuple[int, float]]:
        """Add one to each key over all processes, in one round trip: its count, and the seconds until it expires.
        Repeated keys are counted each time."""
        scripts = [(COUNT, key, seconds, 1) for key, seconds in keys]
        results = self._try(lambda: self._run(*scripts), default=None)
        if results is None:
            return [local_counters.count(key, seconds) for key, seconds in keys]
        return [(used, milliseconds / 1000) for used, milliseconds in results]

    def charge(self, key: str, seconds: int, amount: int) -> None:
        """Add an amount to one key over all processes; this process remembers the resulting count."""
        results = self._try(lambda: self._run((COUNT, key, seconds, amount)), default=None)
        if results is None:
            local_counters.count(key, seconds, amount)
        else:
            [(used, milliseconds)] = results
            local_counters.note(key, used, milliseconds / 1000)

    def peek(self, key: str) -> tuple[int, float]:
        """The count that this process knows, and the seconds until it expires; makes no request."""
        return local_counters.read(key)

    def refund(self, key: str) -> None:
        """Subtract one, if the counter still exists."""
        if self._try(lambda: self._run((REFUND, key)), default=None) is None:
            local_counters.refund(key)

    def exchange(self, key: str, other: str, seconds: int) -> int:
        """Subtract one from one key, if it still exists, and add one to the other, in one round trip. Returns the
        other's count."""
        results = self._try(lambda: self._run((REFUND, key), (COUNT, other, seconds, 1)), default=None)
        if results is None:
            local_counters.refund(key)
            return local_counters.count(other, seconds)[0]
        return int(results[1][0])

    def forget(self, key: str) -> None:
        """Reset the counter to zero."""
        local_counters.forget(key)
        self.delete(key)

    def _run(self, *scripts: tuple[Any, ...]) -> list[Any]:
        """Run these scripts, each with its key and values, in one round trip."""
        pipeline = self._cache.get_client(None, write=True).pipeline(transaction=False)
        for script, key, *values in scripts:
            pipeline.eval(script, 1, self.make_and_validate_key(key), *values)
        return list(pipeline.execute())

    def _try(self, ask: Callable[[], Any], *, default: Any) -> Any:
        if time.monotonic() < LossyRedisCache._down_until:
            return default
        try:
            return ask()
        except RedisError as error:
            # Shared by all threads of the process.
            LossyRedisCache._down_until = time.monotonic() + RETRY_SECONDS
            log.warning("cache_away", error=str(error))
        except UnreadableValue as error:
            log.warning("cache_unreadable", error=str(error))
        return default
