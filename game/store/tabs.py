"""Tab order of a game's pages."""

from __future__ import annotations

from typing import NamedTuple

from game.engine.language import mark


class Tab(NamedTuple):
    """A page of a game: its key, the title of its tab, and its URL name, which takes the game's number.

    `is_of_the_end`: the page does not exist before the game is over."""

    key: str
    title: str
    view: str
    is_of_the_end: bool = False


TABS = (
    Tab("board", mark("Board"), "game"),
    Tab("results", mark("Results"), "game_results"),
    Tab("story", mark("Story"), "game_story", is_of_the_end=True),
    Tab("history", mark("History"), "game_history"),
    Tab("spreadsheet", mark("Spreadsheet"), "game_spreadsheet"),
    Tab("charts", mark("Charts"), "game_charts"),
)


def tabs_of(*, is_over: bool) -> tuple[Tab, ...]:
    """The tabs of a game, by whether it is over."""
    return tuple(tab for tab in TABS if is_over or not tab.is_of_the_end)
