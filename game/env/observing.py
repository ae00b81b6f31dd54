"""A view as numbers of a fixed count: every number and word in it, hashed by where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import log1p
from typing import Any
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

WIDTH = 1024
WORDS_ALONE = frozenset({"rail", "title", "default", "label", "text", "name"})  # they tell people what other fields say


def observe(view: Any) -> NDArray[np.float32]:
    """What one seat may know, and nothing else: `view` is what the rules show to it. Numbers grow like logarithms."""
    numbers = np.zeros(WIDTH, dtype=np.float32)
    for place, value in _leaves(msgspec.to_builtins(view), ""):
        at, sign = _place(place)
        numbers[at] += sign * value
    return numbers


def _leaves(value: Any, place: str) -> Iterator[tuple[str, float]]:
    match value:
        case None:
            return
        case bool() | int() | float():
            yield place, log1p(value) if value >= 0 else -log1p(-value)
        case str():
            yield f"{place}={value}", 1.0
        case dict():
            for name, inner in value.items():
                if name not in WORDS_ALONE:
                    yield from _leaves(inner, f"{place}/{name}")
        case _:
            for at, inner in enumerate(value):
                yield from _leaves(inner, f"{place}/{at}")


@lru_cache(maxsize=100_000)
def _place(place: str) -> tuple[int, int]:
    digest = crc32(place.encode())
    return digest % WIDTH, 1 if digest >> 31 else -1
