"""Every way a price moves, and the limit orders it triggers. (S 3, 5.5)"""

from __future__ import annotations

from game.engine.play import Play
from game.rulesets.sectors import causes
from game.rulesets.sectors.events.orders import LimitTriggered, PriceMoved
from game.rulesets.sectors.numbers import modifier
from game.rulesets.sectors.state import FLOATED, LIMIT_ORDER, OPEN, TRIGGERED, Company, Order, SectorsState
from game.rulesets.sectors.tables.chart import LAST, PRICES, TIER_STARTS, slots_at, tier_of
from game.rulesets.sectors.tables.common import FREEZE_STEPS


def after_buying(step: int, filled: int, shares: int) -> tuple[int, int]:
    """Step and filled slots after net buying: every share fills a slot; a full row of slots raises the price one step.
    (S 3.4)"""
    while shares and step < LAST:
        shares, filled = shares - 1, filled + 1
        if filled == slots_at(step):
            step, filled = step + 1, 0
    return step, filled


def after_dividend(step: int, distributed: int, overshoot: int) -> int:
    """The step after paying `distributed` dollars: at most the next tier's first step, or with
    Boom Cycle `overshoot` steps beyond it. (S 3.5)"""
    wanted = step + distributed // PRICES[step]
    tier = tier_of(step)
    stop = TIER_STARTS[tier + 1] + overshoot if tier + 1 < len(TIER_STARTS) else LAST
    return min(wanted, stop, LAST)


def after_fall(step: int, steps: int, *, is_shielded: bool) -> int:
    """The step after a fall; a shielded price stops at the top of the next lower tier. (S 3.3, 3.6)"""
    floor = TIER_STARTS[tier_of(step)] - 1 if is_shielded and tier_of(step) else 0
    return max(step - steps, floor)


def rise(play: Play[SectorsState], company: Company, steps: int, why: str) -> None:
    """Raise the price by `steps`, at most to the last step of the chart. (S 3.3)"""
    move_to(play, company, min(company.step + steps, LAST), why)


def fall(play: Play[SectorsState], company: Company, steps: int, why: str) -> None:
    """Lower the price by `steps`, as a single `PriceMoved`; a shield may stop it early. (S 3.3)"""
    shielded = bool(modifier(play.state, company, "fall_floor"))
    move_to(play, company, after_fall(company.step, steps, is_shielded=shielded), why)


def trade(play: Play[SectorsState], company: Company, net: int, why: str) -> None:
    """Move the price for net shares bought (positive) or sold (negative). (S 5.3)"""
    if net > 0:
        step, filled = after_buying(company.step, company.filled, net)
        move_to(play, company, step, why, filled)
    elif net < 0:
        fall(play, company, -net, why)


def move_for_market_orders(play: Play[SectorsState], company: Company, net: int) -> None:
    """Move the price for a sub-round's net trades; a frozen price moves at most two steps either way in a turn. (S
    6.10, A55)"""
    if not modifier(play.state, company, "price_freeze"):
        trade(play, company, net, _why(net))
        return
    was = company.step
    wanted, filled = _wanted(play.state, company, net)
    low, high = -FREEZE_STEPS - company.frozen_moves, FREEZE_STEPS - company.frozen_moves
    allowed = was + min(max(wanted - was, low), high)
    if allowed != wanted:
        company.filled = filled = 0
    move_to(play, company, allowed, _why(net), filled)
    company.frozen_moves += company.step - was


def move_for_dividend(play: Play[SectorsState], company: Company, distributed: int) -> None:
    """Raise the price after a distribution to shareholders. (S 6.6)"""
    overshoot = modifier(play.state, company, "dividend_overshoot")
    move_to(
        play,
        company,
        after_dividend(company.step, distributed, overshoot),
        causes.DISTRIBUTED.format(amount=distributed),
    )


def move_to(play: Play[SectorsState], company: Company, step: int, why: str, filled: int = 0) -> None:
    """Set the price. If it changes, the slots are emptied, unless `filled` says how many are taken (A17). Only a
    floated company's price moves."""
    if company.status not in FLOATED:
        return
    was, company.step = company.step, step
    if company.step != was or filled:
        company.filled = filled
    if company.step == was:
        return
    play.emit(PriceMoved(company=company.ticker, was=PRICES[was], now=company.price, why=why))
    for order in sorted(play.state.orders.values(), key=lambda o: o.id):
        if _is_triggered(order, company.ticker, PRICES[was], company.price):
            _trigger(play, order)


def _wanted(state: SectorsState, company: Company, net: int) -> tuple[int, int]:
    if net > 0:
        return after_buying(company.step, company.filled, net)
    return after_fall(company.step, -net, is_shielded=bool(modifier(state, company, "fall_floor"))), 0


def _why(net: int) -> str:
    return (causes.MORE_BOUGHT if net > 0 else causes.MORE_SOLD).format(shares=abs(net))


def _is_triggered(order: Order, ticker: str, was: int, now: int) -> bool:
    """True if the price has moved to the limit or across it; a sell order needs a fall. (A27)"""
    if order.kind != LIMIT_ORDER or order.status != OPEN or order.company != ticker:
        return False
    return min(was, now) <= order.price <= max(was, now) and (order.side == "buy" or now < was)


def _trigger(play: Play[SectorsState], order: Order) -> None:
    order.status = TRIGGERED
    play.emit(
        LimitTriggered(
            order=order.id,
            seat=order.seat,
            company=order.company,
            side=order.side,
            quantity=order.quantity,
            price=order.price,
        )
    )
