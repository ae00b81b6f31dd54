"""Stock Market Tycoon as the site asks, shows and tells it."""

from __future__ import annotations

from game.boards.base import Board
from game.boards.stock_market_tycoon.options import STOCK_MARKET_TYCOON_OPTIONS
from game.boards.stock_market_tycoon.rulebook import STOCK_MARKET_TYCOON_RULEBOOK
from game.engine.language import mark
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON

STOCK_MARKET_TYCOON_BOARD = Board(
    rules=STOCK_MARKET_TYCOON,
    pitch=mark("Trade six shares year by year, while everybody knows a few of the cards that will move their prices."),
    options=STOCK_MARKET_TYCOON_OPTIONS,
    score=mark("Net worth"),
    score_means=mark("Net worth is cash and shares at their prices, less debt."),
    phase_rules={
        "premium": "ST 4.11",
        "orders": "T-30",
        "trade": "ST 4.1",
        "tender": "ST 4.10",
        "withhold": "ST 4.11",
        "strike": "ST 4.11",
        "suspend": "ST 4.11",
        "price": "ST 5",
        "currency": "ST 5",
        "shorts": "ST 5",
        "options": "ST 5",
        "end": "ST 6",
    },
    book=STOCK_MARKET_TYCOON_RULEBOOK,
)
