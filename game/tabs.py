"""The pages of one game, in the order of their tabs."""

from __future__ import annotations

from typing import NamedTuple


class Tab(NamedTuple):
    """A page of a game: what its tab says, and the name of its address, which takes the game's number.

    `is_of_the_end`: there is no such page before the game is over."""

    key: str
    title: str
    view: str
    is_of_the_end: bool = False


TABS = (
    Tab("board", "Board", "game"),
    Tab("results", "Results", "game_results"),
    Tab("story", "Story", "game_story", is_of_the_end=True),
    Tab("history", "History", "game_history"),
    Tab("spreadsheet", "Spreadsheet", "game_spreadsheet"),
    Tab("charts", "Charts", "game_charts"),
)


def tabs_of(*, is_over: bool) -> tuple[Tab, ...]:
    """The tabs of a game that is over, or of one that is not."""
    return tuple(tab for tab in TABS if is_over or not tab.is_of_the_end)
