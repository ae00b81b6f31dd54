"""Limits how many rounds of one kind of work run at the same time in a process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore


class Lanes:
    """A non-blocking semaphore: a round that finds no slot is skipped, because the next tick comes soon."""

    def __init__(self, most: int) -> None:
        self._free = BoundedSemaphore(most)

    @contextmanager
    def one(self) -> Iterator[bool]:
        """Try to acquire a slot for the block. Yields whether there was one."""
        is_acquired = self._free.acquire(blocking=False)
        try:
            yield is_acquired
        finally:
            if is_acquired:
                self._free.release()
