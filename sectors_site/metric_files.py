"""Multi-process Prometheus counters: one file per process; files of dead processes are merged at start-up."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import mmap
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import uuid4

from prometheus_client import CollectorRegistry, generate_latest, values
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

LOCK_NAME, ALIVE_SUFFIX, COUNTS_SUFFIX = "lock", ".alive", ".db"
SUM_NAME = "gone"  # instead of a process name
INITIAL_BYTES = 1 << 16  # bytes of a new file; a full one is doubled


class ProcessNames:
    """Unique names for processes that count: process ids repeat, and two containers with one folder share them.

    A living process holds a lock on a file with its name; the system releases it however the process ends."""

    def __init__(self, home: Path) -> None:
        self._home, self._process, self._name, self._lock_fd = home, 0, "", -1

    def mine(self) -> str:
        """The name of this process; a forked child gets another one."""
        if self._process != os.getpid():
            self._name, self._process = uuid4().hex, os.getpid()
            # A full disk, or files of another user, must not prevent the start.
            with contextlib.suppress(OSError), _locked(self._home, fcntl.LOCK_EX):
                self._lock_fd = os.open(
                    self._home / f"{self._name}{ALIVE_SUFFIX}", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644
                )
                fcntl.flock(self._lock_fd, fcntl.LOCK_EX)
                _merge_dead(self._home)
        return self._name


class CounterFile(MmapedDict):
    """The counters of a process, in a file whose disk space is allocated before writing: writing to a mapped file on a
    full disk kills the process. Without space or folder it counts in memory: the figures are lost, but no request
    fails."""

    def __init__(self, filename: str) -> None:
        draft = Path(f"{filename}.new")  # a merging process never sees an incomplete file
        try:
            with draft.open("wb") as file:
                _allocate(file.fileno(), INITIAL_BYTES)
            draft.replace(filename)
            super().__init__(filename)  # type: ignore[no-untyped-call]
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink()
            self._f, self._positions, self._used, self._capacity = None, {}, 8, INITIAL_BYTES
            self._m = mmap.mmap(-1, INITIAL_BYTES)

    @property
    def is_on_disk(self) -> bool:
        """True if the counts are on disk."""
        return self._f is not None

    def _init_value(self, key: str) -> None:
        entry_bytes = len(key.encode()) + 40  # bytes of an entry, with padding and values
        while self._used + entry_bytes > self._capacity:
            self._grow()
        super()._init_value(key)  # type: ignore[no-untyped-call]

    def _grow(self) -> None:
        before, self._capacity = self._m, 2 * self._capacity
        try:
            if self._f is None:
                raise OSError(errno.ENOSPC, "in memory already")
            _allocate(self._f.fileno(), self._capacity)
            self._m = mmap.mmap(self._f.fileno(), self._capacity)
        except OSError:
            self._f, self._m = None, mmap.mmap(-1, self._capacity)
            self._m[: self._used] = before[: self._used]


def _allocate(file: int, length: int) -> None:
    """Extend a file to at least this length, with its space allocated if the system supports that."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, length)
    elif os.fstat(file).st_size < length:
        os.truncate(file, length)


def count_in_files(home: Path) -> None:
    """Keep this process's counters in files below `home`; call it before the first counter is created."""
    home.mkdir(mode=0o700, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(home)
    values.MmapedDict = CounterFile  # type: ignore[assignment, misc]
    values.ValueClass = values.MultiProcessValue(ProcessNames(home).mine)  # type: ignore[no-untyped-call]


def sum_counters(home: Path) -> bytes:
    """The sum over all living and dead processes, in Prometheus text format."""
    registry = CollectorRegistry()
    with _locked(home, fcntl.LOCK_SH):
        MultiProcessCollector(registry, str(home))  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def _merge_dead(home: Path) -> None:
    """Merge the files of dead processes into the sum; the caller holds the lock."""
    marks = [mark for mark in home.glob(f"*{ALIVE_SUFFIX}") if not _is_locked(mark)]
    dead = {mark.name.removesuffix(ALIVE_SUFFIX) for mark in marks}
    names = {mark.name.removesuffix(ALIVE_SUFFIX) for mark in home.glob(f"*{ALIVE_SUFFIX}")} - dead | {SUM_NAME}
    counted: dict[str, list[Path]] = defaultdict(list)
    for path in home.glob(f"*{COUNTS_SUFFIX}"):
        kind, _, name = path.stem.rpartition("_")
        if name not in names:
            counted[kind].append(path)
    for kind, paths in counted.items():
        _add_to_sum(home, kind, paths)
        for path in paths:
            path.unlink(missing_ok=True)
    for mark in marks:
        mark.unlink(missing_ok=True)


def _is_locked(mark: Path) -> bool:
    """True if the process of this file is alive."""
    with mark.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _add_to_sum(home: Path, kind: str, paths: Iterable[Path]) -> None:
    sum_file = home / f"{kind}_{SUM_NAME}{COUNTS_SUFFIX}"
    sums: dict[str, float] = defaultdict(float)
    for path in [sum_file, *paths] if sum_file.exists() else paths:
        if path.stat().st_size == 0:  # left by an earlier release that was killed
            continue
        for key, value, _, _ in MmapedDict.read_all_values_from_file(str(path)):  # type: ignore[no-untyped-call]
            sums[key] += value
    draft = sum_file.with_suffix(".new")
    draft.unlink(missing_ok=True)
    file = CounterFile(str(draft))
    for key, value in sums.items():
        file.write_value(key, value, 0.0)  # type: ignore[no-untyped-call]
    is_kept = file.is_on_disk
    file.close()  # type: ignore[no-untyped-call]
    if not is_kept:
        raise OSError(errno.ENOSPC, "No room for what was counted.", str(draft))
    draft.replace(sum_file)


@contextlib.contextmanager
def _locked(home: Path, operation: int) -> Iterator[None]:
    """Lock the folder, shared for readers or exclusively for a writer."""
    descriptor = os.open(home / LOCK_NAME, os.O_CREAT | os.O_RDONLY | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, operation)
        yield
    finally:
        os.close(descriptor)
