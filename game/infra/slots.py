"""How many rounds of one kind of work a process does at one time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore


class Lanes:
    """Room for a number of rounds. A caller that finds none does not wait: the next tick comes soon."""

    def __init__(self, most: int) -> None:
        self._free = BoundedSemaphore(most)

    @contextmanager
    def one(self) -> Iterator[bool]:
        """Whether there was room; it is taken meanwhile."""
        is_mine = self._free.acquire(blocking=False)
        try:
            yield is_mine
        finally:
            if is_mine:
                self._free.release()
