"""Memory of the service's processes: bytes, no time; `./dev bench --only memory-service` goes on for longer."""

from tests.bench.__main__ import run_part

RESOLUTIONS = 500


def test_no_process_of_a_service_takes_much_memory() -> None:
    rows = run_part("memory-service", resolutions=RESOLUTIONS)
    assert [row.note for row in rows if not row.reached] == []
    assert len(rows) == 2
