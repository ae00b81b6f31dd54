"""How a process of the site collects garbage, and what it asks of glibc, so that memory that was given up goes back to
the machine."""

from __future__ import annotations

import atexit
import ctypes
import gc
import os
import sys

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8  # as in <malloc.h>
BLOCK = 128 * 1024  # bytes: what glibc begins with and, left alone, multiplies after the first large page
NEW_OBJECTS = 10_000  # more than were given up; Python's own 700 come together hundreds of times in a start


def collect_less_often() -> None:
    """Collect reference cycles less often than Python's default, because almost nothing that is imported is garbage;
    and not at exit, when the machine frees everything at once."""
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)


def give_back_what_is_free() -> bool:
    """Keep one heap instead of one for each thread, and no large blocks in it. Python hands it only what is larger than
    512 bytes, and one thread at a time does so: nobody waits. Whether this was done: on Linux with glibc alone, and not
    where the operator has said otherwise by `MALLOC_ARENA_MAX`."""
    if sys.platform != "linux" or "MALLOC_ARENA_MAX" in os.environ:
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    wanted = ((ARENA_MAX, 1), (MMAP_THRESHOLD, BLOCK), (TRIM_THRESHOLD, BLOCK))
    return {mallopt(name, most) for name, most in wanted} == {1}
