"""Functions that compute a number from plain figures. (PU 1, 4.5, 5)"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from game.rulesets.power_up.tables import (
    COLUMNS,
    COMPANIES,
    END_SIZE,
    END_SIZE_OF_TWO,
    FIRST_BONUS,
    PRICE_STEP,
    ROWS,
    SECOND_BONUS,
    TILES_AT_START_PRICE,
)

Holder = int | None
"""A holder of shares: a seat, or None for the Department of Energy."""

CELLS = tuple(column + row for column in COLUMNS for row in ROWS)
"""Every cell, and thus every tile: by column, then by row. Sorting the labels gives this order."""


def _neighbours(cell: str) -> tuple[str, ...]:
    column, row = COLUMNS.index(cell[0]), ROWS.index(cell[1])
    near = ((column, row - 1), (column + 1, row), (column, row + 1), (column - 1, row))
    return tuple(COLUMNS[x] + ROWS[y] for x, y in near if 0 <= x < len(COLUMNS) and 0 <= y < len(ROWS))


NEIGHBOURS = {cell: _neighbours(cell) for cell in CELLS}
"""The cells above, to the right, below and to the left. (PU 1)"""


class Payout(msgspec.Struct, frozen=True):
    """The payout to one holder of a company that is taken over or cashed in: `bonus`, and `sale` for all its
    `shares`."""

    seat: int | None
    shares: int
    bonus: int
    sale: int

    @property
    def total(self) -> int:
        """Bonus and sale together, in dollars."""
        return self.bonus + self.sale


def price_at(company: str, size: int) -> int:
    """The share price of a company, by its number of tiles. (PU 1)"""
    return COMPANIES[company].start_price + PRICE_STEP * max(0, size - TILES_AT_START_PRICE)


def bonuses(held: Mapping[Holder, int], price: int) -> dict[Holder, int]:
    """Bonuses by holder; a split is rounded down and the remainder is not paid. (PU 4.5, P-9)"""
    if not held:
        return {}
    most = max(held.values())
    leaders = [holder for holder, shares in held.items() if shares == most]
    if len(leaders) > 1 or len(held) == 1:
        return dict.fromkeys(leaders, (FIRST_BONUS + SECOND_BONUS) * price // len(leaders))
    second = max(shares for shares in held.values() if shares < most)
    followers = [holder for holder, shares in held.items() if shares == second]
    return {leaders[0]: FIRST_BONUS * price, **dict.fromkeys(followers, SECOND_BONUS * price // len(followers))}


def payouts(held: Mapping[Holder, int], price: int) -> tuple[Payout, ...]:
    """The payouts to all holders of shares at a price: the seats in order, then the Department. (PU 4.5)"""
    extra = bonuses(held, price)
    return tuple(Payout(holder, shares, extra.get(holder, 0), shares * price) for holder, shares in held.items())


def end_of(sizes: Iterable[int], *, is_bag_empty: bool, has_empty_hand: bool) -> str:
    """The first condition for the end of the game that holds; empty if none does. (PU 5, P-3, P-4)"""
    listed = list(sizes)
    if any(size >= END_SIZE for size in listed):
        return "giant"
    if sum(size >= END_SIZE_OF_TWO for size in listed) > 1:
        return "rivals"
    return "exhausted" if is_bag_empty and has_empty_hand else ""
