"""How the house bot uses shorts, for companies that will fall, and options, for companies that will rise."""

from __future__ import annotations

import msgspec

from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.outlook import PRODUCTION, Outlook, outlook
from game.rulesets.sectors.bots.table import Request, Table, allowed
from game.rulesets.sectors.tables.chart import PRICES
from game.rulesets.sectors.tables.common import INTEREST_PERCENT
from game.rulesets.sectors.view import CompanyView, ContractView

MOST = 4  # shares in a short
STOP_PERCENT = 120  # part of its opening price at which a short is covered in any case
CUSHION_PERCENT = 140  # of the cost of covering: with less cash a short is covered while it can be
SURE = 0.8  # part of a foreseen price that counts


def best_short(table: Table) -> Request | None:
    """The most promising short for its size, if it is promising enough."""
    if not table.view.options["short_orders"] or not table.me.short_actions:
        return None
    bets = [
        bet
        for company in table.prospects.living
        if company.status == "active" and company.market and (bet := _bet(table, company))
    ]
    return max(bets, key=lambda bet: bet[0])[1] if bets else None


def _bet(table: Table, company: CompanyView) -> tuple[float, Request] | None:
    """A short of a company of which the bot holds nothing, with as many shares as the market and its cash allow."""
    stake = table.me.cash * table.temper.short_stake // 100
    quantity = min(company.market, MOST, 2 * stake // company.price, table.view.options["max_short_quantity"] or MOST)
    if quantity < 1 or table.shares(company):
        return None
    gain = _fall(table, company, quantity)
    if gain * 100 < table.temper.short_gain * company.price:
        return None
    return gain / company.price, {"kind": "short_order", "company": company.ticker, "quantity": quantity}


def _fall(table: Table, company: CompanyView, quantity: int) -> float:
    """The gain per share in dollars if the short is covered next turn, or settled at the end, with the effect of its
    own sale on the price."""
    start = table.prospects.outset(company)
    ahead = outlook(
        msgspec.structs.replace(start, step=max(start.step - quantity, 0)), table.turns_left + 1, PRODUCTION
    )
    return company.price - _cost_of_waiting(table, company.price, ahead)


def _cost_of_waiting(table: Table, opened: int, ahead: Outlook) -> float:
    """The cost per share in dollars of covering after the next production: the price then, the dividend, and the
    interest."""
    interest = opened * INTEREST_PERCENT / 100 if table.turns_left else 0
    return PRICES[ahead.steps[1]] + ahead.dividends[0] + interest


def cover(table: Table, offered: Offered) -> list[Request]:
    """Cover shorts that will not fall further, that have risen too far, or that the seat may soon be unable to pay
    for."""
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


def best_option(table: Table) -> Request | None:
    """The most promising contract on sale for its premium, if it is promising enough."""
    if not table.view.options["option_orders"]:
        return None
    ordered = {order.contract for order in table.orders_now()}
    stake = table.me.cash * table.temper.option_stake // 100
    on_sale = [c for c in table.view.contracts if c.owner is None and c.premium <= stake and c.id not in ordered]
    best = max(on_sale, key=lambda contract: _gain(table, contract), default=None)
    if best is None or _gain(table, best) * 100 < table.temper.option_gain:
        return None
    request: Request = {"kind": "option_order", "contract": best.id}
    if table.view.options["distribution"] == "bid":
        request["bid"] = min(best.premium + table.chance.below("bot_bid", 4), max(table.me.cash, best.premium))
    return request


def _gain(table: Table, contract: ContractView) -> float:
    """The gain per dollar of premium at the best moment of its term: the payment, and the effect of its price steps on
    own shares."""
    company = table.company(contract.company)
    last = min(contract.term, table.turns_left)
    highest = max(PRICES[step] for step in table.prospects.outlook(company).steps[: last + 1])
    foreseen = company.price + (highest - company.price) * SURE
    if foreseen < contract.strike:
        return -1
    lift = table.shares(company) * company.price * 0.07 * contract.bonus
    return ((foreseen - contract.strike) * contract.shares + lift) / contract.premium - 1


def exercise(table: Table, offered: Offered) -> list[Request]:
    """Everything that pays, or that raises a price from which the seat gains; it waits while there is time and the
    price is rising."""
    mine = {contract.id: contract for contract in table.view.contracts if contract.owner == table.seat}
    wanted: list[Request] = []
    for offer in allowed(offered):
        contract = mine[offer.fixed["contract"]]
        company = table.company(contract.company)
        pays = company.price > contract.strike or table.shares(company)
        may_wait = (
            min(contract.turns_left or 0, table.turns_left) > 0
            and table.prospects.outlook(company).steps[1] > company.step
        )
        if pays and not may_wait:
            wanted.append({"kind": "exercise_option", "contract": contract.id})
    return wanted
