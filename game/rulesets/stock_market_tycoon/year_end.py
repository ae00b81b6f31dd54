"""The beginning and end of a year: the next dealer, the deal, the new prices, currency, shorts and options. (ST 5)"""

from __future__ import annotations

from collections import Counter

from game.engine.ledger import BANK, cash_of
from game.engine.play import Play
from game.rulesets.stock_market_tycoon import cards, offices
from game.rulesets.stock_market_tycoon.events import (
    CardsDealt,
    CardsRevealed,
    CurrencyMoved,
    DebtDeferred,
    DebtLeft,
    FinalWorth,
    GameEnded,
    HandSeen,
    OptionsPaid,
    PriceMoved,
    ShortsSettled,
    YearBegun,
)
from game.rulesets.stock_market_tycoon.scoring import standings
from game.rulesets.stock_market_tycoon.state import (
    OptionContract,
    OwnedCard,
    PriceChange,
    Settlement,
    TycoonState,
    YearEnd,
)
from game.rulesets.stock_market_tycoon.tables import (
    COMPANY_KEYS,
    CURRENCY_PERCENT,
    DEBT_INTEREST_PERCENT,
    HAND_SIZE,
    SUB_ROUNDS,
)
from game.rulesets.stock_market_tycoon.trading import sell


def begin_year(play: Play[TycoonState], year: int) -> None:
    """Set the turn order: from the seat after the dealer, who comes last. (ST 2)"""
    state = play.state
    state.turn = year
    clockwise = [(state.dealer + step) % state.seats for step in range(1, state.seats + 1)]
    state.order = [seat for seat in clockwise if seat not in state.bankrupts]
    state.sub_round, state.queue, state.acting = 0, [], None
    play.emit(YearBegun(year=year, dealer=state.dealer, order=tuple(state.order)))


def follow_year(play: Play[TycoonState]) -> None:
    """Begin the next year, in the first phase after the end of one: the next seat deals. (ST 2, ST 5)"""
    state = play.state
    if state.sub_round < SUB_ROUNDS:
        return  # the year has begun already
    clockwise = ((state.dealer + step) % state.seats for step in range(1, state.seats + 1))
    state.dealer = next(seat for seat in clockwise if seat in state.active)
    begin_year(play, state.turn + 1)


def deal_hands(play: Play[TycoonState]) -> None:
    """Shuffle the whole deck, without withheld cards, and deal ten cards to everybody. (ST 3 Y2, T-39)"""
    follow_year(play)
    state = play.state
    copies = Counter(cards.deck_of(state.options.variant))
    copies.subtract(card for own_cards in state.kept_cards.values() for card in own_cards)
    deck = list(copies.elements())
    play.emit(CardsDealt(cards=HAND_SIZE))
    for seat in state.active:
        dealt = play.chance.sample("deal", deck, HAND_SIZE)
        for card in dealt:
            deck.remove(card)
        state.hands[seat] = cards.in_order([*dealt, *state.kept_cards.pop(seat, [])])
        play.emit(HandSeen(audience=(seat,), seat=seat, cards=tuple(state.hands[seat])))


def reveal_cards(play: Play[TycoonState]) -> None:
    """Show all price cards except withheld ones; special cards are not shown. (ST 5)"""
    state = play.state
    worths = [state.worth(seat) for seat in range(state.seats)]
    state.year_end = YearEnd(year=state.turn, withheld=list(state.withheld), worths=worths)
    for seat in state.order:
        price_cards = [card for card in state.hands[seat] if cards.company_of(card)]
        for secret in state.withheld.values():
            if secret.seat == seat:
                price_cards = cards.without(price_cards, secret.card)
        state.revealed += [OwnedCard(seat, card) for card in price_cards]
        if price_cards:
            play.emit(CardsRevealed(seat=seat, cards=tuple(price_cards)))
    state.year_end.shown = list(state.revealed)


def move_prices(play: Play[TycoonState]) -> None:
    """Move each price by the sum of its cards, once, and not below 0. (ST 5)"""
    state = play.state
    for company in COMPANY_KEYS:
        total = cards.sum_of(company, [owned.card for owned in state.revealed])
        was, state.prices[company] = state.prices[company], max(0, state.prices[company] + total)
        if state.year_end:
            held = tuple(state.held(seat, company) for seat in range(state.seats))
            state.year_end.changes.append(PriceChange(company, was, total, state.prices[company], held))
        if was != state.prices[company]:
            play.emit(PriceMoved(company=company, was=was, price=state.prices[company], total=total))


def move_currency(play: Play[TycoonState]) -> None:
    """Move everybody's cash by a tenth for each currency card by which one kind exceeds the other, rounded down. (ST
    5)"""
    state = play.state
    for seat in state.order:
        net = state.hands[seat].count(cards.CURRENCY_UP) - state.hands[seat].count(cards.CURRENCY_DOWN)
        amount = state.cash(seat) * net * CURRENCY_PERCENT // 100
        if amount > 0:
            play.pay(BANK, cash_of(seat), amount, why="currency gain")
        elif amount < 0:
            play.pay(cash_of(seat), BANK, -amount, why="currency loss")
        if amount:
            note_settlement(state, Settlement(seat, "currency", amount))
            play.emit(CurrencyMoved(seat=seat, cards=net, amount=amount))


def note_settlement(state: TycoonState, settlement: Settlement) -> None:
    """Keep a settlement for the report of the year."""
    if state.year_end:
        state.year_end.settlements.append(settlement)


def settle_shorts(play: Play[TycoonState]) -> None:
    """Settle everybody's shorts in turn order, gains and losses together. (ST 5, T-9)"""
    state = play.state
    for seat in state.order:
        owed = sum(
            short.shares * (state.prices[short.company] - short.entry) for short in state.shorts if short.seat == seat
        )
        if owed < 0:
            play.pay(BANK, cash_of(seat), -owed, why="short gain")
        if owed:
            note_settlement(state, Settlement(seat, "short", -owed))
            play.emit(ShortsSettled(seat=seat, gain=-owed))
        if owed > 0:
            _pay_loss(play, seat, owed)
    state.shorts = []


def _pay_loss(play: Play[TycoonState], seat: int, owed: int) -> None:
    """Pay a loss from cash, then by forced sales; a loss above the worth of the shares is deferred with interest,
    except after the last year, when all shares are sold. (ST 5)"""
    state = play.state
    unpaid = owed - play.pay_up_to(cash_of(seat), BANK, owed, why="short loss")
    if unpaid and (state.stock_value(seat) >= unpaid or state.is_last_year):
        _sell_for(play, seat, unpaid, everything=state.stock_value(seat) < unpaid)
        unpaid -= play.pay_up_to(cash_of(seat), BANK, unpaid, why="short loss")
    if not unpaid:
        return
    if state.is_last_year:
        state.debts[seat] = unpaid
        play.emit(DebtLeft(seat=seat, debt=unpaid))
        return
    state.debts[seat] = -(-unpaid * (100 + DEBT_INTEREST_PERCENT) // 100)
    play.emit(DebtDeferred(seat=seat, debt=state.debts[seat]))


def _sell_for(play: Play[TycoonState], seat: int, missing: int, *, everything: bool) -> None:
    """Sell as many shares as needed, of the dearest company first. (T-1)"""
    state = play.state
    for company in sorted(COMPANY_KEYS, key=lambda company: -state.prices[company]):
        price, held = state.prices[company], state.held(seat, company)
        shares = held if everything else min(held, -(-missing // price)) if price and missing > 0 else 0
        if not shares:
            continue
        sell(play, seat, company, shares, is_forced=True)
        offices.recompute(play, [company])
        missing -= shares * price


def pay_options(play: Play[TycoonState]) -> None:
    """Pay the difference of calls and puts to their strike price. (ST 5)"""
    state = play.state
    for contract in state.contracts:
        amount = play.pay(BANK, cash_of(contract.seat), payoff_of(contract, state), why="option")
        if amount:
            note_settlement(state, Settlement(contract.seat, "option", amount, contract.company))
            play.emit(
                OptionsPaid(
                    seat=contract.seat,
                    contract=contract.kind,
                    company=contract.company,
                    shares=contract.shares,
                    strike=contract.strike,
                    amount=amount,
                )
            )
    state.contracts = []


def payoff_of(contract: OptionContract, state: TycoonState) -> int:
    """The payment of an option at today's price. (ST 5)"""
    rise = state.prices[contract.company] - contract.strike
    return max(0, rise if contract.kind == "call" else -rise) * contract.shares


def close_year(play: Play[TycoonState]) -> None:
    """Return the cards to the deck; after the last year the game is over. (ST 5)"""
    state = play.state
    state.closes.append(dict(state.prices))
    if state.year_end:
        state.year_end.worths_after = [state.worth(seat) for seat in range(state.seats)]
    if state.options.director_keeps_card:
        for withheld in state.withheld.values():
            state.kept_cards.setdefault(withheld.seat, []).append(withheld.card)
    state.hands = [[] for _ in range(state.seats)]
    state.bought, state.windows, state.rates = [], [], {}
    state.withheld, state.revealed, state.struck = {}, [], []
    state.acting = None
    if state.is_last_year:
        state.end = "years"


def end_game(play: Play[TycoonState]) -> None:
    """Rank the seats, after the last year or when one player is left; open contracts are then void. (ST 6, T-4)"""
    state = play.state
    state.acting, state.queue, state.shorts, state.contracts = None, [], [], []
    play.emit(GameEnded(end=state.end))
    for standing in standings(state):
        play.emit(FinalWorth(seat=standing.seat, place=standing.place, worth=standing.score))
