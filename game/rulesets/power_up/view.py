"""What a seat may see of a game of Power Up. Everything that is shown comes from here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from game.engine.ledger import hand_of
from game.engine.position import AnyPosition
from game.engine.progress import shown_states
from game.engine.view import SeatView, View, common_view, own_fields
from game.rulesets.power_up.flow import FLOW
from game.rulesets.power_up.forecast import Forecast, Table, foresee
from game.rulesets.power_up.numbers import Holder, price_at
from game.rulesets.power_up.scoring import standings
from game.rulesets.power_up.state import DOE, MergerReport, PowerUpState, table_of
from game.rulesets.power_up.tables import COMPANIES


class PowerUpSeat(SeatView, frozen=True, kw_only=True):
    """A seat as everybody sees it; `place` is its position in the turn order, from 1. `score` is its cash if the game
    ended now. Only its owner sees `hand` until the game is over."""

    place: int
    start_tile: str
    cash: int
    shares: dict[str, int]
    tiles: int
    hand: tuple[str, ...] = ()


class CompanyView(msgspec.Struct, frozen=True, kw_only=True):
    """A company; an inactive one has no tiles and its start price. `holdings` are by seat."""

    key: str
    title: str
    is_active: bool
    size: int
    price: int
    start_price: int
    unsold: int
    holdings: dict[int, int]
    doe: int
    headquarters: str


class DepartmentView(msgspec.Struct, frozen=True):
    """The Department of Energy: its cash and its shares. (P-8)"""

    cash: int
    shares: dict[str, int]


class PowerUpView(View, frozen=True, kw_only=True):
    """The table as one viewer may see it. `board` has the owner of every tile on it: a company's key or `neutral`.
    `rolled` is the number of actions of this turn. `ahead` has the effects of each tile in the viewer's own hand."""

    players: tuple[PowerUpSeat, ...]
    order: tuple[int, ...]
    board: dict[str, str]
    companies: tuple[CompanyView, ...]
    department: DepartmentView | None
    acting: int | None
    rolled: int
    actions_left: int
    tile_played: bool
    tile_lock: bool
    bag: int
    merger: MergerReport | None
    ahead: tuple[Forecast, ...] = ()

    def company(self, key: str) -> CompanyView:
        """A company by its key."""
        return next(company for company in self.companies if company.key == key)

    def table(self) -> Table:
        """The public facts that decide the effects of a tile."""
        active = [company for company in self.companies if company.is_active]
        return Table(self.board, {c.key: c.size for c in active}, {c.key: holders(c) for c in active})


def holders(company: CompanyView) -> dict[Holder, int]:
    """All holders of a company's shares, the Department last."""
    seats: Mapping[Any, int] = company.holdings  # Mapping is invariant in its key: seats are holders, too
    return {**seats, None: company.doe} if company.doe else dict(seats)


def viewer(position: AnyPosition) -> Callable[[int | None], PowerUpView]:
    """The views of a position. Hands are removed here and nowhere else; once the game is over they are public.
    (P-11)"""
    state: PowerUpState = position.state
    table = table_of(state)
    public = _public(position, table)

    def view(seat: int | None) -> PowerUpView:
        if seat is None:
            return public
        players = tuple(_own(state, player) if player.seat == seat else player for player in public.players)
        ahead = () if position.is_over else tuple(foresee(table, tile) for tile in state.hands[seat])
        return msgspec.structs.replace(public, players=players, ahead=ahead, **own_fields(position, seat, FLOW))

    return view


def _public(position: AnyPosition, table: Table) -> PowerUpView:
    state: PowerUpState = position.state
    ranking = standings(state)
    return PowerUpView(
        seat=None,
        players=_players(position, {standing.seat: standing.score for standing in ranking}),
        order=tuple(state.order),
        board=dict(state.board),
        companies=tuple(_company(state, key, table) for key in COMPANIES),
        department=DepartmentView(state.ledger.balance(DOE), state.ledger.held_in(DOE)) if state.options.doe else None,
        acting=state.acting,
        rolled=state.rolled,
        actions_left=state.actions_left,
        tile_played=state.tile_played,
        tile_lock=state.tile_lock,
        bag=len(state.bag),
        merger=state.merger,
        **common_view(position, FLOW, end=state.end, standings=ranking),
    )


def _players(position: AnyPosition, scores: dict[int, int]) -> tuple[PowerUpSeat, ...]:
    state: PowerUpState = position.state
    states = shown_states(position, FLOW, None)
    is_public = position.is_over
    return tuple(_player(state, seat, states[seat], scores[seat], shown=is_public) for seat in range(state.seats))


def _player(state: PowerUpState, seat: int, progress: str, score: int, *, shown: bool) -> PowerUpSeat:
    fields: dict[str, Any] = {"hand": tuple(state.hands[seat])} if shown else {}
    return PowerUpSeat(
        seat=seat,
        state=progress,
        score=score,
        place=state.order.index(seat) + 1,
        start_tile=state.start_tiles[seat],
        cash=state.cash(seat),
        shares=state.ledger.held_in(hand_of(seat)),
        tiles=len(state.hands[seat]),
        **fields,
    )


def _own(state: PowerUpState, player: PowerUpSeat) -> PowerUpSeat:
    return msgspec.structs.replace(player, is_you=True, hand=tuple(state.hands[player.seat]))


def _company(state: PowerUpState, key: str, table: Table) -> CompanyView:
    size, held = table.sizes.get(key, 0), state.holdings(key)
    return CompanyView(
        key=key,
        title=COMPANIES[key].title,
        is_active=size > 0,
        size=size,
        price=price_at(key, size),
        start_price=COMPANIES[key].start_price,
        unsold=state.unsold(key),
        holdings={seat: shares for seat, shares in held.items() if seat is not None},
        doe=held.get(None, 0),
        headquarters=state.headquarters.get(key, ""),
    )
