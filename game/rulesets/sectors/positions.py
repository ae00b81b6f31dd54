"""Builds any position by hand from a description in the rulebook's words: for tests, tutorials and puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine.flow import Flow
from game.engine.ledger import BANK, OUTSIDE, cash_of, hand_of, treasury_of
from game.engine.position import AnyPosition
from game.engine.scenarios.language import DescriptionError
from game.engine.scenarios.standing import SERIAL, Situation, is_in_front, row_named, stand_at
from game.rulesets.sectors import descriptions, numbers
from game.rulesets.sectors.descriptions import CompanyWords, Description, OrderWords, SectorWords
from game.rulesets.sectors.effects.abilities import give_ability
from game.rulesets.sectors.flow import flow
from game.rulesets.sectors.ledger import MARKET, PLACES, SectorsLedger, margin_of
from game.rulesets.sectors.options import EDITIONS
from game.rulesets.sectors.phases.stock import DERIVATIVES
from game.rulesets.sectors.state import (
    BANKRUPT,
    FLOATED,
    INACTIVE,
    OPEN,
    OPTION_ORDER,
    PENDING,
    SHORT_ORDER,
    Company,
    Contract,
    Headline,
    Order,
    Pool,
    Sector,
    SectorsState,
    Space,
    Trade,
)
from game.rulesets.sectors.tables.chart import PRICES, STEP_OF
from game.rulesets.sectors.tables.common import INJECTION_START, SHARES_PER_COMPANY
from game.rulesets.sectors.tables.sectors import SECTORS

COMPANY_PHASES = ("company_vote", "company_vote_result", "company_action", "contributions", "contribution_result")


def build(description: Mapping[str, Any]) -> AnyPosition:
    """The described position. Raises `DescriptionError`."""
    return standing(description).position


def standing(description: Mapping[str, Any]) -> Situation:
    """The described position, and the phase that begins next if it stands before one. Raises `DescriptionError`."""
    try:
        converted = msgspec.convert(dict(description), Description)
    except msgspec.ValidationError as error:
        raise DescriptionError(str(error)) from None
    return stand(converted)


def stand(description: Description) -> Situation:
    """The described situation. Raises `DescriptionError`."""
    if description.options.edition not in EDITIONS:
        raise DescriptionError(
            f"there is no edition {description.options.edition}; choose one of {', '.join(map(str, EDITIONS))}"
        )
    rows = flow(description.options)
    row = row_named(rows, description.phase)
    state = _Builder(description, _sub_round(description, rows)).state()
    begins_turn = description.phase == "start_turn" and is_in_front(description, row)
    if begins_turn:
        state.turn, state.turn_is_over = description.turn - 1, True
    serial = 1 if description.phase.startswith("influence") else SERIAL
    return stand_at(rows, description, state, serial=serial, behind=len(rows.rows) - 1 if begins_turn else None)


def _sub_round(description: Description, rows: Flow) -> int:
    """The number of closed sub-rounds: one while the orders of the first are shown, all after ordering is over."""
    if description.sub_round is not None:
        return description.sub_round
    if description.phase == "order_review":
        return 1
    is_placed = row_named(rows, description.phase).index > row_named(rows, "stock_orders").index
    return (description.options.tables.sub_rounds or 1) if is_placed else 0


class _Builder:
    """Builds a state from the words, and refuses contradictions."""

    def __init__(self, description: Description, sub_round: int) -> None:
        self.description = description
        self.sub_round = sub_round
        self.seat_of = {name: seat for seat, name in enumerate(description.players)}
        self.ledger = SectorsLedger()

    def state(self) -> SectorsState:
        description = self.description
        state = SectorsState(
            seats=len(description.players),
            turn=1 if description.phase.startswith("influence") else description.turn,
            ledger=self.ledger,
            options=description.options,
            priority=[self.seat(name) for name in description.priority or description.players],
            economy=description.economy,
            deck=list(description.deck),
            track=[
                Space(kind, description.injections.get(at, INJECTION_START) if kind == "capital_injection" else 0)
                for at, kind in enumerate(description.track)
            ],
            marker=description.marker,
            sub_round=self.sub_round,
            incomes=[words.income for words in description.players.values()],
            trades=[Trade(self.seat(t.player), t.company, t.side) for t in description.trades],
            executed=dict(description.executed),
            contribution=description.contribution,
            passed=list(description.passed),
        )
        if sorted(state.priority) != list(range(state.seats)):
            raise DescriptionError(f"priority must name each of {', '.join(description.players)} once")
        if far := [space for space in (description.marker, *description.passed) if space >= len(description.track)]:
            raise DescriptionError(
                f"the marker cannot stand on {far[0]}: the track has {len(description.track)} spaces"
            )
        self._companies(state)
        self._sectors(state)
        self._instruments(state)
        self._place_shares(state)
        self._money(state)
        self._queue(state)
        descriptions.fill(state, description, self.seat)
        return state

    def seat(self, name: str) -> int:
        if name not in self.seat_of:
            raise DescriptionError(f"there is no player {name}; choose one of {', '.join(self.seat_of)}")
        return self.seat_of[name]

    def _companies(self, state: SectorsState) -> None:
        for founded, (ticker, words) in enumerate(self.description.companies.items()):
            if words.price not in STEP_OF:
                raise DescriptionError(f"{ticker}: {words.price} is not on the chart {PRICES}")
            for word, known in (("sector", SECTORS), ("tier", state.tables.tiers)):
                if (value := getattr(words, word)) is not None and value not in known:
                    raise DescriptionError(f"{ticker}: there is no {word} {value}; choose one of {', '.join(known)}")
            state.companies[ticker] = _company(state, ticker, words, founded)
        for ticker, words in self.description.companies.items():
            for ability in words.abilities:
                give_ability(state, ability, state.companies[ticker])

    def _sectors(self, state: SectorsState) -> None:
        used = [c.sector for c in state.companies.values()] + list(self.description.sectors) or [CompanyWords().sector]
        if unknown := [key for key in self.description.sectors if key not in SECTORS]:
            raise DescriptionError(f"there is no sector {unknown[0]}; choose one of {', '.join(SECTORS)}")
        keys = [key for key in SECTORS if key in used]
        words = {key: self.description.sectors.get(key, SectorWords()) for key in keys}
        ranked = sorted(keys, key=lambda key: (words[key].priority or 99, keys.index(key)))
        for place, key in enumerate(ranked, 1):
            value = words[key]
            demand = SECTORS[key].demand if value.base_demand is None else value.base_demand
            floated = any(c.sector == key and c.status in FLOATED for c in state.companies.values())
            latch = floated if value.has_floated is None else value.has_floated
            state.sectors[key] = Sector(key, place, demand, value.temporary_demand, value.consumers, latch)
        served = sum(sector.consumers for sector in state.sectors.values())
        state.pool = (
            self.description.options.consumers - served if self.description.pool is None else self.description.pool
        )

    def _instruments(self, state: SectorsState) -> None:
        """Headlines, tranches, contracts numbered first, then orders; a bought contract has its order."""
        costs = state.tables.headline_costs
        for h in self.description.headlines:
            if h is not None and (h[0] not in state.sectors or abs(h[1]) not in costs):
                places = " or ".join(map(str, costs))
                raise DescriptionError(f"there is no headline {h[0]} {h[1]:+}; a sector in play moves {places} places")
        state.headlines = [
            None if h is None else Headline(h[0], h[1], costs[abs(h[1])]) for h in self.description.headlines
        ]
        for t in self.description.tranches:
            state.tranches.append(Pool(t.sector, t.cash, t.prestige, None if t.winner is None else self.seat(t.winner)))
        for c in self.description.contracts:
            owner = None if c.owner is None else self.seat(c.owner)
            contract = Contract(state.new_id(), c.company, c.term, c.shares, c.bonus, c.strike, c.premium, owner, c.age)
            state.contracts[contract.id] = contract
        owned = [c for c in state.contracts.values() if c.owner is not None]
        bought = [self._bought(contract) for contract in owned]
        for order in [self._order(words) for words in self.description.orders] + bought:
            order.id = state.new_id()
            state.orders[order.id] = order
        named = [order.company for order in state.orders.values()] + [
            contract.company for contract in state.contracts.values()
        ]
        if unknown := [ticker for ticker in named if ticker not in state.companies]:
            raise DescriptionError(f"there is no company {unknown[0]}")
        if lost := [o for o in state.orders.values() if o.kind == OPTION_ORDER and o.contract not in state.contracts]:
            raise DescriptionError(
                f"there is no contract {lost[0].contract}; "
                f"choose one of {', '.join(map(str, state.contracts)) or 'none'}"
            )

    def _bought(self, contract: Contract) -> Order:
        """The order that bought a contract."""
        order = Order(
            0, contract.owner or 0, OPTION_ORDER, contract.company, contract.shares, location=DERIVATIVES, shown="all"
        )
        order.contract, order.status = contract.id, OPEN
        return order

    def _order(self, words: OrderWords) -> Order:
        turn = self.description.turn - (words.status != PENDING) if words.turn is None else words.turn
        is_open_short = words.kind == SHORT_ORDER and words.status == OPEN
        margin = -(-words.quantity * words.price // 2) if is_open_short else 0
        order = Order(
            0, self.seat(words.player), words.kind, words.company, words.quantity, words.side, price=words.price
        )
        order.status, order.turn, order.sub_round, order.contract, order.margin = (
            words.status,
            turn,
            words.sub_round,
            words.contract,
            margin,
        )
        order.location = words.location or (DERIVATIVES if words.kind == OPTION_ORDER else MARKET)
        order.shown = words.shown or self._visibility(order)
        return order

    def _visibility(self, order: Order) -> str:
        """What others see of an order: those of this sub-round are sealed until phase 10, concealed ones until phase
        11."""
        if order.status != PENDING or order.turn != self.description.turn:
            return "all"
        if self.description.phase == "order_review" and order.sub_round == self.sub_round:
            return "sealed"
        return "location" if self.description.phase == "order_reveal" and self.description.options.concealed else "all"

    def _place_shares(self, state: SectorsState) -> None:
        for ticker, company in state.companies.items():
            held = {
                hand_of(self.seat(n)): p.shares[ticker]
                for n, p in self.description.players.items()
                if p.shares.get(ticker)
            }
            aside = sum(short.quantity for short in numbers.open_shorts(state) if short.company == ticker)
            self.ledger.shares[ticker] = (
                _places(ticker, self.description.companies[ticker], sum(held.values()), aside) | held
            )
            if company.status == INACTIVE and (numbers.is_floating(state, company) or self.ledger.at(ticker, MARKET)):
                raise DescriptionError(f"{ticker}: so many shares have left the IPO that it would have floated")
            if company.status == BANKRUPT and self.ledger.existing(ticker):
                raise DescriptionError(f"{ticker}: a bankrupt company has no shares")
        for name, player in self.description.players.items():
            if unknown := [ticker for ticker in player.shares if ticker not in state.companies]:
                raise DescriptionError(f"{name} holds shares of {unknown[0]}, which is no company here")

    def _money(self, state: SectorsState) -> None:
        cash = {BANK: self.description.options.bank if self.description.bank is None else self.description.bank}
        for name, seat in self.seat_of.items():
            cash[cash_of(seat)] = self.description.players[name].cash
            cash[margin_of(seat)] = sum(short.margin for short in numbers.open_shorts(state, seat))
        for ticker, company in state.companies.items():
            treasury = self.description.companies[ticker].treasury
            cash[treasury_of(ticker)] = company.ipo_price * SHARES_PER_COMPANY if treasury is None else treasury
        self.ledger.cash = cash | {OUTSIDE: -sum(cash.values())}
        self.ledger.bank_low = self.description.bank_low
        self.ledger.assert_sound()

    def _queue(self, state: SectorsState) -> None:
        """The described order, or by company priority; the companies before the acting one have acted."""
        floated = sorted(
            (c for c in state.companies.values() if c.status in FLOATED),
            key=lambda c: numbers.company_priority(state, c),
        )
        is_company_round = self.description.phase in COMPANY_PHASES or self.description.acting is not None
        default = [company.ticker for company in floated] if is_company_round else []
        state.queue = default if self.description.queue is None else list(self.description.queue)
        state.acted = list(self.description.acted)
        if unknown := [ticker for ticker in state.queue + state.acted if ticker not in state.companies]:
            raise DescriptionError(f"{unknown[0]} has no place in the order of companies: there is no such company")
        if (acting := self.description.acting) is not None:
            if acting not in state.queue:
                queue = ", ".join(state.queue) or "there is none"
                raise DescriptionError(f"{acting} is not among the companies to act: {queue}")
            state.acted = state.queue[: state.queue.index(acting)]


def _company(state: SectorsState, ticker: str, words: CompanyWords, founded: int) -> Company:
    figures = (
        "sector",
        "status",
        "filled",
        "unit_price",
        "base_demand",
        "temporary_demand",
        "base_supply",
        "temporary_supply",
    )
    record = ("prestige", "has_loan", "frozen_moves", "cards", "modifiers", "produced", "sold", "revenue", "choice")
    return Company(
        ticker=ticker,
        name=words.name or f"{ticker} Works",
        tier=words.tier or state.tables.start_tiers[words.sector],
        founded=founded,
        step=STEP_OF[words.price],
        ipo_price=words.price if words.ipo_price is None else words.ipo_price,
        **{word: getattr(words, word) for word in figures + record},
    )


def _places(ticker: str, words: CompanyWords, held: int, aside: int) -> dict[str, int]:
    """The places of the shares that no player holds."""
    default = None if words.ipo is not None and words.market is not None else SHARES_PER_COMPANY
    existing = default if words.existing is None else words.existing
    if words.status == BANKRUPT:
        existing = 0 if words.existing is None else words.existing
    ipo, market = words.ipo, words.market
    if existing is not None:
        rest = existing - held - aside
        if ipo is None and market is None:
            ipo = rest if words.status == INACTIVE else 0
        market = rest - (ipo or 0) if market is None else market
        ipo = rest - market if ipo is None else ipo
        if ipo + market != rest or min(ipo, market) < 0:
            raise DescriptionError(
                f"{ticker}: {held} held, {aside} set aside, {ipo} in the IPO and {market} open of {existing} shares"
            )
    return dict(zip(PLACES, (ipo or 0, market or 0, aside), strict=True))
