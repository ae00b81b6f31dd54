"""What a seat may see of City of the Big Shoulders. Everything that is shown comes from here. (BS 10)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec

from game.engine.ledger import BANK, hand_of, treasury_of
from game.engine.position import AnyPosition
from game.engine.progress import shown_states
from game.engine.view import SeatView, View, common_view, own_fields
from game.rulesets.big_shoulders.effects import Asset, Space
from game.rulesets.big_shoulders.flow import flow_of
from game.rulesets.big_shoulders.scoring import COUNTS, standings
from game.rulesets.big_shoulders.state import BAG, HAYMARKET, DemandTile, Operation, Owed, ShouldersState, Visit
from game.rulesets.big_shoulders.tables import (
    COLUMNS,
    COMPANIES,
    COMPANY_KEYS,
    SLOTS,
    TRADES,
    UNITS,
    Company,
    Cube,
    Trade,
    worker_price,
)


class ShouldersSeat(SeatView, frozen=True, kw_only=True):
    """A seat as everybody sees it; `score` is cash and certificates at today's values, at the end with goals.
    `certificates` by name, `shares` of 10 percent by company. `hand` and `discarded` are their owner's alone."""

    cash: int
    shares: dict[str, int]
    certificates: dict[str, int]
    certificate_count: int
    partners: int
    ready_partners: int
    built: tuple[int, ...]
    hand_size: int
    sold_this_decade: tuple[str, ...]
    first_company: str
    hand: tuple[int, ...] = ()
    discarded: tuple[int, ...] = ()
    private: ClassVar[tuple[str, ...]] = ("hand", "discarded")


class FactoryView(msgspec.Struct, frozen=True, kw_only=True):
    """A factory with its printed numbers and its staff."""

    staff: int
    inputs: tuple[Cube, ...]
    goods: int
    workers: int
    automated: int
    has_manager: bool


class CompanyView(msgspec.Struct, frozen=True, kw_only=True):
    """A company, started or not. `treasury` and `pool` are certificates by kind; `rank` is its place in the order of
    operations, from 1; `next_price` of a good with one salesperson more, 0 where none fits."""

    key: Company
    title: str
    trade: Trade
    is_started: bool
    director_seat: int | None
    price: int
    cash: int
    appeal: int
    rank: int
    goods: int
    tokens: int
    salespeople: int
    good_price: int
    next_price: int
    has_slot: bool
    asset: Asset | None
    is_exhausted: bool
    factories: tuple[FactoryView, ...]
    cubes: dict[Cube, int]
    treasury: dict[str, int]
    pool: dict[str, int]


class DemandView(msgspec.Struct, frozen=True, kw_only=True):
    """A slot of the demand board; `room` for goods; `is_printed`: it has no tile."""

    trade: Trade
    slot: str
    pips: int
    capacity: int
    goods: int
    room: int
    is_printed: bool


class GoalView(msgspec.Struct, frozen=True, kw_only=True):
    """A public goal with what each seat has."""

    goal: int
    counts: tuple[int, ...]


class ShouldersView(View, frozen=True, kw_only=True):
    """The table as one viewer may see it. `order` is that of the action phase, `next_order` of its next sequence."""

    options: dict[str, bool]
    players: tuple[ShouldersSeat, ...]
    companies: tuple[CompanyView, ...]
    limit: int
    priority_seat: int
    passes: int
    acting_seat: int | None
    queue: tuple[int, ...]
    order: tuple[int, ...]
    next_order: tuple[int, ...]
    sequence: tuple[int, ...]
    has_placed: bool
    has_sold: bool
    used: tuple[Space, ...]
    visits: tuple[Visit, ...]
    market: int
    worker_price: int
    assets: tuple[Asset | None, ...]
    assets_left: int
    supply: dict[str, dict[Cube, int]]
    haymarket: dict[Cube, int]
    bag: dict[Cube, int]
    demand: tuple[DemandView, ...]
    demand_left: dict[int, int]
    tiles_left: dict[int, int]
    goals: tuple[GoalView, ...]
    owed: tuple[Owed, ...]
    operation: Operation | None
    operating: tuple[Company, ...]


def viewer(position: AnyPosition) -> Callable[[int | None], ShouldersView]:
    """The views of a position. Hands and discards are removed here and nowhere else."""
    state: ShouldersState = position.state
    flow = flow_of(state.options.advanced)
    table = _table(state)

    def view(seat: int | None) -> ShouldersView:
        states = shown_states(position, flow, seat)
        return ShouldersView(
            **{
                **common_view(position, flow, end=state.end, standings=standings(state) if position.is_over else ()),
                **own_fields(position, seat, flow),
                **table,
            },
            players=tuple(_player(state, each, states[each], is_you=each == seat) for each in range(state.seats)),
        )

    return view


def _table(state: ShouldersState) -> dict[str, Any]:
    """The public facts of the table, except the players."""
    return {
        "options": msgspec.to_builtins(state.options),
        "companies": tuple(_company(state, company) for company in COMPANY_KEYS),
        "limit": state.limit,
        "priority_seat": state.priority,
        "passes": state.passes,
        "acting_seat": state.acting,
        "queue": tuple(state.queue),
        "order": tuple(state.order),
        "next_order": tuple(state.next_order),
        "sequence": tuple(state.sequence),
        "has_placed": state.has_placed,
        "has_sold": state.has_sold,
        "used": tuple(state.used),
        "visits": tuple(state.visits),
        "market": state.market,
        "worker_price": worker_price(state.market),
        "assets": tuple(state.assets),
        "assets_left": len(state.asset_deck),
        "supply": {column: state.cubes_at(column) for column in COLUMNS},
        "haymarket": state.cubes_at(HAYMARKET),
        "bag": state.cubes_at(BAG),
        "demand": tuple(_slot(state, trade, column) for trade in TRADES for column in range(len(SLOTS))),
        "demand_left": {pips: len(left) for pips, left in state.demand_deck.items()},
        "tiles_left": {era: len(left) for era, left in state.era_decks.items()},
        "goals": tuple(
            GoalView(goal=goal, counts=tuple(COUNTS[goal](state, seat) for seat in range(state.seats)))
            for goal in state.goals
        ),
        "owed": tuple(state.owed),
        "operation": None if state.operation is None else msgspec.structs.replace(state.operation),
        "operating": tuple(state.operating),
    }


def _slot(state: ShouldersState, trade: Trade, column: int) -> DemandView:
    tile = state.demand[trade][column]
    printed = tile or DemandTile(0, 0, state.printed[trade] if column == 1 else 0)
    room = state.room(trade, column)
    return DemandView(
        trade=trade,
        slot=SLOTS[column],
        pips=printed.pips,
        capacity=printed.capacity if tile else room + printed.goods,
        goods=printed.goods,
        room=room,
        is_printed=tile is None,
    )


def _player(state: ShouldersState, seat: int, progress: str, *, is_you: bool) -> ShouldersSeat:
    own: dict[str, Any] = (
        {"hand": tuple(state.hands[seat]), "discarded": tuple(state.discarded[seat])} if is_you else {}
    )
    return ShouldersSeat(
        seat=seat,
        state=progress,
        score=state.worth(seat),
        is_you=is_you,
        cash=state.cash(seat),
        shares={company: units for company in state.companies if (units := state.units(seat, company))},
        certificates=state.ledger.held_in(hand_of(seat)),
        certificate_count=state.certificates(seat),
        partners=state.partners[seat],
        ready_partners=state.ready[seat],
        built=tuple(state.built[seat]),
        hand_size=len(state.hands[seat]),
        sold_this_decade=tuple(state.sold[seat]),
        first_company=state.first_companies[seat] or "",
        **own,
    )


def _company(state: ShouldersState, company: Company) -> CompanyView:
    row, own = COMPANIES[company], state.companies.get(company)
    workers = state.workers_in(company) if own else [0] * len(row.factories)
    salespeople = own.salespeople if own else 0
    return CompanyView(
        key=company,
        title=row.title,
        trade=row.trade,
        is_started=own is not None,
        director_seat=own.director if own else None,
        price=own.price if own else 0,
        cash=state.treasury(company),
        appeal=own.appeal if own else row.appeal,
        rank=state.track.index(company) + 1 if own else 0,
        goods=own.goods if own else 0,
        tokens=own.tokens if own else 0,
        salespeople=salespeople,
        good_price=row.prices[salespeople],
        next_price=row.prices[salespeople + 1] if salespeople < row.most_salespeople else 0,
        has_slot=row.has_slot,
        asset=own.asset if own else None,
        is_exhausted=own.is_exhausted if own else False,
        factories=tuple(
            FactoryView(
                staff=printed.staff,
                inputs=printed.inputs,
                goods=printed.goods,
                workers=workers[number],
                automated=own.factories[number].automated if own else 0,
                has_manager=own.factories[number].has_manager if own else False,
            )
            for number, printed in enumerate(row.factories)
        ),
        cubes=state.cubes_at(company) if own else {},
        treasury=_kinds(state, company, treasury_of(company)) if own else {},
        pool=_kinds(state, company, BANK) if own else {},
    )


def _kinds(state: ShouldersState, company: Company, place: str) -> dict[str, int]:
    return {kind: number for kind in UNITS if (number := state.at(company, kind, place))}
