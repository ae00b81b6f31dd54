"""A position of Stock Market Tycoon as scenarios describe it, and the state built from it."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import msgspec
from msgspec import Meta

from game.engine.ledger import BANK, OUTSIDE, cash_of, hand_of
from game.engine.phrases import thousands
from game.engine.scenarios.language import DescriptionError, known
from game.engine.scenarios.standing import Given, Situation, is_in_front, row_named, stand_at
from game.rulesets.stock_market_tycoon import offices
from game.rulesets.stock_market_tycoon.cards import deck_of
from game.rulesets.stock_market_tycoon.flow import flow_of
from game.rulesets.stock_market_tycoon.options import Options
from game.rulesets.stock_market_tycoon.setup import setup
from game.rulesets.stock_market_tycoon.state import RETIRED, Kind, OptionContract, Short, TycoonState
from game.rulesets.stock_market_tycoon.tables import SUB_ROUNDS, Company

Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
START = ("premium", "deal")
TRADING = ("trade", "tender")


class PlayerWords(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The words about a player."""

    cash: Count | None = None
    hand: list[str] = []
    kept_cards: list[str] = []
    debt: Count = 0


class CompanyWords(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The words about a company."""

    price: Count | None = None
    last_close: Count | None = None
    shares: dict[str, Count] = {}
    retired: Count = 0
    director: str = ""
    rate: Count | None = None
    bought: bool = False
    rights: Annotated[int, Meta(ge=0, le=4)] = 0


class ShortWords(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The words about a short sale of this year."""

    player: str
    company: Company
    entry: Count
    shares: Count


class ContractWords(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The words about an option of this year."""

    player: str
    kind: Kind
    company: Company
    strike: Count
    shares: Count
    premium: Count = 0


class TycoonGiven(Given, kw_only=True, forbid_unknown_fields=True):
    """A position of Stock Market Tycoon."""

    turn: Annotated[int, Meta(ge=1, le=100)] = 2
    players: dict[str, PlayerWords] = {}
    dealer: str = ""
    sub_round: Annotated[int, Meta(ge=1, le=SUB_ROUNDS)] = 1
    acting: str = ""
    companies: dict[Company, CompanyWords] = {}
    shorts: list[ShortWords] = []
    contracts: list[ContractWords] = []
    bankrupts: list[str] = []
    end: str = ""
    options: Options = msgspec.field(default_factory=Options)


def stand(given: TycoonGiven) -> Situation:
    """The described state at its phase. Raises `DescriptionError`."""
    state = setup(given.options, len(given.players))
    state.turn = given.turn
    _fill_purses(state, given)
    _deal_cards(state, given)
    _begin_year(state, given)
    _set_companies(state, given)
    _open_contracts(state, given)
    state.end = given.end
    return stand_at(flow_of(given.options.mode, given.options.trade_mode), given, state)


def _seat(given: TycoonGiven, name: str) -> int:
    names = list(given.players)
    return names.index(known(name, names, "player"))


def _fill_purses(state: TycoonState, given: TycoonGiven) -> None:
    for seat, player in enumerate(given.players.values()):
        cash = given.options.cash if player.cash is None else player.cash
        state.ledger.pay(OUTSIDE, cash_of(seat), cash)
        state.debts[seat] = player.debt


def _deal_cards(state: TycoonState, given: TycoonGiven) -> None:
    """Hands and withheld cards; nobody holds a card that the deck does not have."""
    deck = Counter(deck_of(given.options.variant))
    for seat, (name, player) in enumerate(given.players.items()):
        for card in (*player.hand, *player.kept_cards):
            deck[known(card, list(dict.fromkeys(deck_of(given.options.variant))), "card")] -= 1
            if deck[card] < 0:
                raise DescriptionError(f"{name} holds one {card} more than the deck has")
        state.hands[seat] = list(player.hand)
        if player.kept_cards:
            state.kept_cards[seat] = list(player.kept_cards)


def _begin_year(state: TycoonState, given: TycoonGiven) -> None:
    """The dealer, the turn order of the year, and the seat to act."""
    state.bankrupts = [_seat(given, name) for name in given.bankrupts]
    state.dealer = _seat(given, given.dealer) if given.dealer else max(state.active, default=0)
    clockwise = [(state.dealer + step) % state.seats for step in range(1, state.seats + 1)]
    state.order = [seat for seat in clockwise if seat in state.active]
    if given.phase in START:
        return
    if given.phase == "orders":
        state.sub_round = given.sub_round - 1
        return
    state.sub_round = given.sub_round if given.phase in TRADING else SUB_ROUNDS
    if given.phase not in TRADING:
        return
    acting = _seat(given, given.acting) if given.acting else state.order[0]
    if acting not in state.order:
        raise DescriptionError(f"{given.acting} is bankrupt and has no turn")
    state.queue = state.order[state.order.index(acting) :]
    if not is_in_front(given, row_named(flow_of(given.options.mode, given.options.trade_mode), given.phase)):
        state.acting = state.queue.pop(0)


def _set_companies(state: TycoonState, given: TycoonGiven) -> None:
    state.closes = state.closes * given.turn
    state.closes[-1] = dict(state.closes[-1])
    for company, words in given.companies.items():
        if words.price is not None:
            state.prices[company] = words.price
        if words.last_close is not None:
            state.closes[-1][company] = words.last_close
        if words.rate is not None:
            state.rates[company] = words.rate
        if words.bought:
            state.bought.append(company)
        state.windows += [company] * words.rights
        _hand_out_shares(state, given, company, words)


def _hand_out_shares(state: TycoonState, given: TycoonGiven, company: Company, words: CompanyWords) -> None:
    """A player who is listed earlier has reached the thresholds earlier."""
    there = given.options.numbers.shares_per_company
    if (counted := sum(words.shares.values()) + words.retired) > there:
        raise DescriptionError(f"{thousands(counted)} shares of {company} are held or retired; there are {there:,}")
    state.ledger.hand_over(company, BANK, RETIRED, words.retired)
    if words.director:
        state.offices[company].director = _seat(given, words.director)
    for name, shares in words.shares.items():
        state.ledger.hand_over(company, BANK, hand_of(_seat(given, name)), shares)
        state.movements += 1
        offices.note_crossings(state, company)
    offices.appoint(state, company)


def _open_contracts(state: TycoonState, given: TycoonGiven) -> None:
    state.shorts = [Short(_seat(given, one.player), one.company, one.entry, one.shares) for one in given.shorts]
    state.contracts = [
        OptionContract(_seat(given, one.player), one.kind, one.company, one.strike, one.shares, one.premium)
        for one in given.contracts
    ]
