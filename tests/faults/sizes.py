"""How much a test of faults does: little in every run, and its full size where TEST_SIZE=full asks for it."""

import os

IS_FULL = os.environ.get("TEST_SIZE") == "full"


def size(small: int, *, full: int) -> int:
    """The number that this run is to reach."""
    return full if IS_FULL else small


def tell(figures: str) -> None:
    """What a test has done, for those who measure."""
    print(figures)  # noqa: T201
