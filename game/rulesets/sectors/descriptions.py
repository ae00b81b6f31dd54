"""The words that describe a position, each with a default, and the inputs of the phase that closed last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from game.engine.modifiers import Modifier
from game.engine.scenarios.language import DescriptionError
from game.engine.scenarios.standing import MOST, Count, Given
from game.rulesets.sectors.effects import COMPANY_ACTIONS
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.state import FULL, HALF, OPEN, RETAIN, Contribution, SectorsState, Wish
from game.rulesets.sectors.tables.common import ECONOMY_START, TRACK_LENGTH

V = TypeVar("V")
Seat = Callable[[str], int]


class _Words(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The words of a description; every missing word has a sensible default."""


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
    """`ipo`, `market` and `existing`: two determine the third; with one, the rest is in the IPO of a company that has
    not floated."""

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
    it depends on the phase: an order that waits for phase 10 or 11 is not revealed yet."""

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
    """A whole position. `phase` is where it stands: just before an automatic phase, or with a decision phase open."""

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


def fill(state: SectorsState, description: Description, seat: Seat) -> None:
    """Put bids, pledges, votes and distributions where their resolutions look for them. Raises `DescriptionError`."""
    state.bids = _by_seat(description.bids, seat)
    if description.phase == "influence_resolve":
        state.bids = {number: state.bids.get(number, 0) for number in range(state.seats)}
    state.pledges, state.tranche_votes = _by_seat(description.pledges, seat), _by_seat(description.tranche_votes, seat)
    for wish in description.wishes.values():
        _known((wish.prestige_to, wish.ability_to), state.companies, "company")
    wishes = {name: Wish(_by_seat(w.cash, seat), w.prestige_to, w.ability_to) for name, w in description.wishes.items()}
    state.wishes = _by_seat(wishes, seat)
    _votes(state, description, seat)


def _votes(state: SectorsState, description: Description, seat: Seat) -> None:
    _known(description.revenue_votes, state.companies, "company")
    for votes in description.revenue_votes.values():
        _known(votes.values(), (FULL, HALF, RETAIN), "choice")
    state.revenue_votes = {ticker: _by_seat(votes, seat) for ticker, votes in description.revenue_votes.items()}
    for ballot in (*description.ballots.values(), description.selected or ()):
        _known(ballot, COMPANY_ACTIONS, "company action")
    state.ballots = _by_seat(description.ballots, seat)
    state.selected = description.selected


def _by_seat(by_name: Mapping[str, V], seat: Seat) -> dict[int, V]:
    return {seat(name): value for name, value in by_name.items()}


def _known(values: Iterable[str | None], names: Iterable[str], kind: str) -> None:
    known = list(names)
    if wrong := [name for name in values if name is not None and name not in known]:
        raise DescriptionError(f"there is no {kind} {wrong[0]}; choose one of {', '.join(known) or 'none'}")
