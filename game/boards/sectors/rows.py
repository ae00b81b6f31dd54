"""The queryable part of Sectors: its rows, the course of its prices and net worths, and a seat's marks on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.sectors.decisions.order_fields import SENTENCES
from game.boards.sheets import CompanyRow, ContractRow, HoldingRow, OrderRow, Point, PriceMark, Rows
from game.engine.language import say, say_as
from game.engine.phrases import capitalised, thousands
from game.rulesets.sectors.state import BANKRUPT, LIVE, OPEN, OPTION_ORDER, SHORT_ORDER
from game.rulesets.sectors.view.shapes import CompanyView, ContractView, OrderView, SectorsView


def rows(view: SectorsView) -> Rows:
    """The rows of a stranger's view. Every hand is listed, empty ones too."""
    companies, seats = view.companies, [player.seat for player in view.players]
    return Rows(
        companies=tuple([_company(company) for company in companies]),
        holdings=tuple(
            [HoldingRow(company.ticker, seat, company.holdings.get(seat, 0)) for company in companies for seat in seats]
        ),
        orders=tuple([_order(order) for order in view.orders]),
        contracts=tuple([_contract(contract) for contract in view.contracts]),
    )


def point(view: SectorsView) -> Point:
    """Prices of companies that are not closed, and net worths."""
    prices = {company.ticker: company.price for company in view.companies if company.status != BANKRUPT}
    return Point(prices, tuple(player.net_worth for player in sorted(view.players, key=lambda player: player.seat)))


def marks(view: SectorsView, requests: Sequence[Mapping[str, Any]]) -> tuple[PriceMark, ...]:
    """The viewer's orders, options and shorts, and the orders among `requests`, each at its relevant price."""
    own = [order for order in view.orders if order.seat == view.seat and order.status in LIVE]
    order_requests = [request for request in requests if request.get("kind") in SENTENCES]
    price_marks = [*(_mark(order, view) for order in own), *(_asked_mark(request, view) for request in order_requests)]
    return tuple(dict.fromkeys(mark for mark in price_marks if mark is not None))


def _mark(order: OrderView, view: SectorsView) -> PriceMark | None:
    if order.kind == OPTION_ORDER:
        contract = next((contract for contract in view.contracts if contract.id == order.contract), None)
        return None if contract is None else _option_mark(contract)
    price = order.price or view.company(order.company).price
    facts = {"shares": order.quantity, "company": order.company, "price": thousands(price)}
    if order.kind == SHORT_ORDER and order.status == OPEN:
        return PriceMark(order.company, price, say("Short of {shares} {company}, opened at {price}", **facts))
    side = say_as("side of an order", order.side) if order.side else ""
    words = " ".join(str(part) for part in (side, order.quantity, order.company) if part)
    return PriceMark(order.company, price, say("Your order: {order} at {price}", order=words, price=thousands(price)))


def _option_mark(contract: ContractView) -> PriceMark:
    text = say(
        "Option on {shares} {company}, strike {strike}",
        shares=contract.shares,
        company=contract.company,
        strike=thousands(contract.strike),
    )
    return PriceMark(contract.company, contract.strike, text)


def _asked_mark(request: Mapping[str, Any], view: SectorsView) -> PriceMark | None:
    """The mark of an order that is not placed yet; a contract is marked at its strike."""
    text, company, price = capitalised(SENTENCES[request["kind"]](request, view)), request.get("company"), None
    if request["kind"] == "option_order":
        contract = next((contract for contract in view.contracts if contract.id == request.get("contract")), None)
        company, price = (contract.company, contract.strike) if contract else (None, None)
    prices = {each.ticker: each.price for each in view.companies}
    if company not in prices:
        return None
    return PriceMark(
        str(company),
        price or request.get("value") or request.get("limit") or request.get("bid") or prices[company],
        text,
    )


def _company(company: CompanyView) -> CompanyRow:
    return CompanyRow(
        key=company.ticker,
        name=company.name,
        group=company.sector,
        status=company.status,
        price=company.price,
        treasury=company.treasury,
        details={
            "tier": company.tier,
            "ipo_price": company.ipo_price,
            "ipo": company.ipo,
            "market": company.market,
            "aside": company.aside,
            "unit_price": company.unit_price,
            "operating_cost": company.operating_cost,
            "prestige": company.prestige,
            "supply": company.supply,
            "demand": company.demand,
            "revenue": company.revenue,
            "has_loan": company.has_loan,
        },
    )


def _order(order: OrderView) -> OrderRow:
    return OrderRow(
        number=order.id,
        seat=order.seat,
        company=order.company,
        turn=order.turn,
        status=order.status,
        kind=order.kind,
        side=order.side,
        quantity=order.quantity,
        price=order.price,
        reason=order.reason,
        details={
            "location": order.location,
            "sub_round": order.sub_round,
            "contract": order.contract,
            "paid": order.paid,
            "margin": order.margin,
        },
    )


def _contract(contract: ContractView) -> ContractRow:
    return ContractRow(
        number=contract.id,
        company=contract.company,
        shares=contract.shares,
        owner=contract.owner,
        details={
            "term": contract.term,
            "strike": contract.strike,
            "premium": contract.premium,
            "bonus": contract.bonus,
            "turns_left": contract.turns_left,
        },
    )
