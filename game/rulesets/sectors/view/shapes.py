"""The shapes of what a viewer sees."""

from __future__ import annotations

from typing import Any

import msgspec

from game.engine import view
from game.rulesets.sectors.tables.chart import STEP_OF, TIERS


class CompanyView(msgspec.Struct, frozen=True):
    """A company as everybody sees it. Money in whole dollars; `holdings` are shares by seat; `status` is the rulebook's
    word."""

    ticker: str
    name: str
    sector: str
    tier: str
    tier_title: str
    status: str
    price: int
    step: int
    filled: int
    ipo_price: int
    ipo: int
    market: int
    aside: int
    existing: int
    cap: int
    holdings: dict[int, int]
    unit_price: int
    treasury: int
    operating_cost: int
    prestige: int
    supply: int
    tier_supply: int
    demand: int
    base_demand: int
    temporary_demand: int
    temporary_supply: int
    throughput: int
    throughput_steps: int
    shortfall: int
    actions: int
    has_loan: bool
    is_acting: bool
    has_acted: bool
    is_floated: bool
    float_needs: int
    abilities: tuple[str, ...]
    cards: tuple[str, ...]
    effects: tuple[str, ...]
    produced: int
    sold: int
    revenue: int
    choice: str
    contributed: int
    done: tuple[str, ...] = ()

    def steps_from(self, price: int) -> int:
        """The number of chart steps above another price; negative below it."""
        return self.step - STEP_OF[price]


class SectorView(msgspec.Struct, frozen=True):
    """A sector with its companies in serving order."""

    key: str
    title: str
    priority: int
    base_demand: int
    temporary_demand: int
    consumers: int
    float_percent: int
    companies: tuple[CompanyView, ...]

    @property
    def demand(self) -> int:
        """The consumers that the sector draws at the end of a turn."""
        return self.base_demand + self.temporary_demand


class PlayerView(view.SeatView, frozen=True, kw_only=True):
    """A seat as everybody sees it; counters only for its owner."""

    priority: int
    cash: int
    margin: int
    certificates: int
    holdings: dict[str, int]
    income: int
    bid: int | None = None
    limit_actions: int | None = None
    short_actions: int | None = None

    @property
    def net_worth(self) -> int:
        """The score at the end, in dollars."""
        return self.score


class OrderView(msgspec.Struct, frozen=True):
    """An order as far as the viewer may see it: hidden fields are None."""

    id: int
    seat: int
    company: str
    location: str
    turn: int
    sub_round: int
    status: str
    kind: str | None = None
    side: str | None = None
    quantity: int | None = None
    price: int | None = None
    contract: int | None = None
    paid: int | None = None
    margin: int | None = None
    reason: str = ""


class ContractView(msgspec.Struct, frozen=True):
    """An option contract. `turns_left`: the expiry phases that it will survive; None while on sale."""

    id: int
    company: str
    shares: int
    term: int
    strike: int
    premium: int
    bonus: int
    owner: int | None
    turns_left: int | None


class HeadlineView(msgspec.Struct, frozen=True):
    """A headline on offer."""

    slot: int
    sector: str
    sector_title: str
    move: int
    cost: int


class TrancheView(msgspec.Struct, frozen=True):
    """A tranche on offer or won."""

    number: int
    sector: str
    sector_title: str
    cash: int
    prestige: int
    ability: str
    ability_text: str
    winner: int | None


class TrackView(msgspec.Struct, frozen=True):
    """The current space of the prestige track; its future stays hidden. `seen`: the spaces already visited, by
    index."""

    index: int
    length: int
    kind: str
    title: str
    text: str
    cost: int
    injection: int
    seen: dict[int, str]


class PhaseView(view.PhaseView, frozen=True, kw_only=True):
    """The open phase. `company`: the acting company's ticker in phases 25–27."""

    sub_round: int
    company: str | None


class SectorsView(view.View, frozen=True, kw_only=True):
    """Everything one viewer may know."""

    phase: PhaseView | None
    players: tuple[PlayerView, ...]
    max_turns: int
    edition: int
    options: dict[str, Any]
    bank: int
    bank_broke: bool
    economy: int
    economy_moves: bool
    pool: int
    certificate_limit: int
    sectors: tuple[SectorView, ...]
    orders: tuple[OrderView, ...]
    contracts: tuple[ContractView, ...]
    headlines: tuple[HeadlineView, ...]
    tranches: tuple[TrancheView, ...]
    track: TrackView
    queue: tuple[str, ...]
    acting: str | None
    deck_left: int

    @property
    def chart(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The price chart: for each tier, the shares per step and the prices."""
        return TIERS

    @property
    def companies(self) -> tuple[CompanyView, ...]:
        """All companies, sector by sector in serving order."""
        return tuple(company for sector in self.sectors for company in sector.companies)

    def company(self, ticker: str) -> CompanyView:
        """A company by its ticker."""
        return next(company for company in self.companies if company.ticker == ticker)
