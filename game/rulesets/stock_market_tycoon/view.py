"""What a seat may see of a game of Stock Market Tycoon. Everything that is shown comes from here. (ST 7)"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar

import msgspec

from game.engine.ledger import hand_of
from game.engine.position import AnyPosition
from game.engine.progress import shown_states
from game.engine.view import SeatView, View, common_view, own_fields
from game.rulesets.stock_market_tycoon import cards
from game.rulesets.stock_market_tycoon.cards import Variant
from game.rulesets.stock_market_tycoon.flow import flow_of
from game.rulesets.stock_market_tycoon.options import Options
from game.rulesets.stock_market_tycoon.scoring import standings
from game.rulesets.stock_market_tycoon.state import (
    Buyback,
    OptionContract,
    OwnedCard,
    Short,
    TycoonState,
    YearEnd,
)
from game.rulesets.stock_market_tycoon.tables import COMPANIES, COMPANY_KEYS, Company
from game.rulesets.stock_market_tycoon.turns import default_of


class TycoonSeat(SeatView, frozen=True, kw_only=True):
    """A seat as everybody sees it; `score` is its net worth now. Only its owner sees `hand`."""

    cash: int
    shares: dict[str, int]
    debt: int
    cards: int
    is_bankrupt: bool
    hand: tuple[str, ...] = ()
    private: ClassVar[tuple[str, ...]] = ("hand",)


class CompanyView(msgspec.Struct, frozen=True, kw_only=True):
    """A company. `pool` is the number of shares in the bank; `for_director` and `for_chairman` are the shares that an
    office requires. `was_bought`: its first purchase of this year was made. `rate` is the premium of its options in
    percent. `my_sum` is the sum of the viewer's own price cards."""

    key: Company
    title: str
    price: int
    last_close: int
    closes: tuple[int, ...]
    pool: int
    outstanding: int
    retired: int
    chairman_seat: int | None
    director_seat: int | None
    for_director: int
    for_chairman: int
    was_bought: bool
    has_rights_issue: bool
    short_left: int
    options_left: int
    rate: int
    has_withheld_card: bool
    my_sum: int | None = None


class TycoonView(View, frozen=True, kw_only=True):
    """The table as one viewer may see it. `order` is the order of turns of the year, `queue` those who still act in
    this sub-round. `revealed` and `struck` are the cards on the table at the end of a year; `year_end` is the report on
    the last one, also while it goes on."""

    players: tuple[TycoonSeat, ...]
    options: dict[str, Any]
    mode: str
    variant: Variant
    years: int
    trade_mode: str
    companies: tuple[CompanyView, ...]
    dealer_seat: int
    order: tuple[int, ...]
    sub_round: int
    acting_seat: int | None
    queue: tuple[int, ...]
    bankrupts: tuple[int, ...]
    shorts: tuple[Short, ...]
    contracts: tuple[OptionContract, ...]
    buyback: Buyback | None
    revealed: tuple[OwnedCard, ...]
    struck: tuple[OwnedCard, ...]
    year_end: YearEnd | None = None

    def company(self, key: str) -> CompanyView:
        """A company by its key."""
        return next(company for company in self.companies if company.key == key)


def viewer(position: AnyPosition) -> Callable[[int | None], TycoonView]:
    """The views of a position. Hands, and everything that follows from them, are removed here and nowhere else."""
    state: TycoonState = position.state
    flow = flow_of(state.options.mode, state.options.trade_mode)

    def view(seat: int | None) -> TycoonView:
        states = shown_states(position, flow, seat)
        players = tuple(_player(state, each, states[each], is_you=each == seat) for each in range(state.seats))
        common = common_view(position, flow, end=state.end, standings=standings(state))
        if default := default_of(state, seat):
            common["phase"] = msgspec.structs.replace(common["phase"], default=default)
        return TycoonView(
            **{**common, **own_fields(position, seat, flow)},
            players=players,
            options=_options(state.options),
            mode=state.options.mode,
            variant=state.options.variant,
            years=state.options.years,
            trade_mode=state.options.trade_mode,
            companies=tuple(_company(state, company, seat) for company in COMPANY_KEYS),
            dealer_seat=state.dealer,
            order=tuple(state.order),
            sub_round=state.sub_round,
            acting_seat=state.acting,
            queue=tuple(state.queue),
            bankrupts=tuple(state.bankrupts),
            shorts=tuple(state.shorts),
            contracts=tuple(state.contracts),
            buyback=state.buyback,
            revealed=tuple(state.revealed),
            struck=tuple(state.struck),
            year_end=state.year_end,
        )

    return view


@lru_cache(maxsize=64)
def _options(options: Options) -> dict[str, Any]:
    builtins: dict[str, Any] = msgspec.to_builtins(options)
    return builtins


def _player(state: TycoonState, seat: int, progress: str, *, is_you: bool) -> TycoonSeat:
    own: dict[str, Any] = {"hand": tuple(state.hands[seat])} if is_you else {}
    return TycoonSeat(
        seat=seat,
        state=progress,
        score=state.worth(seat),
        is_you=is_you,
        cash=state.cash(seat),
        shares=state.ledger.held_in(hand_of(seat)),
        debt=state.debts[seat],
        cards=len(state.hands[seat]),
        is_bankrupt=seat in state.bankrupts,
        **own,
    )


def _company(state: TycoonState, company: Company, seat: int | None) -> CompanyView:
    numbers, outstanding = state.options.numbers, state.outstanding(company)
    office = state.offices[company]
    return CompanyView(
        key=company,
        title=COMPANIES[company].title,
        price=state.prices[company],
        last_close=state.last_close(company),
        closes=tuple(prices[company] for prices in state.closes),
        pool=state.pool(company),
        outstanding=outstanding,
        retired=numbers.shares_per_company - outstanding,
        chairman_seat=office.chairman,
        director_seat=office.director,
        for_director=-(-outstanding * numbers.director_percent // 100),
        for_chairman=-(-outstanding * numbers.chairman_percent // 100),
        was_bought=company in state.bought,
        has_rights_issue=company in state.windows,
        short_left=state.short_left(company),
        options_left=state.options_left(company),
        rate=state.rate(company),
        has_withheld_card=company in state.withheld,
        my_sum=None if seat is None else cards.sum_of(company, state.hands[seat]),
    )
