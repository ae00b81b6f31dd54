"""City of the Big Shoulders as the site asks, shows and tells it."""

from __future__ import annotations

from game.boards.base import Board
from game.boards.big_shoulders.options import BIG_SHOULDERS_OPTIONS
from game.boards.big_shoulders.rulebook import BIG_SHOULDERS_RULEBOOK
from game.engine.language import mark
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS

BIG_SHOULDERS_BOARD = Board(
    rules=BIG_SHOULDERS,
    pitch=mark(
        "Found companies in the Chicago of 1875, staff their factories, sell their goods and trade their shares."
    ),
    options=BIG_SHOULDERS_OPTIONS,
    score_means=mark("The score is cash, certificates at the values of their companies, and $200 for each goal."),
    phase_rules={
        "first_company": "BS 2",
        "stock": "BS 5.1",
        "stock_end": "BS 5.8",
        "building": "BS 6.1",
        "action": "BS 6.2",
        "operation": "BS 7.1",
        "cleanup": "BS 8",
        "end": "BS 9",
    },
    book=BIG_SHOULDERS_RULEBOOK,
)
