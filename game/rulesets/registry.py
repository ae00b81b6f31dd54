"""The rulesets this site plays, one line each."""

from __future__ import annotations

from game.engine.ruleset import Ruleset
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS
from game.rulesets.power_up.ruleset import POWER_UP
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON

RULESETS: dict[str, Ruleset] = {
    SECTORS.key: SECTORS,
    POWER_UP.key: POWER_UP,
    STOCK_MARKET_TYCOON.key: STOCK_MARKET_TYCOON,
    BIG_SHOULDERS.key: BIG_SHOULDERS,
}


def listed_rules(key: str) -> Ruleset:
    """The rules by which a list describes a game. Without rules of that key, the first, so that one game breaks no
    list."""
    return RULESETS.get(key) or next(iter(RULESETS.values()))
