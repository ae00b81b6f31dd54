"""Stock orders: placed in secret, reviewed, revealed, and market orders resolved. (S 5.1–5.4; phases 9–12, 20)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from game.engine.ledger import BANK, cash_of, hand_of
from game.engine.play import Play
from game.rulesets.sectors import causes, numbers, prices
from game.rulesets.sectors.companies import float_if_sold, reject
from game.rulesets.sectors.events.orders import OrderFilled, OrderLocated, OrderRevealed, OrderSealed, StockRoundEnded
from game.rulesets.sectors.ledger import IPO, MARKET
from game.rulesets.sectors.orders import LimitOrder, MarketOrder, OptionOrder, PlaceOrder, ShortOrder
from game.rulesets.sectors.sequence import orders_of_sub_round, unrevealed_orders
from game.rulesets.sectors.standing_orders import StandingOrder
from game.rulesets.sectors.state import (
    FILLED,
    LIMIT_ORDER,
    MARKET_ORDER,
    OPTION_ORDER,
    PENDING,
    SHORT_ORDER,
    TRIGGERED,
    Order,
    SectorsState,
    Trade,
)

DERIVATIVES = "derivatives"


def take_orders(play: Play[SectorsState]) -> None:
    """Close the sub-round's orders, which are final now. They are numbered by seat, so that the number reveals nothing.
    (S 5.1, revise)"""
    state = play.state
    state.sub_round += 1
    for action in play.inputs_of(PlaceOrder):
        order = _order_of(state, action)
        order.turn, order.sub_round = state.turn, state.sub_round
        state.orders[order.id] = order
        play.emit(OrderSealed(audience=(order.seat,), order=order.id, seat=order.seat, company=order.company))


def _order_of(state: SectorsState, action: PlaceOrder) -> Order:
    match action:
        case MarketOrder(actor=seat, company=company, side=side, location=location, quantity=quantity, bid=bid):
            return Order(state.new_id(), seat, MARKET_ORDER, company, quantity, side, location, bid or 0)
        case LimitOrder(actor=seat, company=company, side=side, value=value, quantity=quantity):
            return Order(state.new_id(), seat, LIMIT_ORDER, company, quantity, side, MARKET, value)
        case ShortOrder(actor=seat, company=company, quantity=quantity):
            return Order(state.new_id(), seat, SHORT_ORDER, company, quantity, "sell", MARKET)
        case OptionOrder(actor=seat, contract=contract, bid=bid):
            wanted = state.contracts[contract]
            return Order(
                state.new_id(),
                seat,
                OPTION_ORDER,
                wanted.company,
                wanted.shares,
                "buy",
                DERIVATIVES,
                bid or 0,
                contract,
            )
        case StandingOrder():
            return _order_of(state, action.placed(state))
        case _:
            raise TypeError(f"no order is made of {action}")


def review_orders(play: Play[SectorsState]) -> None:
    """Show who placed an order where: company and market; the whole order unless orders are concealed. (reveal, A5)"""
    for order in orders_of_sub_round(play.state):
        if not play.state.options.concealed:
            _reveal(play, order)
        else:
            order.shown = "location"
            play.emit(OrderLocated(order=order.id, seat=order.seat, company=order.company, location=order.location))


def reveal_orders(play: Play[SectorsState]) -> None:
    """Show concealed orders in full. (S 4.1 phase 11)"""
    for order in unrevealed_orders(play.state):
        _reveal(play, order)


def _reveal(play: Play[SectorsState], order: Order) -> None:
    order.shown = "all"
    play.emit(
        OrderRevealed(
            order=order.id,
            seat=order.seat,
            company=order.company,
            kind=order.kind,
            side=order.side,
            location=order.location,
            quantity=order.quantity,
            price=order.price,
        )
    )


def resolve_market_orders(play: Play[SectorsState]) -> None:
    """Fill or reject the market orders, sub-round by sub-round, float companies, then move prices by the net trades. (S
    5.3, R-1)"""
    state = play.state
    at_start = {ticker: company.price for ticker, company in state.companies.items()}
    orders = [o for o in state.orders.values() if o.kind == MARKET_ORDER and o.status == PENDING]
    for order in sorted(orders, key=_serving_order(state)):
        _resolve(play, order, at_start[order.company])
    filled = [order for order in orders if order.status == FILLED]
    for ticker in dict.fromkeys(order.company for order in filled if order.location == IPO):
        float_if_sold(play, state.companies[ticker])
    for ticker, net in _net_of(filled).items():
        prices.move_for_market_orders(play, state.companies[ticker], net)


def _serving_order(state: SectorsState) -> Callable[[Order], tuple[int, ...]]:
    """Strategy priority: one pass in player priority. Strategy bid: sales first, then purchases by bid; ties by player
    priority. (R-1)"""
    place = state.priority.index
    if state.options.distribution == "priority":
        return lambda order: (order.sub_round, place(order.seat))
    return lambda order: (
        order.sub_round,
        order.side == "buy",
        -order.price if order.side == "buy" else 0,
        place(order.seat),
    )


def _resolve(play: Play[SectorsState], order: Order, market_price: int) -> None:
    """Fill one market order whole or reject it. (S 5.3)"""
    company = play.state.companies[order.company]
    price = order.price or (company.ipo_price if order.location == IPO else market_price)
    if order.side == "sell":
        sell(play, order, price)
    else:
        buy(play, order, price)
    if order.status == FILLED:
        play.state.trades = [*play.state.trades, Trade(order.seat, order.company, order.side)]


def sell(play: Play[SectorsState], order: Order, price: int) -> None:
    """Sell own shares to the open market, if there are enough. (S 5.3, 5.5)"""
    held = play.state.shares(order.company, order.seat)
    if held < order.quantity:
        reject(play, order, causes.TOO_FEW_HELD.format(wanted=order.quantity, held=held), "S 5.3")
        return
    play.pay(BANK, cash_of(order.seat), price * order.quantity, why=f"{order.kind} sell")
    play.ledger.hand_over(order.company, hand_of(order.seat), MARKET, order.quantity)
    play.state.incomes[order.seat] += price * order.quantity
    _fill(play, order, price)


def buy(play: Play[SectorsState], order: Order, price: int) -> None:
    """Buy from the order's location, if shares, cap and cash allow all of it. (S 5.3, 5.5)"""
    state = play.state
    there, cost, cash = play.ledger.at(order.company, order.location), price * order.quantity, state.cash(order.seat)
    after, cap = state.shares(order.company, order.seat) + order.quantity, numbers.cap_of(state, order.company)
    if there < order.quantity:
        reject(play, order, causes.TOO_FEW_LEFT.format(wanted=order.quantity, left=there), "S 5.3")
    elif after > cap:
        reject(play, order, causes.OVER_THE_CAP.format(after=after, cap=cap), "R-19")
    elif cash < cost:
        reject(play, order, causes.TOO_DEAR.format(cost=cost, cash=cash), "S 5.3")
    else:
        play.pay(cash_of(order.seat), BANK, cost, why=f"{order.kind} buy")
        play.ledger.hand_over(order.company, order.location, hand_of(order.seat), order.quantity)
        _fill(play, order, price)


def _fill(play: Play[SectorsState], order: Order, price: int) -> None:
    order.status, order.paid = FILLED, price * order.quantity
    play.emit(
        OrderFilled(
            order=order.id,
            seat=order.seat,
            company=order.company,
            kind=order.kind,
            side=order.side,
            location=order.location,
            quantity=order.quantity,
            price=price,
        )
    )


def _net_of(filled: list[Order]) -> Counter[str]:
    """Shares bought minus shares sold on the open market, by company; the IPO does not count. (S 5.3)"""
    net: Counter[str] = Counter()
    for order in filled:
        if order.location == MARKET:
            net[order.company] += order.quantity if order.side == "buy" else -order.quantity
    return net


def settle_limits(play: Play[SectorsState]) -> None:
    """Settle triggered limit orders at their value, by player priority, then age; then one net move each. (S 5.5, A28,
    A29)"""
    state = play.state
    triggered = [o for o in state.orders.values() if o.status == TRIGGERED]
    triggered.sort(key=lambda o: (state.priority.index(o.seat), o.id))
    for order in triggered:
        (sell if order.side == "sell" else buy)(play, order, order.price)
    for ticker, net in _net_of([o for o in triggered if o.status == FILLED]).items():
        prices.trade(play, state.companies[ticker], net, causes.LIMITS_SETTLED)


def show_stock_results(play: Play[SectorsState]) -> None:
    """Summarise the stock round. (S 4.1 phase 20)"""
    play.emit(StockRoundEnded(sub_rounds=play.state.sub_round, filled=len(play.state.trades)))
