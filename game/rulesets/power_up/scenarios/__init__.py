"""Power Up's words in the language of scenarios."""

from game.rulesets.power_up.scenarios import questions, words  # noqa: F401  (they add their words)
from game.rulesets.power_up.scenarios.words import WORDS

__all__ = ["WORDS"]
