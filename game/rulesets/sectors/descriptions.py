"""The words in which a position is described; every missing word has a sensible default."""

from __future__ import annotations

import msgspec

from game.engine.modifiers import Modifier
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.state import OPEN, Contribution
from game.rulesets.sectors.tables.common import ECONOMY_START, TRACK_LENGTH


class DescriptionError(ValueError):
    """The description uses a word that is not one, or contradicts itself."""


class _Words(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a description may say; every missing word has a sensible default."""


class PlayerWords(_Words):
    cash: int = 300
    income: int = 0
    shares: dict[str, int] = {}


class SectorWords(_Words):
    priority: int | None = None
    base_demand: int | None = None
    temporary_demand: int = 0
    consumers: int = 0
    has_floated: bool | None = None


class CompanyWords(_Words):
    """`ipo`, `market` and `existing`: two give the third; of one alone, the rest is in the IPO until a company has floated."""

    name: str = ""
    sector: str = "industrial"
    tier: str | None = None
    status: str = "active"
    price: int = 47
    filled: int = 0
    ipo_price: int | None = None
    ipo: int | None = None
    market: int | None = None
    existing: int | None = None
    unit_price: int = 50
    treasury: int | None = None
    base_demand: int = 0
    temporary_demand: int = 0
    base_supply: int = 0
    temporary_supply: int = 0
    prestige: int = 0
    has_loan: bool = False
    frozen_moves: int = 0
    cards: list[str] = []
    abilities: list[str] = []
    modifiers: list[Modifier] = []
    produced: int = 0
    sold: int = 0
    revenue: int = 0
    choice: str = ""


class OrderWords(_Words):
    """An order of an earlier phase. `price` is a limit's value, a bid, or a short's opening price."""

    player: str
    kind: str
    company: str
    quantity: int = 1
    side: str = "buy"
    price: int = 0
    status: str = OPEN
    turn: int | None = None
    sub_round: int = 1
    contract: int | None = None


class ContractWords(_Words):
    company: str
    strike: int
    premium: int = 10
    term: int = 1
    shares: int = 3
    bonus: int = 1
    owner: str | None = None
    age: int = 0


class TrancheWords(_Words):
    sector: str
    cash: int = 0
    prestige: int = 0
    winner: str | None = None


class TradeWords(_Words):
    player: str
    company: str
    side: str


class Description(_Words):
    """A whole position. `phase` is where it stands: an automatic phase stands just before it, a decision open for it."""

    phase: str
    just_before: bool = False
    turn: int = 2
    acting: str | None = None
    players: dict[str, PlayerWords] = msgspec.field(default_factory=lambda: {"ada": PlayerWords(), "bob": PlayerWords()})
    priority: list[str] | None = None
    companies: dict[str, CompanyWords] = {}
    sectors: dict[str, SectorWords] = {}
    bank: int | None = None
    bank_low: int | None = None
    pool: int | None = None
    economy: int = ECONOMY_START
    options: Options = msgspec.field(default_factory=Options)
    deck: list[str] = []
    track: list[str] = msgspec.field(default_factory=lambda: ["bull_signal"] * TRACK_LENGTH)
    injections: dict[int, int] = {}
    marker: int = 0
    headlines: list[tuple[str, int] | None] = []
    tranches: list[TrancheWords] = []
    contracts: list[ContractWords] = []
    orders: list[OrderWords] = []
    trades: list[TradeWords] = []
    sub_round: int | None = None
    queue: list[str] | None = None
    acted: list[str] = []
    executed: dict[str, int] = {}
    contribution: Contribution = msgspec.field(default_factory=Contribution)
    reviews: bool = False
