"""In-memory counters of one process, each with a fixed lifetime from its first count."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

MAX_COUNTERS = 100_000  # about 20 MB


@dataclass(slots=True)
class Tally:
    """A count until `ends`, in seconds since 1970."""

    used: int
    ends: float


class Tallies:
    """Thread-safe counters. If there are too many, the smallest are dropped: counting once each from many addresses
    does not evict a high count."""

    def __init__(self, most: int = MAX_COUNTERS) -> None:
        self._most, self._tallies, self._lock = most, dict[str, Tally](), threading.Lock()

    def __len__(self) -> int:
        return len(self._tallies)

    def count(self, key: str, seconds: int, amount: int = 1) -> tuple[int, float]:
        """Add an amount: the count, and the seconds until it expires."""
        now = time.time()
        with self._lock:
            tally = self._tallies.get(key)
            if tally is None or tally.ends <= now:
                self._make_room(now)
                tally = self._tallies[key] = Tally(0, now + seconds)
            tally.used += amount
            return tally.used, tally.ends - now

    def note(self, key: str, used: int, left: float) -> None:
        """Store a count that was made elsewhere."""
        now = time.time()
        with self._lock:
            if key not in self._tallies:
                self._make_room(now)
            self._tallies[key] = Tally(used, now + left)

    def read(self, key: str) -> tuple[int, float]:
        """The count, and the seconds until it expires; counts nothing."""
        now = time.time()
        tally = self._tallies.get(key)
        return (0, 0) if tally is None or tally.ends <= now else (tally.used, tally.ends - now)

    def give_back(self, key: str) -> None:
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
