"""Sectors' words in the language of scenarios."""

from game.rulesets.sectors.scenarios import questions, steps  # noqa: F401  (they add their words)
from game.rulesets.sectors.scenarios.words import WORDS

__all__ = ["WORDS"]
