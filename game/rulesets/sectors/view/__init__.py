"""What one seat, or a stranger, may see of a position. Everything that is shown comes from here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from game.engine import progress
from game.engine.ledger import BANK, hand_of
from game.engine.position import AnyPosition
from game.engine.view import RailRound, own_fields, phase_of_view, rail_at
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects import ABILITIES, PRESTIGE_SPACES
from game.rulesets.sectors.flow import flow
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.scoring import standings
from game.rulesets.sectors.sequence import acting_company, companies_to_act
from game.rulesets.sectors.state import Company, Contract, Order, SectorsState
from game.rulesets.sectors.tables.common import certificate_limit
from game.rulesets.sectors.tables.sectors import SECTORS
from game.rulesets.sectors.view.companies import sectors
from game.rulesets.sectors.view.shapes import (
    CompanyView,
    ContractView,
    HeadlineView,
    OrderView,
    PhaseView,
    PlayerView,
    SectorsView,
    SectorView,
    TrackView,
    TrancheView,
)

AFTERWARDS = {"company_action", "contribution_result"}  # phases that show a company which has acted in them


def company_at_work(position: AnyPosition) -> Company | None:
    """The company whose turn it is, also while its action or rescue is shown. (S 6.7, 6.12)"""
    state = position.state
    row = None if position.cursor.row is None else flow(state.options).rows[position.cursor.row]
    if row is None or row.rounds[-1].name != "company":
        return None
    if row.phase.name in AFTERWARDS and state.acted:
        acted: Company = state.companies[state.acted[-1]]
        return acted
    return acting_company(state)


def phase_view(position: AnyPosition, acting: Company | None) -> PhaseView | None:
    """The open phase; None when the game is over."""
    if position.cursor.row is None:
        return None
    common = phase_of_view(flow(position.state.options), position.cursor)
    assert common is not None
    return PhaseView(
        **common,
        sub_round=position.state.sub_round + (common["name"] == "stock_orders"),
        company=acting.ticker if acting else None,
    )


def rail(position: AnyPosition) -> tuple[RailRound, ...]:
    """The turn's phases in groups; a group is the round just inside the turn."""
    return rail_at(flow(position.state.options), position.cursor.row, frozenset(position.cursor.trail))


__all__ = [
    "CompanyView",
    "ContractView",
    "HeadlineView",
    "OrderView",
    "PhaseView",
    "PlayerView",
    "SectorView",
    "SectorsView",
    "TrackView",
    "TrancheView",
    "Viewer",
    "opened",
]


class Viewer:
    """A position's views: the public part is computed once, and each seat's own part is added. Secrets are removed here
    and nowhere else."""

    def __init__(self, position: AnyPosition) -> None:
        self._position = position
        self._public = _public(position)
        self._sealed_from_others = {order.seat for order in position.state.orders.values() if order.shown != "all"}

    def __call__(self, seat: int | None) -> SectorsView:
        """The position as `seat` may see it; None is a stranger."""
        state: SectorsState = self._position.state
        return msgspec.structs.replace(
            self._public,
            players=tuple(_own(state, player) if player.seat == seat else player for player in self._public.players),
            orders=_orders(state, seat) if seat in self._sealed_from_others else self._public.orders,
            **own_fields(self._position, seat, flow(state.options)),
        )


def _public(position: AnyPosition) -> SectorsView:
    """What a stranger sees."""
    state: SectorsState = position.state
    acting = company_at_work(position)
    return SectorsView(
        seat=None,
        turn=state.turn,
        max_turns=state.options.max_turns,
        edition=state.options.edition,
        options=_options(state.options),
        bank=state.ledger.balance(BANK),
        bank_broke=state.bank_broke,
        economy=state.economy,
        economy_moves=all(sector.has_floated for sector in state.sectors.values()),
        pool=state.pool,
        certificate_limit=certificate_limit(state.seats),
        phase=phase_view(position, acting),
        rail=rail(position),
        players=_players(position),
        sectors=sectors(state, acting),
        orders=_orders(state, None),
        contracts=tuple(_contract(contract) for contract in numbers.contracts_of(state)),
        headlines=_headlines(state),
        tranches=_tranches(state),
        track=_track(state),
        queue=(*state.acted, *(company.ticker for company in companies_to_act(state))),
        acting=acting.ticker if acting else None,
        deck_left=len(state.deck),
        end=state.end if position.is_over else "",
        standings=tuple(standings(state)) if position.is_over else (),
    )


def _players(position: AnyPosition) -> tuple[PlayerView, ...]:
    states = progress.shown_states(position, flow(position.state.options), None)
    shorts = numbers.open_shorts(position.state)
    return tuple(
        _player(position, seat, place, states[seat], [short for short in shorts if short.seat == seat])
        for place, seat in enumerate(position.state.priority, 1)
    )


def _player(position: AnyPosition, seat: int, place: int, progress_state: str, shorts: list[Order]) -> PlayerView:
    state: SectorsState = position.state
    holdings = state.ledger.held_in(hand_of(seat))
    return PlayerView(
        seat=seat,
        priority=place,
        cash=state.cash(seat),
        margin=state.margin(seat),
        score=numbers.worth_with(state, seat, holdings, shorts),
        certificates=sum(holdings.values()),
        holdings=holdings,
        state=progress_state,
        is_you=False,
        income=state.incomes[seat],
        bid=None if position.cursor.serial < 2 else state.bids.get(seat),
    )


def _own(state: SectorsState, player: PlayerView) -> PlayerView:
    """The viewer's own line, with the counters that nobody else sees."""
    limits, shorts = numbers.order_actions_left(state, player.seat)
    return msgspec.structs.replace(player, is_you=True, limit_actions=limits, short_actions=shorts)


def _orders(state: SectorsState, viewer: int | None) -> tuple[OrderView, ...]:
    """The orders; sealed ones only for their owner."""
    return tuple(
        _order(order, viewer) for order in state.orders.values() if order.seat == viewer or order.shown != "sealed"
    )


def opened(view: SectorsView, own: Sequence[SectorsView]) -> SectorsView:
    """The view of a finished game: every order as its owner sees it."""
    orders = {order.id: order for each in own for order in each.orders if order.seat == each.seat}
    return msgspec.structs.replace(view, orders=tuple(orders[key] for key in sorted(orders)))


def _order(order: Order, viewer: int | None) -> OrderView:
    if order.seat != viewer and order.shown != "all":
        return OrderView(
            order.id, order.seat, order.company, order.location, order.turn, order.sub_round, status="pending"
        )
    return OrderView(
        order.id, order.seat, order.company, order.location, order.turn, order.sub_round, order.status,
        order.kind, order.side, order.quantity, order.price, order.contract, order.paid, order.margin, order.reason,
    )  # fmt: skip


def _contract(contract: Contract) -> ContractView:
    owned = contract.owner is not None
    return ContractView(
        id=contract.id,
        company=contract.company,
        shares=contract.shares,
        term=contract.term,
        strike=contract.strike,
        premium=contract.premium,
        bonus=contract.bonus,
        owner=contract.owner,
        turns_left=contract.term - contract.age if owned else None,
    )


def _headlines(state: SectorsState) -> tuple[HeadlineView, ...]:
    return tuple(
        HeadlineView(slot, headline.sector, SECTORS[headline.sector].title, headline.move, headline.cost)
        for slot, headline in enumerate(state.headlines, 1)
        if headline is not None
    )


def _tranches(state: SectorsState) -> tuple[TrancheView, ...]:
    views = []
    for number, pool in enumerate(state.tranches, 1):
        card = SECTORS[pool.sector]
        ability = ABILITIES[card.passive]
        views.append(
            TrancheView(
                number, pool.sector, card.title, pool.cash, pool.prestige, ability.title, ability.text, pool.winner
            )
        )
    return tuple(views)


def _track(state: SectorsState) -> TrackView:
    space = state.track[state.marker]
    kind = PRESTIGE_SPACES[space.kind]
    return TrackView(
        index=state.marker,
        length=len(state.track),
        kind=space.kind,
        title=kind.title,
        text=kind.text,
        cost=kind.cost,
        injection=space.injection,
        seen={index: PRESTIGE_SPACES[state.track[index].kind].title for index in state.passed},
    )


@lru_cache(maxsize=64)
def _options(options: Options) -> dict[str, Any]:
    builtins: dict[str, Any] = msgspec.to_builtins(options)
    return builtins
