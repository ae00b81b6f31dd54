"""How the house bot sells short what will fall, and covers before it hurts."""

from __future__ import annotations

import msgspec

from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.outlook import PRODUCTION, Outlook, outlook
from game.rulesets.sectors.bots.table import Request, Table, allowed
from game.rulesets.sectors.tables.chart import PRICES
from game.rulesets.sectors.tables.common import INTEREST_PERCENT
from game.rulesets.sectors.view import CompanyView

MOST = 4  # shares in a short
STOP_PERCENT = 120  # of its opening price: there a short is covered whatever is hoped
CUSHION_PERCENT = 140  # of the cost of covering: with less cash a short is covered while it can be


def best_short(table: Table) -> Request | None:
    """The short that promises most for its size, if it promises enough."""
    if not table.view.options["short_orders"] or not table.me.short_actions:
        return None
    bets = [
        bet
        for company in table.prospects.living
        if company.status == "active" and company.market and (bet := _bet(table, company))
    ]
    return max(bets, key=lambda bet: bet[0])[1] if bets else None


def _bet(table: Table, company: CompanyView) -> tuple[float, Request] | None:
    """As many shares as the market and its cash bear, of a company it holds nothing of."""
    stake = table.me.cash * table.temper.short_stake // 100
    quantity = min(company.market, MOST, 2 * stake // company.price, table.view.options["max_short_quantity"] or MOST)
    if quantity < 1 or table.shares(company):
        return None
    gain = _fall(table, company, quantity)
    if gain * 100 < table.temper.short_gain * company.price:
        return None
    return gain / company.price, {"kind": "short_order", "company": company.ticker, "quantity": quantity}


def _fall(table: Table, company: CompanyView, quantity: int) -> float:
    """Dollars a share gained when it is covered next turn, or settled at the end: its own sale weighs on the price."""
    start = table.prospects.outset(company)
    ahead = outlook(
        msgspec.structs.replace(start, step=max(start.step - quantity, 0)), table.turns_left + 1, PRODUCTION
    )
    return company.price - _cost_of_waiting(table, company.price, ahead)


def _cost_of_waiting(table: Table, opened: int, ahead: Outlook) -> float:
    """Dollars a share that covering after the next production costs: the price then, the dividend, and the interest."""
    interest = opened * INTEREST_PERCENT / 100 if table.turns_left else 0
    return PRICES[ahead.steps[1]] + ahead.dividends[0] + interest


def cover(table: Table, offered: Offered) -> list[Request]:
    """Cover what will not fall further, what has risen too far, and what it could soon not pay for."""
    shorts = {order.id: order for order in table.shorts()}
    wanted: list[Request] = []
    for offer in allowed(offered):
        short = shorts[offer.fixed["order"]]
        company = table.company(short.company)
        opened, cost = short.price or 1, (short.quantity or 1) * company.price
        is_late = (
            company.price * 100 >= opened * STOP_PERCENT
            or (table.me.cash + (short.margin or 0)) * 100 < cost * CUSHION_PERCENT
        )
        if is_late or _cost_of_waiting(table, opened, table.prospects.outlook(company)) >= company.price:
            wanted.append({"kind": "cover_short", "order": short.id})
    return wanted
