"""Which games of Power Up the conformance tests play, and what random play hardly meets."""

from __future__ import annotations

from game.rulesets.power_up.options import Options
from game.rulesets.power_up.ruleset import POWER_UP as RULES

__all__ = ["OCCURRING", "RARE_EVENTS", "REVIEWED", "RULES", "TABLES", "VARIANTS"]

VARIANTS = (Options(), Options(), Options(doe=False), Options(doe=False))
TABLES = [(seats, variant) for seats in RULES.seats for variant in range(len(VARIANTS))]
REVIEWED = (2, 4)
RARE_EVENTS: set[str] = set()
OCCURRING = {"companies": set(RULES.registries["companies"]), "ends": {"giant"}}
"""Stories show the other two endings; no game of 6,000 came to its end by exhaustion. (P-4)"""
