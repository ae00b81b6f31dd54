"""The options of Stock Market Tycoon as a host reads them, and the games that are offered. (T-38, T-40)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.boards.options import OptionTable, OptionWords, Preset
from game.engine.language import count, mark, say
from game.rulesets.stock_market_tycoon.options import LABELS
from game.rulesets.stock_market_tycoon.tables import MODES, SUB_ROUNDS, TRADE_MODES, VARIANTS

DECISION = "decision"
"""All clocks but that of the trading turns."""


def option(name: str, rule: str, **more: Any) -> OptionWords:
    """The words of an option under the label that refusals use."""
    return OptionWords(LABELS[name], rule, **more)


WORDS: Mapping[str, OptionWords] = {
    "mode": option(
        "mode",
        "ST 1.6",
        values=MODES,
        hint=mark("Investor adds short sales; Strategist adds options, dividends and buybacks as well."),
    ),
    "variant": option(
        "variant",
        "ST 1.4",
        values={key: row.title for key, row in VARIANTS.items()},
        hint=mark("Standard is for 2 to 6 players, extended for 6 to 12."),
    ),
    "years": option("years", "ST 2", hint=mark("Each player has three turns a year.")),
    "trade_mode": option(
        "trade_mode",
        "ST 3",
        values=TRADE_MODES,
        hint=mark(
            "How often a game of ten years with four players has to wait for somebody: about 140 times in turn, 17 "
            "to 140 times with plans, 37 to 57 times with lists."
        ),
    ),
    "buyback_price_cap": option(
        "buyback_price_cap",
        "T-11",
        values={200: mark("twice the price"), 0: mark("no limit")},
        hint=mark("Without a limit, a buyback can hand a fortune to a friend."),
    ),
    "option_premium": option(
        "option_premium",
        "T-31",
        values={"seed": mark("5, 10 or 15%"), "fair": mark("20 or 25%")},
        hint=mark("In simulations options paid back several times a premium of 10%."),
    ),
    "rights_follow_free": option("rights_follow_free", "T-29", hint=mark("Otherwise it takes your turn.")),
    "director_keeps_card": option(
        "director_keeps_card", "T-19", hint=mark("Otherwise the card is discarded with the rest of the hand.")
    ),
}


def without_effect(options: Mapping[str, Any]) -> Mapping[str, str]:
    """Options of buybacks and option contracts are in play in one mode alone. (ST 1.6)"""
    return {} if options.get("mode") == "strategist" else dict.fromkeys(("buyback_price_cap", "option_premium"), "")


LENGTHS = {
    "strict": mark("{mode}, {years}"),
    "plan": mark("{mode}, {years} with plans"),
    "batch": mark("{mode}, {years} with lists"),
}


def length_words(options: Mapping[str, Any]) -> str:
    """The mode, the number of years, and how trading waits: together they say how long a game is."""
    years = count("{n} year", "{n} years", options["years"])
    return say(LENGTHS[options["trade_mode"]], mode=say(MODES[options["mode"]]), years=years)


LONG, SHORT = 10, 3  # years


def planned(mode: str, title: str, *, decisions: int, suspensions: int, live_minutes: int) -> Preset:
    """The waits of ten years among people who visit only now and then. There are fewest, one a year, if everybody plans
    each year and gives every standing answer. `decisions` counts the decisions at the beginning and the end of years;
    `suspensions` of them remain then."""
    return Preset(
        f"{mode}_planned",
        title,
        {"mode": mode, "years": LONG, "trade_mode": "plan"},
        mark("for short visits now and then: you may plan all your turns of a year at once"),
        windows={DECISION: decisions},
        fewest={DECISION: LONG + suspensions},
        live_minutes=live_minutes,
        a_seat={"trade": LONG * SUB_ROUNDS},
        fewest_a_seat={},
    )


def short(mode: str, title: str, *, decisions: int, suspensions: int, live_minutes: int) -> Preset:
    """Three years for people who sit together."""
    return Preset(
        f"{mode}_short",
        title,
        {"mode": mode, "years": SHORT, "trade_mode": "strict"},
        mark("for an evening together: one turn after another"),
        windows={DECISION: decisions},
        fewest={DECISION: suspensions},
        live_minutes=live_minutes,
        a_seat={"trade": SHORT * SUB_ROUNDS},
    )


PRESETS = (
    planned("trader", mark("Trader, 10 years with plans"), decisions=20, suspensions=7, live_minutes=230),
    short("trader", mark("Trader, 3 years"), decisions=5, suspensions=2, live_minutes=70),
    planned("investor", mark("Investor, 10 years with plans"), decisions=20, suspensions=7, live_minutes=230),
    short("investor", mark("Investor, 3 years"), decisions=5, suspensions=2, live_minutes=70),
    planned("strategist", mark("Strategist, 10 years with plans"), decisions=27, suspensions=7, live_minutes=240),
    short("strategist", mark("Strategist, 3 years"), decisions=7, suspensions=2, live_minutes=75),
)

STOCK_MARKET_TYCOON_OPTIONS = OptionTable(
    WORDS,
    PRESETS,
    "trader_short",
    length_words=length_words,
    lengths=mark("3 to 10 years"),
    choice=mark("mode and length"),
    without_effect=without_effect,
)
