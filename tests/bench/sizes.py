"""How much the bench measures: enough to tell something, or next to nothing where BENCH_SIZE=small asks for it, so that
a test may run every part."""

import os
from typing import TypeVar

T = TypeVar("T")
IS_SMALL = os.environ.get("BENCH_SIZE") == "small"


def size(full: T, *, small: T) -> T:
    """What this run is to reach."""
    return small if IS_SMALL else full
