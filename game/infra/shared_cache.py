"""What takes seconds to compute and is the same for everybody: made once for all processes and kept for a day."""

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
KEPT_FOR = 86_400  # seconds


class SharedCache(ProcessCache[T]):
    """A cache of the process, behind it the site's. `kind` is the type of its values, none of which may be None."""

    def __init__(self, most: int, *, name: str, kind: type[T]) -> None:
        super().__init__(most)
        self._name, self._kind = name, kind
        self._rounds = count(1)
        self._round = 0

    def get(self, facts: Hashable, make: Callable[[], T]) -> T:
        """What follows from these facts; where `make` fails, nothing is kept."""
        return super().get(facts, lambda: self._read(facts) or self._keep(facts, make()))

    def forget_here(self) -> None:
        """As if this process had begun just now."""
        super().clear()

    def clear(self) -> None:
        """The values in the site's cache are not found any more either."""
        super().clear()
        self._round = next(self._rounds)

    def _read(self, facts: Hashable) -> T | None:
        packed = cache.get(self._key(facts))
        if packed is None:
            return None
        return msgspec.msgpack.decode(zstandard.decompress(b85decode(packed)), type=self._kind)

    def _keep(self, facts: Hashable, value: T) -> T:
        packed = zstandard.compress(msgspec.msgpack.encode(value))
        cache.set(self._key(facts), b85encode(packed).decode(), KEPT_FOR)
        return value

    def _key(self, facts: Hashable) -> str:
        return f"{self._name}:{self._round}:{blake2b(msgspec.msgpack.encode(facts), digest_size=16).hexdigest()}"
