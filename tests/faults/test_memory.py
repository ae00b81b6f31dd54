"""Memory of the service's processes: bytes, no time; `./dev bench --only memory-service` goes on for longer."""

import pytest

from tests.bench.__main__ import run_part
from tests.faults.sizes import size, tell

RESOLUTIONS, PAGES = size(500, full=10_000), size(100, full=100_000)
OF_ONE_OF_TWO = 90  # megabytes of a web process that shares what it loaded; by itself it has 110


@pytest.mark.trial
def test_no_process_of_a_service_takes_much_memory() -> None:
    rows = run_part("memory-service", resolutions=RESOLUTIONS, pages=PAGES)
    tell("\n".join(f"{row.name}: {row.ours:.1f} {row.unit}; {row.note}" for row in rows))
    assert [row.note for row in rows if not row.reached] == []
    assert [row.name.split()[2] for row in rows] == ["web", "deadlines"]
    assert rows[0].ours <= OF_ONE_OF_TWO, "the workers of the web are copies of one process"
