"""The games of City of the Big Shoulders that the conformance tests play, and the events that random play hardly
reaches."""

from __future__ import annotations

from game.rulesets.big_shoulders.options import Options
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS as RULES

__all__ = ["OCCURRING", "RARE_EVENTS", "REVIEWED", "RULES", "TABLES", "VARIANTS"]

VARIANTS = (
    Options(),
    Options(),
    Options(advanced=True, price_protection_passive=False),
    Options(advanced=True, friendly_sales=True, goals=False),
)
TABLES = [(2, 0), (3, 0), (4, 1), (2, 2), (4, 2), (3, 3)]
REVIEWED = (2,)
RARE_EVENTS = {"idle_partners", "bag_short", "bonus_lost", "director_changed", "value_kept"}
OCCURRING = {"ends": {"decades"}}
"""Scenarios show the rare ones."""
