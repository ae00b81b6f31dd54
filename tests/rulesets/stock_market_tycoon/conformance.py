"""Which games of Stock Market Tycoon the conformance tests play, and what random play hardly meets."""

from __future__ import annotations

from collections.abc import Collection

from game.rulesets.stock_market_tycoon.options import Options
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON as RULES
from game.rulesets.stock_market_tycoon.state import TycoonState

__all__ = ["OCCURRING", "RARE_EVENTS", "REVIEWED", "RULES", "TABLES", "VARIANTS", "out"]

STANDARD = (2, 3, 4, 6)
EXTENDED = (6, 12)
VARIANTS = (
    Options(years=3),
    Options(mode="investor", years=5, starting_cash=2_000_000),
    Options(mode="strategist", years=5, starting_cash=3_000_000, director_keeps_card=True),
    Options(mode="strategist", years=3, starting_cash=4_000_000, option_premium="fair", rights_follow_free=True),
    Options(mode="strategist", variant="extended", years=3, starting_cash=2_000_000, buyback_price_cap=0),
)
TABLES = [
    (seats, variant)
    for variant, options in enumerate(VARIANTS)
    for seats in (EXTENDED if options.variant == "extended" else STANDARD)
]
REVIEWED = (2, 4)
RARE_EVENTS: set[str] = set()
OCCURRING = {"ends": {"years"}}
"""Stories show the other ending."""


def out(state: TycoonState) -> Collection[int]:
    """The seats that are placed below all others whatever their score."""
    return state.bankrupts
