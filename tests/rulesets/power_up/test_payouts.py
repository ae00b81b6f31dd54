"""PU 4.5: bonuses and sales, with their splits and roundings."""

from __future__ import annotations

import pytest

from game.rulesets.power_up.numbers import Holder, bonuses, payouts


def totals(held: dict[Holder, int], price: int) -> list[int]:
    return [payout.total for payout in payouts(held, price)]


def test_example_7_clear_leader_and_a_tie_for_second() -> None:
    held: dict[Holder, int] = {0: 5, 1: 3, 2: 3, 3: 1}
    assert bonuses(held, 200) == {0: 2000, 1: 500, 2: 500}
    assert [payout.sale for payout in payouts(held, 200)] == [1000, 600, 600, 200]
    assert totals(held, 200) == [3000, 1100, 1100, 200]


def test_example_8_the_department_shares_the_lead() -> None:
    held: dict[Holder, int] = {0: 5, 1: 7, None: 7}
    assert bonuses(held, 400) == {1: 3000, None: 3000}
    assert totals(held, 400) == [2000, 5800, 5800]


def test_example_9_sole_holder() -> None:
    (only,) = payouts({0: 1}, 350)
    assert (only.bonus, only.sale, only.total) == (5250, 350, 5600)


def test_example_10_rounding_of_three_tied_seconds() -> None:
    held: dict[Holder, int] = {0: 6, 1: 2, 2: 2, 3: 2}
    assert bonuses(held, 200) == {0: 2000, 1: 333, 2: 333, 3: 333}
    assert totals(held, 200) == [3200, 733, 733, 733]


def test_example_11_rounding_of_four_tied_leaders() -> None:
    held: dict[Holder, int] = {0: 3, 1: 3, 2: 3, 3: 3}
    assert bonuses(held, 250) == dict.fromkeys(range(4), 937)
    assert totals(held, 250) == [1687] * 4


def test_example_12_the_department_leads() -> None:
    held: dict[Holder, int] = {0: 4, 1: 2, None: 6}
    assert bonuses(held, 300) == {None: 3000, 0: 1500}
    assert totals(held, 300) == [2700, 600, 4800]


def test_a_company_without_holders_pays_nothing() -> None:
    """P-9."""
    assert bonuses({}, 500) == {}
    assert payouts({}, 500) == ()


HOLDINGS: list[dict[Holder, int]] = [
    {0: 1},
    {0: 1, 1: 1},
    {0: 9, 1: 7, None: 2},
    {0: 2, 1: 2, 2: 2, 3: 2, None: 2},
    {0: 4, 1: 1, 2: 1, None: 1},
]


@pytest.mark.parametrize("price", [200, 250, 300, 1850])
@pytest.mark.parametrize("held", HOLDINGS)
def test_bonuses_are_fifteen_prices_less_the_rests_of_splits(held: dict[Holder, int], price: int) -> None:
    """All bonuses of a company are 15 prices, but for less than a dollar a holder."""
    paid = sum(bonuses(held, price).values())
    assert 15 * price - len(held) < paid <= 15 * price
