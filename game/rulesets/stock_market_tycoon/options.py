"""The options of a game with their menus. (T-38)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from game.engine.actions import Refused
from game.engine.language import mark, say
from game.engine.phrases import thousands
from game.rulesets.stock_market_tycoon.tables import LIVE_SECONDS, MODES, PREMIUM_RATES, TRADE_MODES, VARIANTS, Variant

MOST_CASH = 10_000_000


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The host's choices. `years` is the length of the game; `buyback_price_cap` is in percent of the price, 0 for none
    (T-11); `starting_cash` 0 means the variant's. `trade_mode`: turn by turn, with a plan for the year (T-37), or by
    lists for a sub-round (T-30)."""

    mode: Literal["trader", "investor", "strategist"] = "trader"
    variant: Literal["standard", "extended"] = "standard"
    years: int = 10
    trade_mode: Literal["strict", "plan", "batch"] = "strict"
    buyback_price_cap: int = 200
    option_premium: Literal["seed", "fair"] = "seed"
    rights_follow_free: bool = False
    director_keeps_card: bool = False
    starting_cash: int = 0

    @property
    def numbers(self) -> Variant:
        """The numbers of the variant."""
        return VARIANTS[self.variant]

    @property
    def cash(self) -> int:
        """Dollars of each player at the start."""
        return self.starting_cash or self.numbers.starting_cash

    @property
    def has_shorts(self) -> bool:
        return self.mode != "trader"

    @property
    def has_options(self) -> bool:
        """True if the mode has options, premiums, dividends and buybacks. (ST 1.6)"""
        return self.mode == "strategist"

    @property
    def premium_rates(self) -> tuple[int, ...]:
        """Percentages that a Chairman can set, the usual rate first."""
        return PREMIUM_RATES[self.option_premium]


MENUS: Mapping[str, tuple[Any, ...]] = {
    "mode": tuple(MODES),
    "variant": tuple(VARIANTS),
    "years": (10, 5, 3),
    "trade_mode": tuple(TRADE_MODES),
    "buyback_price_cap": (200, 0),
    "option_premium": tuple(PREMIUM_RATES),
    "rights_follow_free": (False, True),
    "director_keeps_card": (False, True),
}
LABELS: Mapping[str, str] = {
    "mode": mark("Mode"),
    "variant": mark("Variant"),
    "years": mark("Years"),
    "trade_mode": mark("Trading"),
    "buyback_price_cap": mark("Maximum price in a buyback"),
    "option_premium": mark("Option premiums"),
    "rights_follow_free": mark("Following rights takes no turn"),
    "director_keeps_card": mark("Directors keep the withheld card"),
    "starting_cash": mark("Starting cash"),
}


def parse_options(raw: Mapping[str, Any]) -> Options:
    """Options from untrusted input, each from its menu; the starting cash is 1 to 10,000,000 dollars. Raises `Refused`
    naming the option and its values."""
    for name, value in raw.items():
        if name not in LABELS:
            raise Refused(
                "There is no such option; the options are {known}.",
                "T-38",
                known=", ".join(LABELS),
                code="unknown_option",
                field="options",
            )
        if name in MENUS and not any(type(value) is type(allowed) and value == allowed for allowed in MENUS[name]):
            raise Refused(
                "{option} cannot be {value}; it is one of {known}.",
                "T-38",
                option=say(LABELS[name]),
                value=f"{value!r:.40}",
                known=", ".join(str(allowed).lower() for allowed in MENUS[name]),
                code="unknown_option_value",
                field="options",
            )
        if name == "starting_cash" and not (type(value) is int and 0 <= value <= MOST_CASH):
            raise Refused(
                "{option} cannot be {value}; it is a whole number up to {most}.",
                "T-38",
                option=say(LABELS[name]),
                value=f"{value!r:.40}",
                most=thousands(MOST_CASH),
                code="unknown_option_value",
                field="options",
            )
    return Options(**raw)


def live_seconds(options: Options, phase: str) -> int:
    """The length of a phase in a live game, in seconds."""
    return LIVE_SECONDS[phase]
