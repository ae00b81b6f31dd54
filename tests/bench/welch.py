"""Welch's test: whether two groups of times could be of one and the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, quantiles, variance
from typing import NamedTuple

MOST = 4.5
"""As in audits of cryptography: of two groups of the same thing, one comparison in some 150,000 is beyond it."""
KEPT = 90  # percent: the slowest tenth of both together are the machine's other work


class Compared(NamedTuple):
    """`t` of the samples that were kept, and how many those are in each group; `raw` of all samples."""

    t: float
    raw: float
    numbers: tuple[int, int]
    means: tuple[float, float]

    @property
    def is_same(self) -> bool:
        return abs(self.t) <= MOST


def compared(one: Sequence[float], other: Sequence[float]) -> Compared:
    """Two groups of times, of which the slowest of both together are left out: above the same time in both."""
    most = quantiles([*one, *other], n=100)[KEPT - 1]
    rows = [[time for time in group if time <= most] for group in (one, other)]
    numbers, means = (len(rows[0]), len(rows[1])), (fmean(rows[0]), fmean(rows[1]))
    return Compared(welch_t(*rows), welch_t(one, other), numbers, means)


def welch_t(one: Sequence[float], other: Sequence[float]) -> float:
    """How many standard errors the means are apart: above 0 where the first is greater; of groups that never vary 0
    where they are equal."""
    error = sqrt(variance(one) / len(one) + variance(other) / len(other))
    apart = fmean(one) - fmean(other)
    return apart / error if error else apart and float("inf") * apart
