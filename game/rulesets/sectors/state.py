"""The state of a game of Sectors, in the rulebook's words."""

from __future__ import annotations

import msgspec

from game.engine.ledger import cash_of, hand_of, treasury_of
from game.engine.modifiers import Modifier
from game.engine.position import State
from game.rulesets.sectors.ledger import MARKET, SectorsLedger, margin_of
from game.rulesets.sectors.options import EDITIONS, Options
from game.rulesets.sectors.tables.chart import PRICES
from game.rulesets.sectors.tables.edition import Edition

INACTIVE, ACTIVE, INSOLVENT, BANKRUPT = "inactive", "active", "insolvent", "bankrupt"
FLOATED = (ACTIVE, INSOLVENT)

MARKET_ORDER, LIMIT_ORDER, SHORT_ORDER, OPTION_ORDER = "market", "limit", "short", "option"
ORDER_KINDS = (MARKET_ORDER, LIMIT_ORDER, SHORT_ORDER, OPTION_ORDER)
PENDING, OPEN, TRIGGERED, FILLED, REJECTED = "pending", "open", "filled_pending_settlement", "filled", "rejected"
LIVE = (PENDING, OPEN, TRIGGERED)

FULL, HALF, RETAIN = "full", "half", "retain"
VETO = "veto"


class Sector(msgspec.Struct):
    """A sector in play. `priority` 1 is served first; demand and consumers in units. `has_floated` stays true once set
    (R-20)."""

    key: str
    priority: int
    base_demand: int
    temporary_demand: int = 0
    consumers: int = 0
    has_floated: bool = False


class Company(msgspec.Struct):
    """A company. `step` is its place on the price chart, `filled` the slots filled there; prices in whole dollars."""

    ticker: str
    name: str
    sector: str
    tier: str
    founded: int
    step: int
    ipo_price: int
    unit_price: int
    status: str = INACTIVE
    filled: int = 0
    base_demand: int = 0
    temporary_demand: int = 0
    base_supply: int = 0
    temporary_supply: int = 0
    prestige: int = 0
    has_loan: bool = False
    frozen_moves: int = 0  # steps moved by this turn's market orders (A55)
    cards: list[str] = []
    modifiers: list[Modifier] = []
    produced: int = 0  # this turn's production
    sold: int = 0
    revenue: int = 0
    choice: str = ""  # what the revenue vote of this turn chose

    @property
    def price(self) -> int:
        """The stock price in whole dollars."""
        return PRICES[self.step]


class Space(msgspec.Struct):
    """A space of the prestige track; `injection` in dollars, only on Capital Injection."""

    kind: str
    injection: int = 0


class Headline(msgspec.Struct, frozen=True):
    """A headline on offer: it moves `sector` by `move` places; positive is earlier."""

    sector: str
    move: int
    cost: int


class Pool(msgspec.Struct):
    """A tranche: cash in dollars, prestige tokens, and the passive ability of its sector."""

    sector: str
    cash: int
    prestige: int
    winner: int | None = None


class Contract(msgspec.Struct):
    """An option contract. `owner` None: on sale. `age` counts its expiry phases so far."""

    id: int
    company: str
    term: int
    shares: int
    bonus: int
    strike: int
    premium: int
    owner: int | None = None
    age: int = 0


class Order(msgspec.Struct):
    """An order after its phase closed. `price` is a limit's value, a bid, or a short's opening price; `paid` is the
    money that changed hands, in dollars. `shown`: what others see of it (S 4.1 phases 10, 11)."""

    id: int
    seat: int
    kind: str
    company: str
    quantity: int
    side: str = "buy"
    location: str = MARKET
    price: int = 0
    contract: int | None = None
    status: str = PENDING
    turn: int = 0
    sub_round: int = 0
    paid: int = 0
    margin: int = 0
    shown: str = "sealed"
    reason: str = ""


class Wish(msgspec.Struct, frozen=True):
    """A winner's distribution of a tranche: dollars by seat, and the companies that get its tokens and its ability."""

    cash: dict[int, int] = {}
    prestige_to: str | None = None
    ability_to: str | None = None


class Contribution(msgspec.Struct):
    """The contributions to an insolvent company: their worth in dollars, and the shares sold for them."""

    worth: int = 0
    shares: int = 0


class Trade(msgspec.Struct, frozen=True):
    """A market order filled in this stock round, for the option `no_round_trips`."""

    seat: int
    company: str
    side: str


class SectorsState(State):
    """A position of Sectors. `priority` lists the seats, best first; `pool` is the global pool of consumers."""

    ledger: SectorsLedger = msgspec.field(default_factory=SectorsLedger)
    options: Options = msgspec.field(default_factory=Options)
    priority: list[int] = []
    sectors: dict[str, Sector] = {}
    companies: dict[str, Company] = {}
    pool: int = 0
    economy: int = 0
    deck: list[str] = []
    track: list[Space] = []
    marker: int = 0
    passed: list[int] = []  # spaces of the track the marker has left: they are public
    headlines: list[Headline | None] = []
    pledges: dict[int, int] = {}  # sealed until phase 3b
    tranches: list[Pool] = []
    tranche_votes: dict[int, int] = {}  # sealed until phase 5
    wishes: dict[int, Wish] = {}  # sealed until phase 7
    contracts: dict[int, Contract] = {}
    orders: dict[int, Order] = {}
    next_id: int = 1
    sub_round: int = 0
    trades: list[Trade] = []
    bids: dict[int, int] = {}  # the influence bids, once revealed
    incomes: list[int] = []  # realised this turn, by seat
    queue: list[str] = []  # the locked company action order
    acted: list[str] = []
    done: dict[str, list[str]] = {}  # the actions that companies carried out this turn
    revenue_votes: dict[str, dict[int, str]] = {}  # by company and seat, sealed until phase 23
    ballots: dict[int, list[str]] = {}  # for the acting company, sealed until phase 26
    selected: list[str] | None = None  # the actions the vote chose for the acting company
    executed: dict[str, int] = {}  # tiered actions executed in this operating round
    contribution: Contribution = msgspec.field(default_factory=Contribution)
    turn_is_over: bool = False
    end: str = ""  # why the game ended: "bank" or "turns"

    @property
    def tables(self) -> Edition:
        """The printed numbers in force."""
        return EDITIONS[self.options.edition]

    @property
    def bank_broke(self) -> bool:
        """True if the bank has ever been at 0 or below: this turn is the last. (S 4.5, A20)"""
        return self.ledger.bank_low is not None and self.ledger.bank_low <= 0

    def cash(self, seat: int) -> int:
        """A seat's cash on hand."""
        return self.ledger.balance(cash_of(seat))

    def margin(self, seat: int) -> int:
        """A seat's cash locked under its shorts."""
        return self.ledger.balance(margin_of(seat))

    def treasury(self, ticker: str) -> int:
        """A company's treasury."""
        return self.ledger.balance(treasury_of(ticker))

    def shares(self, ticker: str, seat: int) -> int:
        """A seat's own shares of a company."""
        return self.ledger.at(ticker, hand_of(seat))

    def by_priority(self, seats: list[int]) -> list[int]:
        """The seats in player priority order, best first."""
        return sorted(seats, key=self.priority.index)

    def new_id(self) -> int:
        """The next number for an order or a contract."""
        self.next_id += 1
        return self.next_id - 1
