"""The games of Stock Market Tycoon that the conformance tests play, and the events that random play hardly reaches."""

from __future__ import annotations

from game.rulesets.stock_market_tycoon.options import Options
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON as RULES

__all__ = ["OCCURRING", "RARE_EVENTS", "REVIEWED", "RULES", "TABLES", "VARIANTS"]

STANDARD = (2, 3, 4, 5, 6)
EXTENDED = (6, 12)
VARIANTS = (
    Options(years=5),
    Options(mode="investor", years=5, starting_cash=100_000),
    Options(mode="strategist", years=5, starting_cash=200_000_000, director_keeps_card=True),
    Options(mode="strategist", years=5, starting_cash=200_000_000, option_premium="fair", rights_follow_free=True),
    Options(mode="strategist", variant="extended", years=6, starting_cash=200_000_000, buyback_price_cap=0),
    Options(mode="strategist", years=3, starting_cash=200_000_000, trade_mode="plan"),
    Options(mode="strategist", years=3, starting_cash=200_000_000, trade_mode="batch"),
    Options(mode="investor", years=3, starting_cash=100_000, trade_mode="batch"),
)
"""Poor players, who go bankrupt, and rich ones, who win offices."""
TABLES = [
    (seats, variant)
    for variant, options in enumerate(VARIANTS)
    for seats in (EXTENDED if options.variant == "extended" else STANDARD if options.trade_mode == "strict" else (2, 4))
]
REVIEWED = (2, 4)
RARE_EVENTS = {"debt_paid", "debt_left", "voted_out"}
OCCURRING = {"ends": {"years", "survivor"}}
"""Scenarios show the rare ones."""
