"""Reliability score: beta-distributed estimate with an interval; older decisions weigh less.

Each decision, made in time or missed, weighs 1 on its day and half as much after `HALF_LIFE` days, a quarter after
twice as many. With `made` and `missed` as the sums of these weights:

    reliability = (made + PRIOR_MADE) / (made + missed + PRIOR_MADE + PRIOR_MISSED)

This is the mean of a beta distribution: without a record, or with a very old one, it is that of the prior. The interval
contains nine tenths of the distribution."""

from __future__ import annotations

import math
from datetime import date
from typing import NamedTuple

HALF_LIFE = 42  # days
PRIOR_MADE, PRIOR_MISSED = 9, 1  # the prior, with the weight of ten fresh decisions
RESIGNING = 3  # leaving a game that others continue weighs as much as this many missed decisions
INTERVAL_SHARE = 0.9  # of the distribution
WEIGHT_EPOCH = date(2026, 1, 1)
ROUNDING = 1e-9  # tolerance, because databases add sums in any order
STEPS, CLOSE_ENOUGH, TINY = 300, 1e-12, 1e-300
HALVINGS = 40


class Estimate(NamedTuple):
    """Three shares from 0 to 1: the expected one, and the bounds of the interval."""

    share: float
    least: float
    most: float


def weight_of(day: date) -> float:
    """The weight of a decision of that day in a running sum. It grows with the day, so that older ones fade in a sum
    without being updated. Good for a hundred years from `WEIGHT_EPOCH`."""
    return float(2 ** ((day - WEIGHT_EPOCH).days / HALF_LIFE))


def faded(weight: float, today: date) -> float:
    """A sum of `weight_of` values, scaled so that a decision of today weighs 1."""
    return max(weight, 0) / weight_of(today)


def share_of(made: float, missed: float) -> float:
    """The expected share of decisions made in time, above 0 and below 1."""
    return (made + PRIOR_MADE) / (made + missed + PRIOR_MADE + PRIOR_MISSED)


def estimate(made: float, missed: float) -> Estimate:
    """The share with its interval, from weights scaled to today, neither of them negative."""
    a, b, tail = made + PRIOR_MADE, missed + PRIOR_MISSED, (1 - INTERVAL_SHARE) / 2
    return Estimate(share_of(made, missed), _quantile(a, b, tail), _quantile(a, b, 1 - tail))


def percent(share: float) -> int:
    """The percentage, rounded down, so that nobody is shown more than they have reached."""
    return math.floor(share * 100 + ROUNDING)


def _quantile(a: float, b: float, below: float) -> float:
    """The quantile of the beta distribution: `below` is the probability of a smaller value."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(a, b, middle) < below else (low, middle)
    return (low + high) / 2


def _below(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function: the probability of a value below x, strictly between 0 and 1."""
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    # The fraction converges quickly on this side of the mean; the other side is its mirror.
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1))
    product = d
    for m in range(1, STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d, c = 1 / _not_zero(1 + term * d), _not_zero(1 + term / c)
            product *= d * c
        if abs(d * c - 1) < CLOSE_ENOUGH:
            break
    return product


def _not_zero(number: float) -> float:
    return number if abs(number) > TINY else TINY
