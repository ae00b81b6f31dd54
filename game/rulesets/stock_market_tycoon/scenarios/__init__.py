"""Stock Market Tycoon's words in the language of scenarios."""

from game.rulesets.stock_market_tycoon.scenarios import questions, words  # noqa: F401  (they add their words)
from game.rulesets.stock_market_tycoon.scenarios.words import WORDS

__all__ = ["WORDS"]
