"""Every part of the bench runs once, as small as it can be: its figures tell nothing then, but it comes to its end."""

import pytest

from tests.bench.__main__ import PARTS, SERVICE, run_part

SMALL = ("engine", "postgresql")
"""Run with all other tests; the others are trials."""


@pytest.mark.parametrize(
    "part",
    [part if part in SMALL else pytest.param(part, marks=pytest.mark.trial) for part in (*PARTS, *SERVICE)],
)
def test_each_part_of_the_bench_comes_to_its_end(part: str, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_SIZE", "small")
    assert run_part(part, resolutions=5, pages=9, games=60, sockets=8, samples=2, server=postgres_url)
