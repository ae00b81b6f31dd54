"""The boards of this site, one line each; a game without one is played through its offers alone."""

from __future__ import annotations

from functools import cache

from game.boards.base import Board
from game.boards.big_shoulders.board import BIG_SHOULDERS_BOARD
from game.boards.power_up.board import POWER_UP_BOARD
from game.boards.sectors.board import SECTORS_BOARD
from game.boards.stock_market_tycoon.board import STOCK_MARKET_TYCOON_BOARD
from game.rulesets.registry import listed_rules

BOARDS: dict[str, Board] = {
    SECTORS_BOARD.rules.key: SECTORS_BOARD,
    POWER_UP_BOARD.rules.key: POWER_UP_BOARD,
    STOCK_MARKET_TYCOON_BOARD.rules.key: STOCK_MARKET_TYCOON_BOARD,
    BIG_SHOULDERS_BOARD.rules.key: BIG_SHOULDERS_BOARD,
}


@cache
def board_of(key: str) -> Board:
    """The board of a ruleset; for a key without rules, a plain one, so that one game breaks no list."""
    return BOARDS.get(key) or Board(listed_rules(key))
