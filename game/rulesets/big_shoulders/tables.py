"""The printed numbers of City of the Big Shoulders. Money in whole dollars, one share is 10 percent. (BS 1)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, get_args

from msgspec import Meta

from game.engine.language import mark

Company = Literal[
    "brunswick", "spalding", "swift", "fairbank", "henderson", "libby", "anglo", "cracker", "doggett", "elgin"
]
COMPANY_KEYS: tuple[Company, ...] = get_args(Company)
"""In table order, which settles ties between companies. (BS 1.4)"""
Cube = Literal["livestock", "steel", "coal", "wood"]
CUBES: tuple[Cube, ...] = get_args(Cube)
Trade = Literal["food", "dry_goods", "meat", "shoes"]
TRADES: tuple[Trade, ...] = get_args(Trade)
"""The rows of the demand board from the top. (BS 1.12)"""
Factory = Annotated[int, Meta(ge=1, le=3)]
LETTERS: Mapping[str, Cube] = {"L": "livestock", "S": "steel", "C": "coal", "W": "wood"}

CUBE_TITLES: Mapping[Cube, str] = {
    "livestock": mark("Livestock"),
    "steel": mark("Steel"),
    "coal": mark("Coal"),
    "wood": mark("Wood"),
}
TRADE_TITLES: Mapping[Trade, str] = {
    "food": mark("Food and dairy"),
    "dry_goods": mark("Dry goods"),
    "meat": mark("Meat packing"),
    "shoes": mark("Shoes"),
}

VALUES = (10, 15, 20, 25, 35, 40, 50, 60, 80, 100, 120, 140, 160, 190, 220, 250, 280, 320, 360, 400, 450)
"""The stock value track: a step moves one place. (BS 1.1)"""
OPENING_VALUES = (35, 40, 50, 60)
Kind = Literal["D", "P", "C"]
DIRECTOR: Final = "D"
PREFERRED: Final = "P"
COMMON: Final = "C"
UNITS: Mapping[str, int] = {DIRECTOR: 3, PREFERRED: 2, COMMON: 1}
"""Shares of each kind of certificate. (BS 1.2)"""
ISSUED: Mapping[str, int] = {DIRECTOR: 1, PREFERRED: 1, COMMON: 5}
"""Certificates of each kind in a company."""
SHARES_PER_COMPANY = 10
MOST_SHARES = 6  # certificates of one company in one hand (BS 1.3)
CERTIFICATE_LIMITS = {2: 10, 3: 12, 4: 14}

DECADES = 5
STARTING_CASH = 175
PARTNERS = 2  # of each player at the start (BS 1.8)
PARTNERS_DECADE = 3  # the decade in which everybody gets one more
HAND_SIZE = 3  # building tiles from which one is played and one discarded (BS 6.1)
MOST_WORKERS = 12  # workers in the job market (BS 1.7)
FIRST_WORKERS = 4
MOST_APPEAL = 16
GOODS_TOKENS = 10
DECLINED_BONUS = 25  # dollars for the company (BS 1.5)
IDLE_PARTNER = 25  # dollars for each partner of a seat without a company (B-46)
GOAL_PRIZE = 200
GOALS_SHOWN = 5
WORKER_PRICES = ((9, 20), (5, 30), (1, 40), (0, 50))
"""Workers in the market from which on the next one costs so much. (BS 1.7)"""


@dataclass(frozen=True)
class FactoryRow:
    """A factory: `staff` spaces, the cubes it uses, the goods it makes, and what its manager adds: cubes of choice,
    appeal and goods. (BS 1.4)"""

    staff: int
    inputs: tuple[Cube, ...]
    goods: int
    cubes: int = 0
    appeal: int = 0
    extra: int = 0


@dataclass(frozen=True)
class CompanyRow:
    """A company; `prices` of a good by the number of salespeople; `has_slot`: it may keep a capital asset."""

    title: str
    trade: Trade
    appeal: int
    has_slot: bool
    prices: tuple[int, ...]
    factories: tuple[FactoryRow, ...]

    @property
    def most_salespeople(self) -> int:
        return len(self.prices) - 1

    def factory(self, number: int) -> FactoryRow:
        """A factory by its number, the leftmost is 1."""
        return self.factories[number - 1]


def cubes_of(letters: str) -> tuple[Cube, ...]:
    """The cubes that letters stand for: `CCL`."""
    return tuple(LETTERS[letter] for letter in letters)


def _factory(staff: int, inputs: str, goods: int, *, cubes: int = 0, appeal: int = 0, extra: int = 0) -> FactoryRow:
    return FactoryRow(staff, cubes_of(inputs), goods, cubes, appeal, extra)


COMPANIES: Mapping[Company, CompanyRow] = {
    "brunswick": CompanyRow(
        "Brunswick-Balke-Collender", "dry_goods", 1, True, (80, 90, 100, 110),
        (_factory(1, "WWS", 1, cubes=2), _factory(3, "WWWC", 1, cubes=2)),
    ),
    "spalding": CompanyRow(
        "A.G. Spalding", "dry_goods", 1, True, (20, 30),
        (_factory(1, "CL", 2, appeal=1), _factory(2, "SL", 3, appeal=1)),
    ),
    "swift": CompanyRow(
        "Swift & Co.", "meat", 3, True, (50, 60, 70),
        (_factory(2, "SL", 2, cubes=1, appeal=1), _factory(3, "SSL", 1, appeal=1, extra=1)),
    ),
    "fairbank": CompanyRow(
        "N.K. Fairbank", "dry_goods", 3, False, (40, 50, 60),
        (_factory(1, "CC", 2, cubes=1, appeal=1), _factory(1, "CCL", 1, cubes=1, appeal=1)),
    ),
    "henderson": CompanyRow(
        "C.M. Henderson", "shoes", 1, False, (20, 30, 40),
        (_factory(1, "CL", 3, cubes=1, appeal=1), _factory(2, "CS", 2, appeal=1), _factory(1, "CL", 2, cubes=1)),
    ),
    "libby": CompanyRow(
        "Libby, McNeill & Libby", "food", 1, True, (20, 30, 40),
        (_factory(2, "SL", 3, cubes=1, appeal=1), _factory(2, "SLL", 3, cubes=1, appeal=1)),
    ),
    "anglo": CompanyRow(
        "Anglo-American Provision", "meat", 2, True, (30, 40, 50),
        (_factory(1, "CL", 2, cubes=1, appeal=1), _factory(2, "CCLW", 3, cubes=2)),
    ),
    "cracker": CompanyRow(
        "Cracker Jack", "food", 1, False, (30, 40, 50),
        (_factory(1, "W", 2, appeal=1), _factory(3, "CS", 2, appeal=1)),
    ),
    "doggett": CompanyRow(
        "Doggett, Basset & Hills", "shoes", 1, False, (50, 60, 70),
        (_factory(2, "CL", 2, cubes=1, appeal=1), _factory(2, "SLWW", 1, extra=1)),
    ),
    "elgin": CompanyRow(
        "Elgin National Watch", "dry_goods", 2, False, (50, 60, 70),
        (_factory(2, "CS", 2, appeal=2), _factory(2, "CSS", 1, cubes=1, appeal=1)),
    ),
}  # fmt: skip

APPEAL_BONUSES: Mapping[int, str] = {
    3: "worker",
    5: "salesperson",
    7: "automation",
    9: "partner",
    11: "goods_token",
    13: "stock_step",
    15: "goods_token",
    16: "stock_step",
}
"""Spaces of the appeal track that grant something when a company reaches or passes them. (BS 1.5)"""
BONUS_TITLES: Mapping[str, str] = {
    "worker": mark("a worker"),
    "salesperson": mark("a salesperson"),
    "automation": mark("an automation"),
    "partner": mark("a partner"),
    "goods_token": mark("a goods token"),
    "stock_step": mark("a step of the stock value"),
}

CUBES_IN_GAME: Mapping[Cube, int] = {"livestock": 20, "steel": 18, "coal": 16, "wood": 16}
HAYMARKET_START = 2  # cubes of each kind (BS 1.6)
COLUMNS = ("10", "20", "30", "X")
"""The supply chain; cubes of the last column are not for sale."""
COLUMN_PRICES: Mapping[str, int] = {"10": 10, "20": 20, "30": 30}
REFILLS = {1: 3, 2: 4, 3: 4, 4: 5, 5: 6}
"""Cubes that fill an empty column, by decade."""

SLOTS = ("50", "20", "0")
"""The columns of the demand board, which are also what completing a tile adds to the revenue. (BS 1.12)"""
SLOT_BONUSES: Mapping[str, int] = {"50": 50, "20": 20, "0": 0}
PRINTED_CAPACITY = 6  # goods in the $20 slot without a tile
DEMAND: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 2), (1, 2), (1, 3), (2, 2), (2, 3), (3, 4)),
    2: ((3, 2), (3, 2), (2, 2), (5, 2), (4, 2), (4, 3)),
    3: ((5, 2), (4, 2), (4, 4), (6, 2), (5, 4), (5, 2)),
    4: ((6, 2), (6, 2), (6, 3), (8, 4), (7, 2), (7, 4)),
}
"""Demand tiles by pips: capacity, and the fewest players with whom they are used."""

ASSET_SLOTS = (40, 50, 60, 70, 80)
"""The row of capital assets by price. (BS 1.9)"""

GOALS: Mapping[int, str] = {
    1: mark("Managers in your companies"),
    2: mark("Salespeople in your companies"),
    3: mark("Capital assets of your companies"),
    4: mark("Workers in your companies"),
    5: mark("Automation tokens in use in your companies"),
    6: mark("Best appeal among your companies"),
    7: mark("Most cash in one of your companies"),
    8: mark("Partners"),
    9: mark("Common certificates"),
    10: mark("Preferred certificates"),
}
"""(BS 1.13)"""

LIVE_SECONDS = {
    "first_company": 120,
    "stock": 90,
    "stock_end": 10,
    "building": 60,
    "action": 120,
    "operation": 180,
    "cleanup": 15,
    "end": 20,
}
"""Our own lengths for people who sit together; the source prints none."""


def demand_of(pips: int, seats: int) -> list[int]:
    """The capacities of a class of demand tiles, by the number of players."""
    return [capacity for capacity, least in DEMAND[pips] if least <= seats]


def worker_price(in_market: int) -> int:
    """The price of the next worker, by the number in the market."""
    return next(price for least, price in WORKER_PRICES if in_market >= least)


def price_of_workers(in_market: int, workers: int) -> int:
    """What some workers cost one after another. (B-31)"""
    return sum(worker_price(max(0, in_market - hired)) for hired in range(workers))
