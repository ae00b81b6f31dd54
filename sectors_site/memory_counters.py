"""Counters in the memory of one process, each for so many seconds from its first count."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

MOST = 100_000  # counters at a time, some 20 MB


@dataclass(slots=True)
class Tally:
    """How often until when; `ends` is in seconds since 1970."""

    used: int
    ends: float


class Tallies:
    """Counts from any number of threads are all counted. Where there are too many counters, the smallest are
    forgotten: whoever asks once each from many addresses does not wash out what one of them has run up."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._kept, self._lock = most, dict[str, Tally](), threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def count(self, key: str, seconds: int, amount: int = 1) -> tuple[int, float]:
        """So many more: how many there are now, and in how many seconds they are forgotten."""
        now = time.time()
        with self._lock:
            tally = self._kept.get(key)
            if tally is None or tally.ends <= now:
                self._make_room(now)
                tally = self._kept[key] = Tally(0, now + seconds)
            tally.used += amount
            return tally.used, tally.ends - now

    def note(self, key: str, used: int, left: float) -> None:
        """What somebody else has counted."""
        now = time.time()
        with self._lock:
            if key not in self._kept:
                self._make_room(now)
            self._kept[key] = Tally(used, now + left)

    def read(self, key: str) -> tuple[int, float]:
        """How many there are, and in how many seconds they are forgotten; nothing is counted."""
        now = time.time()
        tally = self._kept.get(key)
        return (0, 0) if tally is None or tally.ends <= now else (tally.used, tally.ends - now)

    def give_back(self, key: str) -> None:
        """One less, if it is still counted."""
        with self._lock:
            tally = self._kept.get(key)
            if tally is not None and tally.used > 0:
                tally.used -= 1

    def forget(self, key: str) -> None:
        with self._lock:
            self._kept.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()

    def _make_room(self, now: float) -> None:
        """A quarter at a time: the work for each new counter is small."""
        if len(self._kept) < self._most:
            return
        running = {key: tally for key, tally in self._kept.items() if tally.ends > now}
        if len(running) > self._most * 3 // 4:
            by_size = sorted(running.items(), key=lambda each: each[1].used, reverse=True)
            running = dict(by_size[: self._most * 3 // 4])
        self._kept = running
