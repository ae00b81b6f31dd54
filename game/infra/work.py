"""What an answer costs: the processor time of the thread that makes it, charged to who asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time

from accounts import limits

CHEAP = 0.02  # seconds; what costs less is not worth an errand to the counter


class Work:
    """Work that is going on or done."""

    def __init__(self) -> None:
        self.began, self.seconds = thread_time(), 0.0

    def charge(self, who: object) -> None:
        """Count it for whom it was done."""
        if self.seconds >= CHEAP:
            limits.charge("work", who, round(self.seconds * 1000))


@contextmanager
def working() -> Iterator[Work]:
    """Measure what is done inside."""
    work = Work()
    try:
        yield work
    finally:
        work.seconds = thread_time() - work.began
