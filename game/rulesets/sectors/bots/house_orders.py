"""How the house bot invests: early and cheap from the IPO, then where shares promise most; now and then a derivative."""

from __future__ import annotations

from collections.abc import Iterator

from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.table import Request, Table
from game.rulesets.sectors.view import CompanyView

RESERVE = 25  # dollars kept back for an insolvency
STOP_LOSS_PERCENT = 80


def order(table: Table, offered: Offered) -> list[Request]:
    """The one order of this sub-round, or none."""
    if table.chance.below("bot_mood", 12) == 0:
        side_bet = next(_side_bets(table), None)
        if side_bet:
            return [side_bet]
    request = _sell_what_fails(table) or _buy(table)
    return [request] if request else []


def _buy(table: Table) -> Request | None:
    """The best-looking purchase it can pay for and has not just been refused."""
    if table.me.certificates >= table.view.certificate_limit:
        return None
    refused = {(o.company, o.location) for o in table.view.orders if o.seat == table.seat and o.status == "rejected"}
    choices = [choice for choice in _purchases(table) if (choice[1]["company"], choice[1]["location"]) not in refused]
    return max(choices, key=lambda choice: choice[0])[1] if choices else None


def _purchases(table: Table) -> Iterator[tuple[float, Request]]:
    for company in table.living():
        for location, price, there in (("ipo", company.ipo_price, company.ipo), ("market", company.price, company.market)):
            if location == "market" and not company.is_floated:
                continue
            quantity = _affordable(table, company, price, there)
            if quantity and _is_worth_it(table, company, price):
                yield _score(table, company, price), _market_buy(table, company, location, price, quantity)


def _affordable(table: Table, company: CompanyView, price: int, there: int) -> int:
    """As many as cash, cap, certificates and taste allow: enough to float, hardly more of what others float."""
    room = min(company.cap - table.shares(company), table.view.certificate_limit - table.me.certificates)
    wanted = max(company.float_needs, 2) if not company.is_floated else 2
    return max(min((table.me.cash - RESERVE) // price, room, there, wanted), 0)


def _is_worth_it(table: Table, company: CompanyView, price: int) -> bool:
    """What it may pay in the turns left is more than the price it may lose."""
    if not company.is_floated:
        return table.turns_left >= 1
    return table.dividend_next(company) * (1 + table.turns_left) * 2 > price * 0.2


def _score(table: Table, company: CompanyView, price: int) -> float:
    """Promise for the price, better when it is nearly floated, worse when it already holds much; a little chance."""
    near_float = 1.0 if company.is_floated else 1.5 - company.float_needs / 14
    bargain = company.price / price if company.is_floated else 1.0
    crowded = 1.0 - table.shares(company) / 15
    return table.promise(company) * near_float * bargain * crowded * (0.85 + table.chance.below("bot_taste", 31) / 100)


def _market_buy(table: Table, company: CompanyView, location: str, price: int, quantity: int) -> Request:
    request: Request = {"kind": "market_order", "company": company.ticker, "side": "buy", "location": location, "quantity": quantity}
    if table.view.options["distribution"] == "bid":
        request["bid"] = min(price + table.chance.below("bot_bid", 4), max(table.me.cash // quantity, price))
    return request


def _sell_what_fails(table: Table) -> Request | None:
    """Leave a company that is about to close, unless it is worth saving; make room under the certificate limit."""
    sold = {(o.company, o.side) for o in table.view.orders if o.seat == table.seat}
    for company in table.owned():
        if not company.is_floated or (company.ticker, "sell") in sold or (company.ticker, "buy") in sold:
            continue
        failing = company.treasury < company.operating_cost and not table.units_next(company)
        if failing or (company.status == "insolvent" and table.shares(company) <= 2):
            return _market_sell(company, table.shares(company))
        if table.me.certificates > table.view.certificate_limit:
            return _market_sell(company, min(table.shares(company), table.me.certificates - table.view.certificate_limit))
    return None


def _market_sell(company: CompanyView, quantity: int) -> Request:
    return {"kind": "market_order", "company": company.ticker, "side": "sell", "location": "market", "quantity": quantity}


def _side_bets(table: Table) -> Iterator[Request]:
    """A short of something overpriced, a cheap option, or a stop-loss: the first that fits."""
    floated = [company for company in table.living() if company.status == "active"]
    for company in floated:
        if _is_overpriced(table, company) and table.view.options["short_orders"] and table.me.short_actions:
            yield {"kind": "short_order", "company": company.ticker, "quantity": 1}
    for contract in table.view.contracts:
        is_cheap = contract.owner is None and contract.premium * 8 < table.me.cash and contract.term >= 3
        if is_cheap and table.view.options["distribution"] == "priority":
            yield {"kind": "option_order", "contract": contract.id}
    watched = {o.company for o in table.view.orders if o.seat == table.seat and o.kind == "limit"}
    for company in floated:
        value = company.price * STOP_LOSS_PERCENT // 100
        if table.shares(company) >= 3 and company.ticker not in watched and table.me.limit_actions and table.view.options["limit_orders"]:
            yield {"kind": "limit_order", "company": company.ticker, "side": "sell", "value": max(value, 1), "quantity": 2}


def _is_overpriced(table: Table, company: CompanyView) -> bool:
    """It will fall by its throughput, pays little, is not its own, and can be borrowed."""
    borrowable = company.market >= 1 and table.me.cash > company.price
    return borrowable and company.throughput_steps >= 2 and not table.shares(company) and company.price > 30
