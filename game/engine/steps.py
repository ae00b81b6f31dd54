"""How much one step of the referee may do: a loop over the kernel's verbs ends at the same place on every machine."""

from __future__ import annotations

MOST_STEPS = 100_000  # payments, draws and events of one step; the busiest of 14,000 played by bots had 88


class StepsError(Exception):
    """A step that does not end: a bug in the rules."""


class Steps:
    """Counts the payments, draws and events of one step of the referee."""

    __slots__ = ("taken",)

    def __init__(self) -> None:
        self.taken = 0

    def take(self) -> None:
        """Count one more. Raises `StepsError` beyond the limit."""
        self.taken += 1
        if self.taken > MOST_STEPS:
            raise StepsError(f"more than {MOST_STEPS} payments, draws and events in one step")
