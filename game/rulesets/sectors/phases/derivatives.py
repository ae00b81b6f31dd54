"""Shorts, options, and the opening of limit orders. (S 5.5–5.7; phases 13–19)"""

from __future__ import annotations

from collections import Counter

from game.engine.language import mark
from game.engine.ledger import BANK, cash_of
from game.engine.play import Play
from game.rulesets.sectors import causes, numbers, prices
from game.rulesets.sectors.actions import CoverShort, ExerciseOption
from game.rulesets.sectors.companies import reject
from game.rulesets.sectors.events.orders import (
    ContractBought,
    ContractExpired,
    CoverDropped,
    LimitOpened,
    OptionExercised,
    ShortCovered,
    ShortInterestPaid,
    ShortOpened,
)
from game.rulesets.sectors.ledger import ASIDE, MARKET, margin_of
from game.rulesets.sectors.sequence import can_cover
from game.rulesets.sectors.state import (
    FILLED,
    LIMIT_ORDER,
    OPEN,
    OPTION_ORDER,
    PENDING,
    REJECTED,
    SHORT_ORDER,
    Contract,
    Order,
    SectorsState,
)
from game.rulesets.sectors.tables.common import INTEREST_PERCENT


def charge_short_interest(play: Play[SectorsState]) -> None:
    """Charge 5% of each open short's initial value, but no more than the cash. (S 5.6, A80, A97)"""
    for short in numbers.open_shorts(play.state):
        interest = short.quantity * short.price * INTEREST_PERCENT // 100
        paid = play.pay_up_to(cash_of(short.seat), BANK, interest, why="short interest")
        play.emit(ShortInterestPaid(company=short.company, order=short.id, seat=short.seat, amount=paid))


def cover_shorts(play: Play[SectorsState]) -> None:
    """Cover in player priority, a player's oldest short first, each at the price at that moment. (S 5.6, A32, A98)"""
    state = play.state
    wanted = [state.orders[action.order] for action in play.inputs_of(CoverShort)]
    for short in sorted(wanted, key=lambda s: (state.priority.index(s.seat), s.id)):
        _cover(play, short)


def _cover(play: Play[SectorsState], short: Order) -> None:
    company = play.state.companies[short.company]
    price, cost = company.price, company.price * short.quantity
    if not can_cover(play.state, short):
        cash = play.state.cash(short.seat) + short.margin
        play.emit(CoverDropped(company=short.company, order=short.id, seat=short.seat, cost=cost, cash=cash))
        return
    play.pay(margin_of(short.seat), cash_of(short.seat), short.margin, why=mark("margin"))
    play.pay(cash_of(short.seat), BANK, cost, why="short cover")
    play.ledger.hand_over(short.company, ASIDE, MARKET, short.quantity)
    short.status, short.paid = FILLED, cost
    play.emit(
        ShortCovered(
            company=short.company,
            order=short.id,
            seat=short.seat,
            quantity=short.quantity,
            price=price,
            margin=short.margin,
        )
    )
    prices.trade(play, company, short.quantity, causes.COVERED)


def open_shorts(play: Play[SectorsState]) -> None:
    """Open pending shorts by sub-round, then player priority; then each company's price falls once by all its shorts.
    (S 5.6, A31)"""
    state = play.state
    pending = [o for o in state.orders.values() if o.kind == SHORT_ORDER and o.status == PENDING]
    pending.sort(key=lambda o: (o.sub_round, state.priority.index(o.seat)))
    opened = Counter({short.company: 0 for short in pending})
    for short in pending:
        if _open_short(play, short):
            opened[short.company] += short.quantity
    for ticker, shares in opened.items():
        prices.trade(play, state.companies[ticker], -shares, causes.SHORTED)


def _open_short(play: Play[SectorsState], short: Order) -> bool:
    """Lock the margin, pay the proceeds, set the shares aside; or reject the order. (S 5.6)"""
    price = play.state.companies[short.company].price
    value = short.quantity * price
    margin, cash, there = -(-value // 2), play.state.cash(short.seat), play.ledger.at(short.company, MARKET)
    if margin > cash:
        reject(play, short, causes.NO_MARGIN.format(margin=margin, cash=cash), "S 5.6")
        return False
    if there < short.quantity:
        reject(play, short, causes.NOTHING_TO_BORROW.format(wanted=short.quantity, there=there), "S 5.6")
        return False
    play.pay(cash_of(short.seat), margin_of(short.seat), margin, why=mark("margin"))
    play.pay(BANK, cash_of(short.seat), value, why="short sale")
    play.state.incomes[short.seat] += value
    play.ledger.hand_over(short.company, MARKET, ASIDE, short.quantity)
    short.status, short.price, short.margin = OPEN, price, margin
    play.emit(
        ShortOpened(
            company=short.company, order=short.id, seat=short.seat, quantity=short.quantity, price=price, margin=margin
        )
    )
    return True


def expire_contracts(play: Play[SectorsState]) -> None:
    """Age bought contracts; one that has reached its term expires. (S 5.7)"""
    state = play.state
    for contract in [c for c in state.contracts.values() if c.owner is not None]:
        if contract.age < contract.term:
            contract.age += 1
        else:
            _end_contract(state, contract, REJECTED)
            play.emit(
                ContractExpired(
                    contract=contract.id, company=contract.company, seat=contract.owner or 0, why=causes.TERM_OVER
                )
            )


def _end_contract(state: SectorsState, contract: Contract, status: str) -> None:
    del state.contracts[contract.id]
    for order in state.orders.values():
        if order.contract == contract.id and order.status == OPEN:
            order.status = status


def open_options(play: Play[SectorsState]) -> None:
    """Sell each contract to an order of the earliest sub-round: the highest bid or the best priority. (S 5.7)"""
    state = play.state
    pending = [o for o in state.orders.values() if o.kind == OPTION_ORDER and o.status == PENDING]
    for order in sorted(pending, key=lambda o: (o.sub_round, -o.price, state.priority.index(o.seat))):
        _open_option(play, order, state.contracts[order.contract or 0])


def _open_option(play: Play[SectorsState], order: Order, contract: Contract) -> None:
    """Charge the premium or the bid; if the buyer cannot pay, the contract goes to the next in line. (S 5.7)"""
    price, cash = order.price or contract.premium, play.state.cash(order.seat)
    if contract.owner is not None:
        reject(play, order, causes.SOLD_TO_ANOTHER, "S 5.7")
    elif cash < price:
        reject(play, order, causes.TOO_DEAR.format(cost=price, cash=cash), "S 5.7")
    else:
        play.pay(cash_of(order.seat), BANK, price, why="premium")
        contract.owner = order.seat
        order.status, order.paid = OPEN, price
        play.emit(
            ContractBought(
                contract=contract.id, company=contract.company, order=order.id, seat=order.seat, premium=price
            )
        )


def exercise_options(play: Play[SectorsState]) -> None:
    """Pay all exercises at the price at the start of the phase, then raise prices by the bonuses. (S 5.7, covers)"""
    state = play.state
    wanted = [state.contracts[action.contract] for action in play.inputs_of(ExerciseOption)]
    wanted.sort(key=lambda c: (state.priority.index(c.owner or 0), c.id))
    for contract in wanted:
        _exercise(play, contract)
    for contract in wanted:
        prices.rise(play, state.companies[contract.company], contract.bonus, causes.EXERCISED)


def _exercise(play: Play[SectorsState], contract: Contract) -> None:
    price, seat = play.state.companies[contract.company].price, contract.owner or 0
    payout = (price - contract.strike) * contract.shares
    play.pay(BANK, cash_of(seat), payout, why="option payout")
    play.state.incomes[seat] += payout
    _end_contract(play.state, contract, FILLED)
    play.emit(
        OptionExercised(
            contract=contract.id,
            company=contract.company,
            seat=seat,
            shares=contract.shares,
            price=price,
            strike=contract.strike,
        )
    )


def open_limits(play: Play[SectorsState]) -> None:
    """Open the limit orders: price changes trigger them from now on. (S 5.5)"""
    for order in play.state.orders.values():
        if order.kind == LIMIT_ORDER and order.status == PENDING:
            order.status = OPEN
            play.emit(
                LimitOpened(
                    order=order.id,
                    seat=order.seat,
                    company=order.company,
                    side=order.side,
                    quantity=order.quantity,
                    price=order.price,
                )
            )
