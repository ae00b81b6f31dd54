"""Counters of several processes: each counts in files of its own, and a process that starts adds those of ended ones to
one sum, so that the folder has only files of running processes."""

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

LOCK, ALIVE, COUNTED = "lock", ".alive", ".db"
SUM = "gone"  # in the place of a process's name
ROOM = 1 << 16  # bytes of a new file; one that is full gets twice as many


class Names:
    """A name for each process that counts: process numbers repeat, and two containers with one folder have the same.

    While it lives, a process holds the lock of a file with its name; the system lets go of it however the process
    ends."""

    def __init__(self, home: Path) -> None:
        self._home, self._process, self._name, self._held = home, 0, "", -1

    def mine(self) -> str:
        """The name of this process; a child that was forked gets another at once."""
        if self._process != os.getpid():
            self._name, self._process = uuid4().hex, os.getpid()
            # A full disk and counters of another user are no reason not to start.
            with contextlib.suppress(OSError), _locked(self._home, fcntl.LOCK_EX):
                self._held = os.open(self._home / f"{self._name}{ALIVE}", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
                fcntl.flock(self._held, fcntl.LOCK_EX)
                _add_up_the_dead(self._home)
        return self._name


class Counts(MmapedDict):
    """What a process counts, in a file whose room on the disk is taken before anything is written: a write to what a
    full disk has no room for ends the process. Where there is no room, or no folder, it counts in memory: the figures
    are lost, and nobody who asks for a page notices."""

    def __init__(self, filename: str) -> None:
        empty = Path(f"{filename}.new")  # whoever adds up never sees one that is not whole
        try:
            with empty.open("wb") as file:
                _take_room(file.fileno(), ROOM)
            empty.replace(filename)
            super().__init__(filename)  # type: ignore[no-untyped-call]
        except OSError:
            with contextlib.suppress(OSError):
                empty.unlink()
            self._f, self._positions, self._used, self._capacity = None, {}, 8, ROOM
            self._m = mmap.mmap(-1, ROOM)

    @property
    def is_kept(self) -> bool:
        """Whether it is on the disk."""
        return self._f is not None

    def _init_value(self, key: str) -> None:
        longest = len(key.encode()) + 40  # with all that is around it
        while self._used + longest > self._capacity:
            self._grow()
        super()._init_value(key)  # type: ignore[no-untyped-call]

    def _grow(self) -> None:
        before, self._capacity = self._m, 2 * self._capacity
        try:
            if self._f is None:
                raise OSError(errno.ENOSPC, "in memory already")
            _take_room(self._f.fileno(), self._capacity)
            self._m = mmap.mmap(self._f.fileno(), self._capacity)
        except OSError:
            self._f, self._m = None, mmap.mmap(-1, self._capacity)
            self._m[: self._used] = before[: self._used]


def _take_room(file: int, length: int) -> None:
    """Make a file at least so long, with all of it on the disk where the system can promise that."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, length)
    elif os.fstat(file).st_size < length:
        os.truncate(file, length)


def count_in_files(home: Path) -> None:
    """From now on this process's counters lie in files below `home`; to be called before the first is made."""
    home.mkdir(mode=0o700, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(home)
    values.MmapedDict = Counts  # type: ignore[assignment, misc]
    values.ValueClass = values.MultiProcessValue(Names(home).mine)  # type: ignore[no-untyped-call]


def added_up(home: Path) -> bytes:
    """What all processes have counted that live and that lived, in the words of Prometheus."""
    registry = CollectorRegistry()
    with _locked(home, fcntl.LOCK_SH):
        MultiProcessCollector(registry, str(home))  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def _add_up_the_dead(home: Path) -> None:
    """Move what the dead have counted into the sum; the folder is locked."""
    marks = [mark for mark in home.glob(f"*{ALIVE}") if not _is_held(mark)]
    dead = {mark.name.removesuffix(ALIVE) for mark in marks}
    known = {mark.name.removesuffix(ALIVE) for mark in home.glob(f"*{ALIVE}")} - dead | {SUM}
    counted: dict[str, list[Path]] = defaultdict(list)
    for path in home.glob(f"*{COUNTED}"):
        kind, _, name = path.stem.rpartition("_")
        if name not in known:
            counted[kind].append(path)
    for kind, paths in counted.items():
        _add(home, kind, paths)
        for path in paths:
            path.unlink(missing_ok=True)
    for mark in marks:
        mark.unlink(missing_ok=True)


def _is_held(mark: Path) -> bool:
    """Whether the process lives that this file belongs to."""
    with mark.open("rb") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _add(home: Path, kind: str, paths: Iterable[Path]) -> None:
    whole = home / f"{kind}_{SUM}{COUNTED}"
    sums: dict[str, float] = defaultdict(float)
    for path in [whole, *paths] if whole.exists() else paths:
        if path.stat().st_size == 0:  # an earlier release left it so where it was killed
            continue
        for key, value, _, _ in MmapedDict.read_all_values_from_file(str(path)):  # type: ignore[no-untyped-call]
            sums[key] += value
    fresh = whole.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    file = Counts(str(fresh))
    for key, value in sums.items():
        file.write_value(key, value, 0.0)  # type: ignore[no-untyped-call]
    is_kept = file.is_kept
    file.close()  # type: ignore[no-untyped-call]
    if not is_kept:
        raise OSError(errno.ENOSPC, "No room for what was counted.", str(fresh))
    fresh.replace(whole)


@contextlib.contextmanager
def _locked(home: Path, how: int) -> Iterator[None]:
    """The folder, for those who read it or for one who changes it."""
    number = os.open(home / LOCK, os.O_CREAT | os.O_RDONLY | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(number, how)
        yield
    finally:
        os.close(number)
