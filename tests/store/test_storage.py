"""What a finished game takes in the database: bytes are counted, no time."""

import pytest

from tests.bench.__main__ import run_part


@pytest.mark.trial
def test_a_finished_game_is_small_in_all_its_rows() -> None:
    (row,) = run_part("storage")
    assert row.reached is not False, (row.ours, row.note)
