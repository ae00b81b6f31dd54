"""Recorded draws of a game, so that anybody can repeat them from its secret."""

from __future__ import annotations

import msgspec

from game.engine.chance import Chance
from game.engine.workload import Workload


class Draw(msgspec.Struct, frozen=True, array_like=True):
    """One draw: `value` came out of 0 to `limit` − 1. `branch` grows with each rewind; `step` is the action of the
    phase, where seats act one after another; `counter` tells draws of one label and place apart, from 0."""

    branch: int
    serial: int
    step: int | None
    label: str
    counter: int
    limit: int
    value: int

    @property
    def name(self) -> str:
        """The part of the hashed key after the secret and a slash."""
        step = "" if self.step is None else f".{self.step}"
        return f"{self.branch}/{self.serial}{step}/{self.label}/{self.counter}"


class RecordedChance(Chance):
    """Chance that records each of its draws in a book."""

    def __init__(
        self,
        secret: str,
        book: list[Draw],
        branch: int = 0,
        serial: int = 0,
        step: int | None = None,
        *,
        workload: Workload | None = None,
    ) -> None:
        super().__init__(secret, branch, serial, step, workload=workload)
        self.book = book

    def at(self, *, branch: int, serial: int, step: int | None = None, workload: Workload | None = None) -> Chance:
        return RecordedChance(self._secret, self.book, branch, serial, step, workload=workload)

    def below(self, label: str, limit: int) -> int:
        counter = self._counters.get(label, 0)
        value = super().below(label, limit)
        self.book.append(Draw(*self._at, label, counter, limit, value))
        return value
