"""What Linux tells of running processes: who began whom, processor time and memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Stat(NamedTuple):
    """Ticks of processors: its own, and those of its children that have ended."""

    number: int
    parent: int
    ticks: int
    ticks_of_gone: int


def all_processes() -> Iterator[Stat]:
    """Those that can be read at this moment."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        user, system, users, systems = map(int, words[11:15])
        yield Stat(int(process.name), int(words[1]), user + system, users + systems)


def family_of(number: int) -> list[Stat]:
    """A process and its children."""
    return [stat for stat in all_processes() if number in (stat.number, stat.parent)]


def resident_megabytes(number: int | str = "self") -> float:
    """Of one process."""
    lines = Path(f"/proc/{number}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def share_of_megabytes(number: int) -> float:
    """Of one process, where a page of memory that n processes have in common counts as a nth in each: the sum over all
    is what they take from the machine."""
    lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))
