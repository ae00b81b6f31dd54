"""A registry of decorated functions: cost, text and body of an effect in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

D = TypeVar("D")


class Registry(Mapping[str, D]):
    """Declared effects by key, in the order of the rulebook's table."""

    def __init__(self) -> None:
        self._declared: dict[str, D] = {}

    def add(self, key: str, declared: D) -> None:
        """Register an effect; each key only once."""
        if key in self._declared:
            raise ValueError(f"{key} is declared twice")
        self._declared[key] = declared

    def adder(
        self, key: str, make: Callable[[Callable[..., None]], D]
    ) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """A decorator that registers `make(body)` under `key` and returns the body unchanged."""

        def enter(body: Callable[..., None]) -> Callable[..., None]:
            self.add(key, make(body))
            return body

        return enter

    def __getitem__(self, key: str) -> D:
        return self._declared[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    def __len__(self) -> int:
        return len(self._declared)
