"""The log's page: the current turn open, the turns before it folded, and no line lost."""

from datetime import UTC, datetime

import pytest
from django.template import Context

from game.boards.registry import board_of
from game.history.game_log import Chapter, Line
from game.templatetags.history import OPEN_LINES, log_chapters

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def page_of(*chapters: tuple[int, int]) -> str:
    """The log of chapters, newest first, each a turn and a number of lines."""
    rows = [
        Chapter(f"Turn {turn}", NOW, turn, [Line(f"line {number} {n}.") for n in range(lines)])
        for number, (turn, lines) in enumerate(chapters)
    ]
    return str(log_chapters(Context({"seats": (), "board": board_of("sectors")}), rows))


@pytest.mark.parametrize(
    ("chapters", "folds", "open_lines"),
    [
        ([(3, 20), (3, 20), (2, 5), (2, 5), (1, 1)], ["Turn 2", "Turn 1"], 40),
        ([(3, 40), (3, 30), (2, 5)], ["Turn 3, earlier", "Turn 2"], 40),
        ([(3, OPEN_LINES + 20), (0, 2)], ["The start"], OPEN_LINES + 20),
        ([(1, 3)], [], 3),
        ([], [], 0),
    ],
)
def test_what_was_before_the_current_turn_is_folded(
    chapters: list[tuple[int, int]], folds: list[str], open_lines: int
) -> None:
    page = page_of(*chapters)
    assert [part.split("</summary>")[0] for part in page.split("<summary>")[1:]] == folds
    assert page.split("<details")[0].count('class="entry') == open_lines
    assert page.count('class="entry') == sum(lines for _, lines in chapters)


def test_a_fold_keeps_its_name_when_the_page_is_refreshed() -> None:
    assert 'id="log-turn-2"' in page_of((3, 1), (2, 1))
