"""Upkeep, one row after another: one that fails is left for the next round and does not stop the others. Where the
database itself is away, the round ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import structlog
from django.db import connection

log = structlog.get_logger("game.services.upkeep")


def each_alone(act: Callable[[int], bool], numbers: Iterable[int]) -> int:
    """Do it to each of these; returns to how many it was done."""
    return sum(_alone(act, number) for number in numbers)


def _alone(act: Callable[[int], bool], number: int) -> bool:
    try:
        return act(number)
    except Exception:
        if not connection.is_usable():
            raise
        log.exception("upkeep_failed", what=f"{act.__module__}.{act.__name__}", number=number)
        return False
