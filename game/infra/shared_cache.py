"""A cache for values that take seconds to compute and are the same for everybody: shared by all processes, for a
day."""

from __future__ import annotations

from base64 import b85decode, b85encode
from collections.abc import Callable, Hashable
from hashlib import blake2b
from itertools import count
from typing import TypeVar

import msgspec
import zstandard
from django.core.cache import cache

from game.infra.process_cache import ProcessCache

T = TypeVar("T")
LIFETIME_SECONDS = 86_400


class SharedCache(ProcessCache[T]):
    """A process cache in front of the site's cache. `kind` is the type of its values, none of which may be None."""

    def __init__(self, most: int, *, name: str, kind: type[T]) -> None:
        super().__init__(most)
        self._name, self._kind = name, kind
        self._rounds = count(1)
        self._round = 0

    def get(self, facts: Hashable, make: Callable[[], T]) -> T:
        """The value for these facts; nothing is stored if `make` fails."""
        return super().get(facts, lambda: self._read(facts) or self._store(facts, make()))

    def forget_here(self) -> None:
        """Empty the cache of this process only."""
        super().clear()

    def clear(self) -> None:
        """Empty the process cache, and ignore the site's values from now on."""
        super().clear()
        self._round = next(self._rounds)

    def _read(self, facts: Hashable) -> T | None:
        packed = cache.get(self._key(facts))
        if packed is None:
            return None
        return msgspec.msgpack.decode(zstandard.decompress(b85decode(packed)), type=self._kind)

    def _store(self, facts: Hashable, value: T) -> T:
        packed = zstandard.compress(msgspec.msgpack.encode(value))
        cache.set(self._key(facts), b85encode(packed).decode(), LIFETIME_SECONDS)
        return value

    def _key(self, facts: Hashable) -> str:
        return f"{self._name}:{self._round}:{blake2b(msgspec.msgpack.encode(facts), digest_size=16).hexdigest()}"
