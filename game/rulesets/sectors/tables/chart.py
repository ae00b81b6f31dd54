"""The stock price chart. (S 3.1, 3.2, A16)"""

from bisect import bisect_right

TIERS = (
    (1, (3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20)),
    (
        2,
        (21, 23, 26, 29, 32, 35, 39, 43, 47, 51, 55, 60, 65, 70, 75, 80, 86, 92, 98, 104, 110, 117, 124, 131, 138, 145),
    ),
    (4, (153, 161, 169, 177, 185, 194, 203, 212, 221, 230, 240, 250, 260, 270, 280, 291)),
    (5, (302, 313, 324, 335, 346, 358, 370, 382, 394, 406, 418, 431, 444, 457, 470, 484, 498)),
    (6, (512, 526, 540, 555, 570, 585, 600)),
)
"""Per tier: the number of slots for one step up, and the prices in order, in whole dollars."""

PRICES = tuple(price for _, prices in TIERS for price in prices)
LAST = len(PRICES) - 1
TIER_STARTS = tuple(PRICES.index(prices[0]) for _, prices in TIERS)
STEP_OF = {price: step for step, price in enumerate(PRICES)}


def tier_of(step: int) -> int:
    """The tier, counted from 0, of a step of the chart."""
    return bisect_right(TIER_STARTS, step) - 1


def slots_at(step: int) -> int:
    """The number of shares to buy at this step for the price to rise."""
    return TIERS[tier_of(step)][0]


def nearest_step(price: int) -> int:
    """The step whose price is nearest; an exact midpoint goes to the lower price. (S 1.3)"""
    return min(range(len(PRICES)), key=lambda step: (abs(PRICES[step] - price), step))
