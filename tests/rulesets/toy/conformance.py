"""The games of Toy that the conformance tests play, and the events that random play hardly reaches."""

from __future__ import annotations

from tests.toy.ruleset import TOY as RULES
from tests.toy.state import Options

__all__ = ["OCCURRING", "RARE_EVENTS", "REVIEWED", "RULES", "TABLES", "VARIANTS"]

LONG = 2
VARIANTS = (Options(), Options(rounds=3), Options(rounds=1), Options(edition=LONG), Options(rounds=3, edition=LONG))
TABLES = [(seats, variant) for variant, options in enumerate(VARIANTS) for seats in RULES.seats_with(options)]
REVIEWED = (2, 4)
RARE_EVENTS = {"voted_out"}
OCCURRING: dict[str, set[str]] = {"ends": {"rounds", "points"}}
