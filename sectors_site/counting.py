"""Counters of several processes: each counts in files of its own, and a process that starts adds those of ended ones to
one sum, so that the folder has only files of running processes."""

from __future__ import annotations

import contextlib
import fcntl
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


class Names:
    """A name for each process that counts: process numbers repeat, and two containers with one folder have the same.

    While it lives, a process holds the lock of a file with its name; the system lets go of it however the process
    ends."""

    def __init__(self, home: Path) -> None:
        self._home, self._process, self._name, self._held = home, 0, "", -1

    def mine(self) -> str:
        """The name of this process; a child that was forked gets another at once."""
        if self._process != os.getpid():
            with _locked(self._home, fcntl.LOCK_EX):
                self._name = uuid4().hex
                self._held = os.open(self._home / f"{self._name}{ALIVE}", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
                fcntl.flock(self._held, fcntl.LOCK_EX)
                self._process = os.getpid()
                # Counters of another user are no reason not to start.
                with contextlib.suppress(PermissionError):
                    _add_up_the_dead(self._home)
        return self._name


def count_in_files(home: Path) -> None:
    """From now on this process's counters lie in files below `home`; to be called before the first is made."""
    home.mkdir(mode=0o700, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(home)
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
    for path in [*marks, *(path for paths in counted.values() for path in paths)]:
        path.unlink(missing_ok=True)


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
        for key, value, _, _ in MmapedDict.read_all_values_from_file(str(path)):  # type: ignore[no-untyped-call]
            sums[key] += value
    fresh = whole.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    file = MmapedDict(str(fresh))  # type: ignore[no-untyped-call]
    for key, value in sums.items():
        file.write_value(key, value, 0.0)  # type: ignore[no-untyped-call]
    file.close()  # type: ignore[no-untyped-call]
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
