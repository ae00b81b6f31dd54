"""A small in-process LRU cache of computed values."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class ProcessCache(Generic[T]):
    """Values by everything they depend on, so a stored value is never out of date. If only one seat may see a value,
    the key contains the seat; if it contains text, the key contains the language."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def get(self, facts: Hashable, make: Callable[[], T]) -> T:
        """The value for these facts; nothing is stored if `make` fails."""
        with self._lock:
            if facts in self._values:
                self._values.move_to_end(facts)
                return self._values[facts]
        value = make()
        with self._lock:
            self._values[facts] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value

    def clear(self) -> None:
        """Empty the cache: for measurements, and for tests that change the rules."""
        with self._lock:
            self._values.clear()

    def __len__(self) -> int:
        return len(self._values)
