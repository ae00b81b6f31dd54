"""The pages of one game, in the order of their tabs."""

from __future__ import annotations

from typing import NamedTuple


class Tab(NamedTuple):
    """A page of a game: what its tab says, and the name of its address, which takes the game's number."""

    key: str
    title: str
    view: str


TABS = (
    Tab("board", "Board", "game"),
    Tab("results", "Results", "game_results"),
    Tab("history", "History", "game_history"),
    Tab("spreadsheet", "Spreadsheet", "game_spreadsheet"),
    Tab("charts", "Charts", "game_charts"),
)
