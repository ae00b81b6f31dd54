"""What a process computes once and keeps for a while: never more than a few dozen of a kind, the oldest removed
first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class ProcessCache(Generic[T]):
    """Values by everything on which they depend, so a stored value is never out of date. A value belongs to its key
    alone: if only one seat may see it, the key contains the seat, and if it is in words, their language."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def get(self, facts: Hashable, make: Callable[[], T]) -> T:
        """What follows from these facts; where `make` fails, nothing is kept."""
        with self._lock:
            if facts in self._found:
                self._found.move_to_end(facts)
                return self._found[facts]
        made = make()
        with self._lock:
            self._found[facts] = made
            while len(self._found) > self._most:
                self._found.popitem(last=False)
        return made

    def clear(self) -> None:
        """Forget everything: for measurements, and for tests that change the rules themselves."""
        with self._lock:
            self._found.clear()

    def __len__(self) -> int:
        return len(self._found)
