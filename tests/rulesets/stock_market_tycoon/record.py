"""Records the games again: `python -m tests.rulesets.stock_market_tycoon.record [NAME…]`, after a rule was changed on
purpose.

Then raise the version of the ruleset, add a line to CHANGELOG.md that names the rule, and commit the games with it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from game.rulesets.stock_market_tycoon.options import Options
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON
from tests.rulesets.recording import Recording, record_all

FOLDER = Path(__file__).parent / "games"
POOR, RICH = 100_000, 200_000_000


def plan(name: str, who: str, *, reviews: bool = False, **options: Any) -> tuple[str, Recording]:
    """A game to record; bots by seat: h is the house bot, r the random one."""
    bots = [{"h": "house", "r": "random"}[letter] for letter in who]
    return name, Recording(len(who), f"recorded {name}", bots, Options(**{"years": 3, **options}), reviews)


PLANS = dict(
    [
        plan("trader_two", "hh"),
        plan("trader_three_random", "rrh", years=5),
        plan("trader_four_planned", "hrhr", trade_mode="plan"),
        plan("trader_six_lists", "hhhrrr", trade_mode="batch"),
        plan("trader_extended_seven", "hhhhhrr", variant="extended"),
        plan("investor_two_poor", "rr", mode="investor", starting_cash=POOR, years=5),
        plan("investor_three", "hhr", mode="investor", reviews=True),
        plan("investor_four_lists", "hhrr", mode="investor", trade_mode="batch", starting_cash=POOR),
        plan("investor_five_planned", "hhhrr", mode="investor", trade_mode="plan"),
        plan("strategist_two_rich", "hr", mode="strategist", starting_cash=RICH, years=5),
        plan("strategist_three_fair", "rrr", mode="strategist", starting_cash=RICH, option_premium="fair"),
        plan("strategist_four_free", "hrrr", mode="strategist", starting_cash=RICH, rights_follow_free=True),
        plan("strategist_four_kept", "hhhh", mode="strategist", director_keeps_card=True, buyback_price_cap=0),
        plan("strategist_five_lists", "rrrrh", mode="strategist", starting_cash=RICH, trade_mode="batch"),
        plan("strategist_six_planned", "hhhrrr", mode="strategist", starting_cash=RICH, trade_mode="plan"),
        plan("strategist_extended_twelve", "hhhhhhrrrrrr", mode="strategist", variant="extended", starting_cash=RICH),
    ]
)


if __name__ == "__main__":
    record_all(STOCK_MARKET_TYCOON, PLANS, FOLDER, sys.argv[1:])
