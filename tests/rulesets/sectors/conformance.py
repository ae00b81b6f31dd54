"""The games of Sectors that the conformance tests play, and the events that random play hardly reaches."""

from __future__ import annotations

from game.rulesets.sectors.options import Options
from game.rulesets.sectors.ruleset import SECTORS as RULES

__all__ = ["OCCURRING", "RARE_EVENTS", "REVIEWED", "RULES", "TABLES", "VARIANTS"]

VARIANTS = (
    Options(),
    Options(bank=20_000, max_turns=23, starting_cash=400),
    Options(distribution="bid", concealed=False, max_turns=11, ipo_discount=True),
    Options(
        bank=3000,
        max_turns=15,
        loan_interest_percent="10",
        max_short_quantity=3,
        no_round_trips=True,
        max_sub_rounds=3,
    ),
    Options(edition=1, bank=10_000),
    Options(edition=1, distribution="bid", starting_cash=400),
)
TABLES = [
    (seats, variant)
    for seats in RULES.seats
    for variant in range(len(VARIANTS))
    if variant != 1 or seats in (5, 6)  # the longest one, where companies live to use all that there is
    if variant < 4 or seats in (2, 5, 8)
]
REVIEWED = (3, 5)
RARE_EVENTS = {"cover_dropped", "divested"}
RARE_PRESTIGE = {"sector_elasticity"}  # see test_prestige.py
OCCURRING = {name: set(RULES.registries[name]) - RARE_PRESTIGE for name in ("ends", "orders", "prestige")}
