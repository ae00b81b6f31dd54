"""Process rows one by one: a row that fails is left for the next round and does not stop the others. The round ends if
the database is down."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import structlog
from django.db import connection

log = structlog.get_logger("game.services.upkeep")


def each_alone(act: Callable[[int], bool], numbers: Iterable[int]) -> int:
    """Apply `act` to each id, isolating failures. Returns the number of successes."""
    return sum(_try_one(act, number) for number in numbers)


def _try_one(act: Callable[[int], bool], number: int) -> bool:
    try:
        return act(number)
    except Exception:
        if not connection.is_usable():
            raise
        log.exception("upkeep_failed", what=f"{act.__module__}.{act.__name__}", number=number)
        return False
