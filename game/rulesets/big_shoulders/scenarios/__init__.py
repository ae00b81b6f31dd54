"""The words that City of the Big Shoulders adds to the language of scenarios."""

from game.rulesets.big_shoulders.scenarios import questions, words  # noqa: F401  (they add their words)
from game.rulesets.big_shoulders.scenarios.words import WORDS

__all__ = ["WORDS"]
