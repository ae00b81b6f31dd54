"""How the house bot uses limit orders: as stops under what it holds, and for bargains in what it wants."""

from __future__ import annotations

from game.rulesets.sectors.bots.table import Request, Table
from game.rulesets.sectors.tables.chart import PRICES
from game.rulesets.sectors.view import CompanyView

LEAST_WATCHED = 4  # shares that are worth a stop
STOP_STEPS = 3  # below the fall that is foreseen anyway
BARGAIN_GAIN = 1.3  # what a share must be worth for a dollar of a bargain's price


def best_limit(table: Table) -> Request | None:
    """A stop or a bargain, if it is in the mood for one and has none there yet."""
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
    """Sell all of it should it fall further than its throughput explains."""
    step = company.step - company.throughput_steps - STOP_STEPS
    return _limit(company, "sell", step, table.shares(company)) if step > 0 else None


def _bargain(table: Table, company: CompanyView) -> Request | None:
    """Buy what lies on the market at the price to which its throughput will bring it, if it will recover."""
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
