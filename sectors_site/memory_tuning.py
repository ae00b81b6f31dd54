"""Garbage collection and glibc settings of site processes, so that freed memory returns to the machine."""

from __future__ import annotations

import atexit
import ctypes
import gc
import os
import sys

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8  # as in <malloc.h>
MMAP_BYTES = 128 * 1024  # glibc's initial value, which it raises after the first large page unless it is set
GC_THRESHOLD = 10_000  # net allocations; Python's default of 700 triggers hundreds of times during a start


def collect_less_often() -> None:
    """Collect reference cycles less often than Python's default, because almost nothing imported is garbage; and not at
    exit, when the OS frees everything."""
    gc.set_threshold(GC_THRESHOLD)
    atexit.register(gc.freeze)


def give_back_what_is_free() -> bool:
    """Use one heap instead of one per thread, without large blocks. Python requests only blocks above 512 bytes from
    it, one thread at a time, so nobody waits. True if done: only on Linux with glibc, and not if the operator has set
    `MALLOC_ARENA_MAX`."""
    if sys.platform != "linux" or "MALLOC_ARENA_MAX" in os.environ:
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    options = ((ARENA_MAX, 1), (MMAP_THRESHOLD, MMAP_BYTES), (TRIM_THRESHOLD, MMAP_BYTES))
    return {mallopt(name, value) for name, value in options} == {1}
