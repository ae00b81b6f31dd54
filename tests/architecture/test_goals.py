"""The goals on the operations page are those that the bench judges by."""

import re
from importlib import import_module

import pytest

from tests.bench import __main__ as bench
from tests.servers import ROOT

GOALS = {
    "drain": "drain.GOALS.postgresql",
    "lateness": "lateness.MOST_HALF lateness.MOST_OF_99",
    "claims": "claiming.MOST_GROWTH",
    "seen": "seen.MOST_PART seen.MOST_PANEL",
    "sockets": "sockets.MOST_SLOWER sockets.LEAST_RATE sockets.LONGEST_STORM sockets.MOST_KILOBYTES",
    "lobby": "pages.MOST_RATIO",
    "api": "api.MOST_POSITION api.MOST_NOTHING_NEW api.MOST_TELLING api.MOST_KILOBYTES",
    "memory-service": "memory_service.MOST_MEGABYTES",
    "storage": "storage.MOST_KILOBYTES",
    "sqlite`, `postgresql": "persistence.LIMITS.sqlite persistence.LIMITS.postgresql persistence.MOST_STATEMENTS",
    "pages": "pages.MOST_RATIO pages.MOST_OF_HISTORY pages.MOST_STATEMENTS weight.MOST_COLD weight.MOST_WARM",
    "memory": "memory.MOST_MEGABYTES",
    "leak": "welch.MOST",
    "start": "start.MOST_SLOWER",
    "small": "small.MOST_HALF small.MOST_OF_99 small.MOST_MEGABYTES",
    "drain-sqlite": "drain.GOALS.sqlite",
    "backup": "backups.MOST_SLOWER",
}
"""By the part of the bench: where its goals stand."""


def goals_told() -> dict[str, str]:
    """What the page says of each part."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    measuring = page.split("\n## Measuring\n")[1].split("\n## ")[0]
    rows = [line.split("|") for line in measuring.splitlines() if line.startswith("| `")]
    return {cells[1].strip(" `"): cells[3] for cells in rows}


def test_the_page_has_every_part() -> None:
    assert {part for row in goals_told() for part in row.split("`, `")} == {*bench.PARTS, *bench.SERVICE}


@pytest.mark.parametrize("row", GOALS)
def test_the_page_says_the_goals_of_a_part(row: str) -> None:
    result = re.findall(r"[\d.,]*\d", goals_told()[row])
    for place in GOALS[row].split():
        module, name, *key = place.split(".")
        goal = getattr(import_module(f"tests.bench.{module}"), name)
        assert f"{goal[key[0]] if key else goal:,}" in result, place
