"""The estimate of how reliable somebody is: what it does for any record, without a database."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.deadlines.reliability_model import (
    HALF_LIFE,
    PRIOR_MADE,
    PRIOR_MISSED,
    WEIGHT_EPOCH,
    estimate,
    faded,
    percent,
    share_of,
    weight_of,
)

AGES = st.integers(0, 4_000)
RECORDS = st.lists(st.tuples(AGES, st.booleans()), max_size=60)
"""Decisions: how many days ago, and whether in time."""
TODAY = WEIGHT_EPOCH + timedelta(days=4_321)
Record = list[tuple[int, bool]]


def of(record: Record, today: date = TODAY) -> tuple[float, float]:
    """What those made and those missed weigh, counted as the site does: added up day by day, faded when read."""
    sums = [0.0, 0.0]
    for age, is_made in sorted(record, reverse=True):
        sums[not is_made] += weight_of(TODAY - timedelta(days=age))
    return faded(sums[0], today), faded(sums[1], today)


@given(RECORDS)
def test_a_share_and_its_interval_are_never_outside_0_and_1(record: Record) -> None:
    found = estimate(*of(record))
    assert 0 < found.least < found.share < found.most < 1


@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_however_much_somebody_decided_the_interval_holds_the_share(made: float, missed: float) -> None:
    found = estimate(made, missed)
    assert 0 <= found.least <= found.share <= found.most <= 1


@given(RECORDS, AGES)
def test_a_decision_in_time_raises_it_and_a_miss_lowers_it(record: Record, age: int) -> None:
    was = share_of(*of(record))
    assert share_of(*of([*record, (age, True)])) >= was >= share_of(*of([*record, (age, False)]))
    if age < 10 * HALF_LIFE:
        assert share_of(*of([*record, (age, True)])) > was > share_of(*of([*record, (age, False)]))


@given(RECORDS, st.integers(0, 400), st.integers(1, 400))
def test_a_fresh_miss_counts_more_than_an_old_one(record: Record, age: int, older: int) -> None:
    assert share_of(*of([*record, (age, False)])) < share_of(*of([*record, (age + older, False)]))


@given(RECORDS, AGES)
def test_who_does_nothing_comes_back_to_the_prior(record: Record, later: int) -> None:
    prior = share_of(0, 0)
    before, after = (abs(share_of(*of(record, TODAY + timedelta(days=d))) - prior) for d in (0, later))
    assert after <= before + 1e-12
    assert abs(share_of(*of(record, TODAY + timedelta(days=40 * HALF_LIFE))) - prior) < 1e-6


def test_who_has_no_record_is_where_the_prior_is() -> None:
    assert share_of(0, 0) == PRIOR_MADE / (PRIOR_MADE + PRIOR_MISSED) == 0.9
    assert percent(share_of(0, 0)) == 90


def test_a_decision_counts_half_after_each_half_life() -> None:
    for periods in range(20):
        weight = weight_of(TODAY - timedelta(days=HALF_LIFE * periods))
        assert faded(weight, TODAY) == pytest.approx(0.5**periods)
    assert faded(weight_of(date(2100, 1, 1)), date(2100, 1, 1)) == 1


def test_it_recovers_in_weeks() -> None:
    """Ten of fifty were missed; then all of two a day are in time."""
    shares = []
    for weeks in (0, 4, 8, 12):
        record = [(7 * weeks, number % 5 > 0) for number in range(50)]
        record += [(age, True) for age in range(7 * weeks) for _ in range(2)]
        shares.append(percent(share_of(*of(record))))
    assert shares == [81, 91, 95, 96]


@pytest.mark.parametrize(
    ("made", "missed", "least", "most"),
    # The beta distribution's 5 and 95 percent: of (a, 1) the a-th root, of equal halves symmetric.
    [(0, 0, 0.05 ** (1 / 9), 0.95 ** (1 / 9)), (91, 0, 0.05 ** (1 / 100), 0.95 ** (1 / 100))],
)
def test_the_interval_is_that_of_the_beta_distribution(made: float, missed: float, least: float, most: float) -> None:
    found = estimate(made, missed)
    assert (found.least, found.most) == (pytest.approx(least), pytest.approx(most))
    even = estimate(91, 99)
    assert even.least + even.most == pytest.approx(1)
    assert (even.most - even.least) / 2 == pytest.approx(1.645 * 0.5 / 201**0.5, rel=0.01)
