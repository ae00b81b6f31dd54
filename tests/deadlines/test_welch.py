"""The test of the bench that times leaks: it finds what is there, and nothing where nothing is."""

from random import Random

import pytest

from tests.bench.welch import compared, welch_t


def times(seed: int, number: int, more: float = 0) -> list[float]:
    """Such as requests take: most alike, and one in twenty held up by something else."""
    random = Random(seed)
    return [
        random.gauss(0.010, 0.001) + more + (random.random() < 0.05) * random.expovariate(20) for _ in range(number)
    ]


def test_the_statistic_is_that_of_the_textbook() -> None:
    """Welch's own kind of example: variances 2.5 and 10, five samples each, means 3 and 6."""
    assert welch_t([1, 2, 3, 4, 5], [2, 4, 6, 8, 10]) == pytest.approx(-3 / (2.5 / 5 + 10 / 5) ** 0.5)
    assert welch_t([1, 1], [1, 1]) == 0


@pytest.mark.parametrize("seed", range(20))
def test_the_same_is_the_same(seed: int) -> None:
    assert compared(times(seed, 1000), times(seed + 100, 1000)).is_same


@pytest.mark.parametrize("seed", range(20))
def test_half_a_millisecond_of_ten_is_found_in_a_thousand(seed: int) -> None:
    found = compared(times(seed, 1000, more=0.0005), times(seed + 100, 1000))
    assert found.t > 0
    assert not found.is_same, found


def test_what_holds_up_a_request_now_and_then_hides_nothing() -> None:
    """Of all samples the noise is too loud; without the slowest tenth it is not."""
    one, other = times(1, 1000, more=0.0004), times(101, 1000)
    one[::20] = [0.5] * 50
    other[::19] = [0.6] * 53
    found = compared(one, other)
    assert abs(found.raw) < 4.5 < found.t
    assert sum(found.numbers) == pytest.approx(1800, abs=2)
