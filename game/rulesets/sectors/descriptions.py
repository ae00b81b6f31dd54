"""The words in which a position is described; every missing word has a sensible default."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from game.engine.modifiers import Modifier
from game.engine.scenarios.standing import MOST, Count, Given
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.state import OPEN, Contribution
from game.rulesets.sectors.tables.common import ECONOMY_START, TRACK_LENGTH


class _Words(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a description may say; every missing word has a sensible default."""


class PlayerWords(_Words):
    cash: Count = 300
    income: Count = 0
    shares: dict[str, Count] = {}


class SectorWords(_Words):
    priority: Count | None = None
    base_demand: Count | None = None
    temporary_demand: Count = 0
    consumers: Count = 0
    has_floated: bool | None = None


class CompanyWords(_Words):
    """`ipo`, `market` and `existing`: two give the third; of one alone, the rest is in the IPO until a company has
    floated."""

    name: str = ""
    sector: str = "industrial"
    tier: str | None = None
    status: str = "active"
    price: int = 47
    filled: Count = 0
    ipo_price: Count | None = None
    ipo: Count | None = None
    market: Count | None = None
    existing: Count | None = None
    unit_price: Count = 50
    treasury: Count | None = None
    base_demand: Count = 0
    temporary_demand: Count = 0
    base_supply: Count = 0
    temporary_supply: Count = 0
    prestige: Count = 0
    has_loan: bool = False
    frozen_moves: Annotated[int, Meta(ge=-MOST, le=MOST)] = 0
    cards: list[str] = []
    abilities: list[str] = []
    modifiers: list[Modifier] = []
    produced: Count = 0
    sold: Count = 0
    revenue: Count = 0
    choice: str = ""


class OrderWords(_Words):
    """An order of an earlier phase. `price` is a limit's value, a bid, or a short's opening price. What others see of
    it follows from the phase: an order on its way to phase 10 or 11 is not revealed yet."""

    player: str
    kind: str
    company: str
    quantity: Count = 1
    side: str = "buy"
    price: Count = 0
    status: str = OPEN
    turn: Count | None = None
    sub_round: Count = 1
    contract: Count | None = None
    location: Literal["ipo", "market", "derivatives"] | None = None
    shown: Literal["sealed", "location", "all"] | None = None


class ContractWords(_Words):
    company: str
    strike: Count
    premium: Count = 10
    term: Count = 1
    shares: Count = 3
    bonus: Count = 1
    owner: str | None = None
    age: Count = 0


class TrancheWords(_Words):
    sector: str
    cash: Count = 0
    prestige: Count = 0
    winner: str | None = None


class TradeWords(_Words):
    player: str
    company: str
    side: str


class WishWords(_Words):
    cash: dict[str, Count] = {}
    prestige_to: str | None = None
    ability_to: str | None = None


class Description(Given, kw_only=True, forbid_unknown_fields=True):
    """A whole position. `phase` is where it stands: an automatic phase stands just before it, a decision open for
    it."""

    acting: str | None = None
    players: dict[str, PlayerWords] = msgspec.field(
        default_factory=lambda: {"ada": PlayerWords(), "bob": PlayerWords()}
    )
    priority: list[str] | None = None
    companies: dict[str, CompanyWords] = {}
    sectors: dict[str, SectorWords] = {}
    bank: Annotated[int, Meta(ge=-MOST, le=MOST)] | None = None
    bank_low: Annotated[int, Meta(ge=-MOST, le=MOST)] | None = None
    pool: Count | None = None
    economy: Count = ECONOMY_START
    options: Options = msgspec.field(default_factory=Options)
    deck: list[str] = []
    track: list[str] = msgspec.field(default_factory=lambda: ["bull_signal"] * TRACK_LENGTH)
    injections: dict[int, Count] = {}
    marker: Count = 0
    headlines: list[tuple[str, int] | None] = []
    tranches: list[TrancheWords] = []
    contracts: list[ContractWords] = []
    orders: list[OrderWords] = []
    trades: list[TradeWords] = []
    sub_round: Count | None = None
    queue: list[str] | None = None
    acted: list[str] = []
    executed: dict[str, Count] = {}
    contribution: Contribution = msgspec.field(default_factory=Contribution)
    passed: list[Count] = []
    bids: dict[str, Count] = {}
    pledges: dict[str, Count] = {}
    tranche_votes: dict[str, Count] = {}
    wishes: dict[str, WishWords] = {}
    revenue_votes: dict[str, dict[str, str]] = {}
    ballots: dict[str, list[str]] = {}
    selected: list[str] | None = None
