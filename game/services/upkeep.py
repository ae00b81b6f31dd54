"""Upkeep of one after another: what cannot be done to one is left for the next round, and holds no other up."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import structlog

log = structlog.get_logger(__name__)


def each_alone(act: Callable[[int], bool], numbers: Iterable[int]) -> int:
    """Do it to each of these; to how many it was done."""
    return sum(_alone(act, number) for number in numbers)


def _alone(act: Callable[[int], bool], number: int) -> bool:
    try:
        return act(number)
    except Exception:
        log.exception("upkeep_failed", what=f"{act.__module__}.{act.__name__}", number=number)
        return False
