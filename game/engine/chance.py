"""Named random streams: every draw has a name, so that an extra draw elsewhere changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from typing import Any, TypeVar

from game.engine.workload import Workload

T = TypeVar("T")


class Chance:
    """Draws of one game, keyed by secret, branch, phase serial, label and counter; `workload` counts them.

    In phases of turns the key also holds the step, so that two actions of one phase draw differently."""

    _place = ""  # computed at the first draw: most phases draw nothing
    has_drawn = False

    def __init__(
        self,
        secret: str,
        branch: int = 0,
        serial: int = 0,
        step: int | None = None,
        *,
        workload: Workload | None = None,
    ) -> None:
        self._secret = secret
        self._at = (branch, serial, step)
        self._counters: dict[str, int] = {}
        self.workload = workload or Workload()

    @property
    def serial(self) -> int:
        """The serial of the phase that draws."""
        return self._at[1]

    def at(self, *, branch: int, serial: int, step: int | None = None, workload: Workload | None = None) -> Chance:
        """The chance of this game in the phase with that serial, or at one step of it."""
        return Chance(self._secret, branch, serial, step, workload=workload)

    def below(self, label: str, limit: int) -> int:
        """A uniform integer in 0..limit-1."""
        self.workload.take()
        counter = self._counters.get(label, 0)
        self._counters[label] = counter + 1
        self.has_drawn = True
        key = f"{self._place or self._find_place()}/{label}/{counter}".encode()
        # 128 bits over ranges below 10^6: the modulo's bias is under 2^-100.
        return int.from_bytes(blake2b(key, digest_size=16).digest(), "big") % limit

    def _find_place(self) -> str:
        branch, serial, step = self._at
        self._place = (
            f"{self._secret}/{branch}/{serial}" if step is None else f"{self._secret}/{branch}/{serial}.{step}"
        )
        return self._place

    def integer(self, label: str, low: int, high: int) -> int:
        """A uniform integer in low..high, inclusive."""
        return low + self.below(label, high - low + 1)

    def pick(self, label: str, options: Sequence[T]) -> T:
        """One of the options, all equally likely."""
        return options[self.below(label, len(options))]

    def lasting(self, label: str, number: int, options: Sequence[T]) -> T:
        """One of the options, drawn once per game for this label and number: the same in every phase."""
        return options[_lasting(self._secret, label, number, len(options))]

    def weighted(self, label: str, weights: Mapping[T, int]) -> T:
        """One of the keys, with probability proportional to its weight."""
        at = self.below(label, sum(weights.values()))
        return next(key for key, upto in zip(weights, accumulate(weights.values()), strict=True) if at < upto)

    def order(self, label: str, options: Sequence[T]) -> list[T]:
        """All options in drawn order."""
        return self.sample(label, options, len(options))

    def sample(self, label: str, options: Sequence[T], count: int) -> list[T]:
        """`count` different options, in drawn order."""
        remaining = list(options)
        return [remaining.pop(self.below(label, len(remaining))) for _ in range(count)]


@lru_cache(maxsize=1024)
def _lasting(secret: str, label: str, number: int, count: int) -> int:
    return Chance(secret, 0, number).below(label, count)


class ScriptedChance(Chance):
    """Chance with scripted answers per label; without an answer it draws from the seed."""

    def __init__(
        self,
        secret: str,
        script: dict[str, list[Any]],
        branch: int = 0,
        serial: int = 0,
        step: int | None = None,
        *,
        workload: Workload | None = None,
    ) -> None:
        super().__init__(secret, branch, serial, step, workload=workload)
        self._script = script

    def at(self, *, branch: int, serial: int, step: int | None = None, workload: Workload | None = None) -> Chance:
        return ScriptedChance(self._secret, self._script, branch, serial, step, workload=workload)

    def integer(self, label: str, low: int, high: int) -> int:
        value = self._next(label, None)
        return (
            super().integer(label, low, high)
            if value is None
            else _checked(label, value, type(value) is int and low <= value <= high)
        )

    def pick(self, label: str, options: Sequence[T]) -> T:
        value = self._next(label, None)
        return super().pick(label, options) if value is None else _checked(label, value, value in options)

    def weighted(self, label: str, weights: Mapping[T, int]) -> T:
        value = self._next(label, None)
        return super().weighted(label, weights) if value is None else _checked(label, value, value in list(weights))

    def order(self, label: str, options: Sequence[T]) -> list[T]:
        value = self._next(label, None)
        if value is None:
            return super().order(label, options)
        answer = list(value) if isinstance(value, list | tuple) else [value]
        return _checked(label, answer, sorted(map(repr, answer)) == sorted(map(repr, options)))

    def sample(self, label: str, options: Sequence[T], count: int) -> list[T]:
        value = self._next(label, None)
        if value is None:
            return super().sample(label, options, count)
        answer = list(value) if isinstance(value, list | tuple) else [value]
        is_possible = len(answer) == count and not Counter(map(repr, answer)) - Counter(map(repr, options))
        return _checked(label, answer, is_possible)

    def _next(self, label: str, default: Any) -> Any:
        self.has_drawn = True
        answers = self._script.get(label)
        return answers.pop(0) if answers else default


def _checked(label: str, value: T, is_possible: bool) -> T:
    if not is_possible:
        raise ValueError(f"the scripted draw {label} = {value!r} is not possible here")
    return value
