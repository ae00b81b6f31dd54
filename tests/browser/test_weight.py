"""How much a board weighs: counted by Chromium against the real server, with the files it serves in earnest."""

from tests.bench.__main__ import run_part


def test_a_board_in_the_middle_of_a_game_is_light(postgres_url: str) -> None:
    rows = run_part("weight", server=postgres_url)
    assert len(rows) == 6
    assert not [f"{row.name}: {row.ours:,.0f}, {row.goal}; {row.note}" for row in rows if not row.reached]
