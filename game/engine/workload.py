"""Limits the work of one step of the referee: a runaway loop ends at the same place on every machine."""

from __future__ import annotations

MOST_WORK = 100_000  # payments, draws and events per step; the busiest of 14,000 bot games had 88


class WorkloadError(Exception):
    """A step that does not end: a bug in the rules."""


class Workload:
    """Counts the payments, draws and events of one step of the referee."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def take(self) -> None:
        """Count one more. Raises `WorkloadError` beyond the limit."""
        self.count += 1
        if self.count > MOST_WORK:
            raise WorkloadError(f"more than {MOST_WORK} payments, draws and events in one step")
