"""How the house bot buys and sells, at once or by limit order: it goes where a share promises most for its price."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from game.rulesets.sectors.bots.table import Request, Table
from game.rulesets.sectors.tables.chart import PRICES
from game.rulesets.sectors.view import CompanyView, OrderView

LEAST_WORTH_KEPT = 0.92  # a share is sold if it is worth less than this part of its price
EXPECTED_LOSS_TENTHS = 5  # tenths of a share that each player with higher priority is expected to take first
LATE_FACTOR = 0.5  # factor of the promise if the shares may be gone before the bot's turn
LEAST_WATCHED = 4  # the fewest shares that a stop order protects
STOP_STEPS = 3  # how far a stop lies below the fall that is expected anyway
BARGAIN_GAIN = 1.3  # a bargain must be worth this many times its price


class Purchase(msgspec.Struct, frozen=True):
    """Shares that the bot could buy now, the price in dollars, and the expected gain per dollar (`promise`)."""

    company: CompanyView
    location: str
    price: int
    quantity: int
    promise: float


def best_purchase(table: Table) -> Request | None:
    """The most promising purchase that it can pay for and that was not just rejected."""
    bought = max(purchases(table), key=lambda purchase: purchase.promise, default=None)
    return market_buy(table, bought) if bought else None


def purchases(table: Table) -> Iterator[Purchase]:
    pending = [o for o in table.orders_now() if o.kind == "market" and o.side == "buy" and o.status == "pending"]
    room = table.view.certificate_limit - table.me.certificates - sum(order.quantity or 0 for order in pending)
    cash = table.me.cash - table.temper.reserve - sum(_cost(table, order) for order in pending)
    if room <= 0 or cash <= 0:
        return
    expected_loss = (
        0 if table.view.options["distribution"] == "bid" else (table.me.priority - 1) * EXPECTED_LOSS_TENTHS // 10
    )
    tried = {(o.company, o.location) for o in table.orders_now() if o.status in ("rejected", "pending")}
    temper = table.temper
    for company in table.prospects.living:
        lot = min(
            room,
            company.cap - table.shares(company),
            temper.lot if company.is_floated else temper.opening_lot or max(company.float_needs, 2),
        )
        for location, price, there in (
            ("ipo", company.ipo_price, company.ipo),
            ("market", company.price, company.market),
        ):
            quantity = min(cash // price, there - expected_loss if there > expected_loss else there, lot)
            if quantity > 0 and (company.ticker, location) not in tried:
                promise = _promise(table, company, price, quantity) * (1 if there > expected_loss else LATE_FACTOR)
                if promise > 0:
                    yield Purchase(company, location, price, quantity, promise)


def _cost(table: Table, order: OrderView) -> int:
    """Dollars that an unresolved purchase may cost. (D3)"""
    company = table.company(order.company)
    price = company.ipo_price if order.location == "ipo" else company.price
    return (order.price or price) * (order.quantity or 0)


def _promise(table: Table, company: CompanyView, price: int, quantity: int) -> float:
    """The expected gain per dollar, with some randomness; less if the bot holds much of the company or the company may
    not float; 0 if it is too small."""
    temper = table.temper
    gain = share_worth(table, company, quantity) / price - 1
    if gain * 100 < temper.least_gain:
        return 0
    crowded = 1 - temper.crowding * table.shares(company) / 100
    return gain * crowded * (0.9 + table.chance.below("bot_taste", 21) / 100)


def share_worth(table: Table, company: CompanyView, quantity: int = 0) -> float:
    """What a share is expected to bring until the end of the game, in dollars; less for each share that others must
    still buy before the company floats."""
    if company.is_floated:
        return table.prospects.outlook(company).worth
    missing = max(company.float_needs - quantity, 0)
    if not missing:
        return table.prospects.outlook(company).worth
    return table.prospects.late_worth(company) * table.temper.doubt**missing


def market_buy(table: Table, bought: Purchase) -> Request:
    """The purchase as an order; where shares go to the highest bid, it bids up to 3 above the price."""
    request: Request = {
        "kind": "market_order",
        "company": bought.company.ticker,
        "side": "buy",
        "location": bought.location,
        "quantity": bought.quantity,
    }
    if table.view.options["distribution"] == "bid":
        dearest = max(table.me.cash // bought.quantity, bought.price)
        request["bid"] = min(bought.price + table.chance.below("bot_bid", 4), dearest)
    return request


def best_sale(table: Table) -> Request | None:
    """Sell what is worth less than its price; make room under the certificate limit."""
    traded = {o.company for o in table.orders_now()}
    over = table.me.certificates - table.view.certificate_limit
    for company in table.owned():
        if not company.is_floated or company.ticker in traded:
            continue
        if table.prospects.outlook(company).worth < company.price * LEAST_WORTH_KEPT:
            return market_sell(company, table.shares(company))
        if over > 0:
            return market_sell(company, min(table.shares(company), over))
    return None


def market_sell(company: CompanyView, quantity: int) -> Request:
    """An order to sell on the open market."""
    return {
        "kind": "market_order",
        "company": company.ticker,
        "side": "sell",
        "location": "market",
        "quantity": quantity,
    }


def best_limit(table: Table) -> Request | None:
    """A stop or a bargain order, with the probability of its temper, and only if it has no such order for that company
    yet."""
    if not table.view.options["limit_orders"] or not table.me.limit_actions:
        return None
    mood = table.chance.integer("bot_mood", 0, 9)
    watched = {
        (o.company, o.side)
        for o in table.view.orders
        if o.seat == table.seat and o.kind == "limit" and o.status in ("pending", "open")
    }
    floated = [company for company in table.prospects.living if company.is_floated]
    if mood < table.temper.stop_mood:
        stops = [
            _stop(table, c) for c in floated if table.shares(c) >= LEAST_WATCHED and (c.ticker, "sell") not in watched
        ]
        return next((stop for stop in stops if stop), None)
    if mood >= 10 - table.temper.bargain_mood:
        bargains = [_bargain(table, c) for c in floated if (c.ticker, "buy") not in watched]
        return next((bargain for bargain in bargains if bargain), None)
    return None


def _stop(table: Table, company: CompanyView) -> Request | None:
    """A stop: sell all shares of the company once the price falls further than its throughput explains."""
    step = company.step - company.throughput_steps - STOP_STEPS
    return _limit(company, "sell", step, table.shares(company)) if step > 0 else None


def _bargain(table: Table, company: CompanyView) -> Request | None:
    """A bargain: buy at the price to which throughput will lower the share, if the share is worth clearly more."""
    step = company.step - max(company.throughput_steps, 1)
    room = min(company.cap - table.shares(company), table.view.certificate_limit - table.me.certificates)
    if step < 0 or not company.market:
        return None
    quantity = min(company.market, room, (table.me.cash - table.temper.reserve) // PRICES[step])
    if quantity < 1 or table.prospects.outlook(company).worth < PRICES[step] * BARGAIN_GAIN:
        return None
    return _limit(company, "buy", step, quantity)


def _limit(company: CompanyView, side: str, step: int, quantity: int) -> Request:
    return {"kind": "limit_order", "company": company.ticker, "side": side, "value": PRICES[step], "quantity": quantity}
