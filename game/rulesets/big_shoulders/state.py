"""The complete state of a position of City of the Big Shoulders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from game.engine.ledger import BANK, Ledger, cash_of, hand_of, treasury_of
from game.engine.position import State
from game.rulesets.big_shoulders.effects import PRICE_PROTECTION, Asset, Space
from game.rulesets.big_shoulders.options import Options
from game.rulesets.big_shoulders.tables import (
    CERTIFICATE_LIMITS,
    COMMON,
    COMPANIES,
    COMPANY_KEYS,
    CUBES,
    DECADES,
    DIRECTOR,
    ISSUED,
    PREFERRED,
    PRINTED_CAPACITY,
    UNITS,
    VALUES,
    Company,
    Cube,
    Trade,
)

UNISSUED = "unissued"
"""The place of certificates of companies that have not started."""
BAG, HAYMARKET = "bag", "haymarket"
WORKERS, SUPPLY, MARKET = "workers", "supply", "market"
"""Workers in the ledger: in the supply, in the job market, or in a company's factories."""
Place = Literal["treasury", "pool"]


def staff_of(company: Company, factory: int) -> str:
    """The place of a factory's workers."""
    return f"{company}:{factory}"


def certificate(company: Company, kind: str) -> str:
    """The ledger's name for the certificates of a kind: `swift:P`."""
    return f"{company}:{kind}"


class FactoryState(msgspec.Struct):
    """A factory: the automation tokens in use, and whether it has a manager. Its workers are in the ledger."""

    automated: int = 0
    has_manager: bool = False


class CompanyState(msgspec.Struct):
    """A started company. `value` is its place on the track of values; `tokens` are its goods tokens; `offices` is how
    often it has changed its director."""

    director: int
    value: int
    appeal: int
    factories: list[FactoryState]
    goods: int = 0
    tokens: int = 0
    salespeople: int = 0
    asset: Asset | None = None
    is_exhausted: bool = False
    offices: int = 0

    @property
    def managers(self) -> int:
        return sum(factory.has_manager for factory in self.factories)

    @property
    def automated(self) -> int:
        return sum(factory.automated for factory in self.factories)

    @property
    def price(self) -> int:
        """Dollars a share."""
        return VALUES[self.value]


class DemandTile(msgspec.Struct):
    """A demand tile on the board with the goods on it. `capacity` 0 accepts nothing. (B-57)"""

    pips: int
    capacity: int
    goods: int = 0

    @property
    def room(self) -> int:
        return self.capacity - self.goods


class Owed(msgspec.Struct, frozen=True):
    """A bonus of the appeal track that a company has reached and that is not settled yet."""

    company: Company
    space: int


class Visit(msgspec.Struct, frozen=True):
    """A partner on a space or a tile, and its company."""

    company: Company
    space: Space


class Operation(msgspec.Struct):
    """The company that operates: `runs` are the factories that ran; `revenue` in dollars; `is_paid` once the dividend
    is paid or withheld. (BS 7)"""

    company: Company
    runs: int = 0
    revenue: int = 0
    has_raised: bool = False
    has_bought: bool = False
    has_stopped: bool = False
    has_sold: bool = False
    is_paid: bool = False


class ShouldersState(State):
    """A position. `turn` counts the decades.

    `hands` and `discarded` are hidden. Decks are sets, whose order does not say what will be drawn; `demand_deck` holds
    the capacities that are left by pips. `order` is the order of the action phase, `next_order` that of its next
    sequence, `sequence` the seats still to act in this one. `track` are the started companies in the order in which
    they operate. `assets` is the row from 40 to 80. `used` are the tiles and single spaces used in this decade,
    `visits` all partners placed in it, in order. `owed` are the open bonuses, `is_ending`: the turn ends once they are
    settled. `printed` are the goods on the printed $20 slots. `sold` are the companies of which each seat has sold this
    decade. `deals` counts sales, purchases and starts; `is_by_recipe`: the operation follows a standing order."""

    options: Options = msgspec.field(default_factory=Options)
    ledger: Ledger = msgspec.field(default_factory=Ledger)
    companies: dict[Company, CompanyState] = {}
    track: list[Company] = []
    is_setting_up: bool = True
    acting: int | None = None
    queue: list[int] = []
    priority: int = 0
    passes: int = 0
    deals: int = 0
    last_dealer: int | None = None
    has_sold: bool = False
    sold: list[list[Company]] = []
    partners: list[int] = []
    ready: list[int] = []
    first_companies: list[Company | None] = []
    appeal_partners: list[int] = []
    factory_partners: list[int] = []
    hands: list[list[int]] = []
    built: list[list[int]] = []
    discarded: list[list[int]] = []
    era_decks: dict[int, list[int]] = {}
    order: list[int] = []
    next_order: list[int] = []
    sequence: list[int] = []
    has_placed: bool = False
    used: list[Space] = []
    visits: list[Visit] = []
    owed: list[Owed] = []
    is_ending: bool = False
    assets: list[Asset | None] = []
    asset_deck: list[Asset] = []
    demand: dict[Trade, list[DemandTile | None]] = {}
    demand_deck: dict[int, list[int]] = {}
    printed: dict[Trade, int] = {}
    goals: list[int] = []
    operation: Operation | None = None
    is_by_recipe: bool = False
    operating: list[Company] = []
    is_decade_over: bool = False
    awards: list[int] = []
    end: str = ""

    @property
    def is_last_decade(self) -> bool:
        return self.turn == DECADES

    @property
    def limit(self) -> int:
        """The most certificates in one hand. (BS 1.3)"""
        return CERTIFICATE_LIMITS[self.seats]

    @property
    def market(self) -> int:
        """Workers in the job market."""
        return self.ledger.at(WORKERS, MARKET)

    def cash(self, seat: int) -> int:
        return self.ledger.balance(cash_of(seat))

    def treasury(self, company: Company) -> int:
        """A company's cash."""
        return self.ledger.balance(treasury_of(company))

    def price(self, company: Company) -> int:
        """Dollars a share."""
        return self.companies[company].price

    def at(self, company: Company, kind: str, place: str) -> int:
        """Certificates of a kind in a place of the ledger."""
        return self.ledger.at(certificate(company, kind), place)

    def held(self, seat: int, company: Company, kind: str) -> int:
        """Certificates of a kind in a seat's hand."""
        return self.at(company, kind, hand_of(seat))

    def units_at(self, company: Company, place: str) -> int:
        """Shares of a company in a place."""
        return sum(units * self.at(company, kind, place) for kind, units in UNITS.items())

    def units(self, seat: int, company: Company) -> int:
        """A seat's shares of a company."""
        return self.units_at(company, hand_of(seat))

    def certificates(self, seat: int) -> int:
        """How many certificates a seat holds."""
        return sum(self.ledger.held_in(hand_of(seat)).values())

    def in_treasury(self, company: Company, kind: str) -> int:
        return self.at(company, kind, treasury_of(company))

    def in_pool(self, company: Company, kind: str) -> int:
        return self.at(company, kind, BANK)

    def directed_by(self, seat: int) -> list[Company]:
        """A seat's own companies, in table order."""
        return [key for key in COMPANY_KEYS if key in self.companies and self.companies[key].director == seat]

    def cubes(self, cube: Cube, place: str) -> int:
        return self.ledger.at(cube, place)

    def cubes_at(self, place: str) -> dict[Cube, int]:
        """Cubes by kind in a place, without zeros."""
        shares = self.ledger.shares
        return {cube: number for cube in CUBES if (number := shares[cube].get(place))}

    def workers_in(self, company: Company) -> list[int]:
        """Workers by factory."""
        places = self.ledger.shares[WORKERS]
        factories = range(1, len(self.companies[company].factories) + 1)
        return [places.get(staff_of(company, number), 0) for number in factories]

    def free_spaces(self, company: Company) -> list[int]:
        """Staff spaces without worker and automation, by factory."""
        own = self.companies[company].factories
        return [
            row.staff - workers - factory.automated
            for row, workers, factory in zip(COMPANIES[company].factories, self.workers_in(company), own, strict=True)
        ]

    def protects(self, company: Company) -> bool:
        """True if Price Protection would stop a drop of the value. (BS 5.6, B-84)"""
        own = self.companies[company]
        is_active = self.options.price_protection_passive or not own.is_exhausted
        return own.asset == PRICE_PROTECTION and is_active

    def stock_worth(self, seat: int) -> int:
        """The worth of a seat's certificates at the present values."""
        return sum(self.units(seat, company) * self.price(company) for company in self.companies)

    def worth(self, seat: int) -> int:
        """Cash, certificates, and what goals have brought. (BS 9)"""
        return self.cash(seat) + self.stock_worth(seat) + self.awards[seat]

    def owner_of(self, tile: int) -> int | None:
        """The seat that has built a tile; None while nobody has."""
        return next((seat for seat, built in enumerate(self.built) if tile in built), None)

    def tiles_built(self) -> Iterator[int]:
        """Every tile on a track, by seat."""
        return (tile for built in self.built for tile in built)

    def room(self, trade: Trade, slot: int) -> int:
        """Goods that a demand slot still takes; the printed $0 slot is the bank. (BS 1.12)"""
        tile = self.demand[trade][slot]
        if tile is not None:
            return tile.room
        return PRINTED_CAPACITY - self.printed[trade] if slot == 1 else 0


def unissued() -> dict[str, dict[str, int]]:
    """All certificates of all companies."""
    return {
        certificate(company, kind): {UNISSUED: ISSUED[kind]}
        for company in COMPANY_KEYS
        for kind in (DIRECTOR, PREFERRED, COMMON)
    }
