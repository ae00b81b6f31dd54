"""The cost of a response: the CPU time of its thread, charged to the client."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time

from accounts import limits

CHEAP = 0.02  # seconds; cheaper work is not worth a request to the counter


class Work:
    """Running or finished work, with its CPU time."""

    def __init__(self) -> None:
        self.began, self.seconds = thread_time(), 0.0

    def charge(self, who: object) -> None:
        """Charge the work to a client."""
        if self.seconds >= CHEAP:
            limits.charge("work", who, round(self.seconds * 1000))


@contextmanager
def working() -> Iterator[Work]:
    """Measure the CPU time of the block."""
    work = Work()
    try:
        yield work
    finally:
        work.seconds = thread_time() - work.began
