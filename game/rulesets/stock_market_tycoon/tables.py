"""The printed numbers of Stock Market Tycoon. Money in whole dollars, shares as whole numbers. (ST 1)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from game.engine.language import mark

Company = Literal["AB", "TS", "GI", "OE", "VP", "NT"]
COMPANY_KEYS: tuple[Company, ...] = get_args(Company)
"""In table order, which breaks ties between companies. (T-1)"""


@dataclass(frozen=True)
class CompanyRow:
    """A company: its start price, which is also its face value, and its largest price card."""

    title: str
    sector: str
    start_price: int
    largest_card: int


COMPANIES: Mapping[Company, CompanyRow] = {
    "AB": CompanyRow("Atlas Bank", mark("Banking"), 20, 10),
    "TS": CompanyRow("Titan Steel", mark("Manufacturing"), 25, 15),
    "GI": CompanyRow("Global Industries", mark("Conglomerate"), 45, 15),
    "OE": CompanyRow("Omega Energy", mark("Energy"), 55, 20),
    "VP": CompanyRow("VitalCare Pharma", mark("Healthcare"), 75, 25),
    "NT": CompanyRow("NovaTech", mark("Technology"), 80, 30),
}

MODES = {"trader": mark("Trader"), "investor": mark("Investor"), "strategist": mark("Strategist")}
"""Each mode includes everything of the one before it. (ST 1.6)"""


TRADE_MODES = {"strict": mark("In turn"), "plan": mark("Plan for the year"), "batch": mark("Lists for a sub-round")}
"""How the turns of a year are played. (T-30, T-37)"""


@dataclass(frozen=True)
class Variant:
    """The numbers that depend on the number of players: thresholds in percent, `decks` of 108 cards. (ST 1.4)"""

    title: str
    seats: range
    starting_cash: int
    shares_per_company: int
    director_percent: int
    chairman_percent: int
    decks: int


VARIANTS = {
    "standard": Variant(mark("Standard"), range(2, 7), 600_000, 200_000, 25, 50, 1),
    "extended": Variant(mark("Extended"), range(6, 13), 450_000, 300_000, 20, 40, 2),
}

SUB_ROUNDS = 3  # turns of each player in a year
HAND_SIZE = 10  # cards dealt to each player and year
LOT = 1_000  # shares; purchases, shorts, options and buybacks are whole lots
LEAST_PURCHASE = 5_000  # dollars (ST 4.1)
RIGHTS_PRICE = 10  # dollars a share (ST 4.5)
RIGHTS_RATIO = 2  # shares held for each share of the rights issue
LOAN = 100_000
CURRENCY_PERCENT = 10  # of the cash, for each card (ST 5)
SHORT_CAP = 12_000  # shares sold short in a company and year, by all players together (ST 4.7)
OPTION_CAP_PERCENT = 20  # of the outstanding shares, in a company and year (ST 4.8)
DIRECTOR_DIVIDEND, CHAIRMAN_DIVIDEND = 10, 20  # most dollars a share (ST 4.9)
BUYBACK_BLOCK, BUYBACK_RISE = 10_000, 5  # shares; dollars for each full block (ST 4.10)
LEAST_BUYBACK_CAP = 5  # dollars: a low price may be paid whatever the cap (T-11)
DEBT_INTEREST_PERCENT = 10  # of a deferred debt, rounded up (ST 5)

PREMIUM_RATES = {"seed": (10, 5, 15), "fair": (20, 25)}
"""Percent of the strike price, the usual rate first. (T-31)"""

LIVE_SECONDS = {
    "premium": 60,
    "deal": 0,
    "orders": 90,
    "trade": 90,
    "tender": 60,
    "withhold": 45,
    "reveal": 30,
    "strike": 45,
    "price": 20,
    "suspend": 45,
    "currency": 0,
    "shorts": 15,
    "options": 15,
    "close_year": 10,
    "end": 20,
}
"""Our own lengths for live games; the source has none."""
