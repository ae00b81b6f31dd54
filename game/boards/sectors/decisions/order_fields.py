"""The fields of an order: from strings to a request, back again, and in words. (S 5.1–5.7)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from game.boards.decision import Request, Values
from game.boards.fields import DOLLARS, BadField, Filled, has_field, offer_of, one_of, range_of, whole
from game.engine.offers import Offer
from game.rulesets.sectors.tables.common import LARGEST_NUMBER

SHARES, PRICES = (1, LARGEST_NUMBER), (1, LARGEST_NUMBER)
PLAIN = ("kind", "company", "side", "location", "quantity", "value")


def _market(form: Filled, offers: Sequence[Offer]) -> Request:
    company, side = _company(form), one_of(form, "side", "The side", ("buy", "sell"), rule="S 5.1")
    location = "market" if side == "sell" else one_of(form, "location", "From", ("market", "ipo"), rule="S 5.1")
    offer = offer_of(offers, "market_order", company=company, side=side, location=location)
    request = {
        "kind": "market_order",
        "company": company,
        "side": side,
        "location": location,
        "quantity": _shares(form, offer),
    }
    return _with_bid(request, form, "bid", offer)


def _limit(form: Filled, offers: Sequence[Offer]) -> Request:
    company, side = _company(form), one_of(form, "side", "The side", ("buy", "sell"), rule="S 5.1")
    offer = offer_of(offers, "limit_order", company=company, side=side)
    value = whole(form, "value", "The limit", *range_of(offer, "value", PRICES), rule="S 5.5")
    return {"kind": "limit_order", "company": company, "side": side, "value": value, "quantity": _shares(form, offer)}


def _short(form: Filled, offers: Sequence[Offer]) -> Request:
    company = _company(form)
    offer = offer_of(offers, "short_order", company=company)
    return {"kind": "short_order", "company": company, "quantity": _shares(form, offer)}


def _option(form: Filled, offers: Sequence[Offer]) -> Request:
    contract = whole(form, "contract", "The contract", *DOLLARS, rule="S 5.7") if form.get("contract") else None
    if contract is None:
        raise BadField("contract", "Choose one of the contracts on sale.", "S 5.7")
    offer = offer_of(offers, "option_order", contract=contract)
    return _with_bid({"kind": "option_order", "contract": contract}, form, "contract_bid", offer)


def _company(form: Filled) -> str:
    ticker = form.get("company")
    if not 0 < len(ticker) <= 8:
        raise BadField("company", "Choose a company for the order.", "S 5.1")
    return ticker


def _shares(form: Filled, offer: Offer | None) -> int:
    return whole(form, "quantity", "The number of shares", *range_of(offer, "quantity", SHARES), rule="S 5.1")


def _with_bid(request: Request, form: Filled, name: str, offer: Offer | None) -> Request:
    """Only the bid strategy's purchases carry a bid. (S 5.3)"""
    if not has_field(offer, "bid"):
        return request
    return request | {"bid": whole(form, name, "The bid", *range_of(offer, "bid", PRICES), rule="S 5.3")}


READERS: dict[str, Callable[[Filled, Sequence[Offer]], Request]] = {
    "market_order": _market,
    "limit_order": _limit,
    "short_order": _short,
    "option_order": _option,
}


def filled_of(request: Mapping[str, Any]) -> Values:
    """What the ticket holds when it shows an order."""
    return _option_fields(request) if request["kind"] == "option_order" else _order_fields(request)


def _order_fields(request: Mapping[str, Any]) -> Values:
    plain = {name: [str(request[name])] for name in PLAIN if request.get(name) is not None}
    return plain | ({"bid": [str(request["bid"])]} if request.get("bid") is not None else {})


def _option_fields(request: Mapping[str, Any]) -> Values:
    bid = {"contract_bid": [str(request["bid"])]} if request.get("bid") is not None else {}
    return {"kind": ["option_order"], "contract": [str(request.get("contract", ""))]} | bid


def _say_market(request: Mapping[str, Any], view: Any) -> str:
    where = " from the IPO" if request["location"] == "ipo" else ""
    bid = f", bidding {request['bid']}" if request.get("bid") else ""
    return f"{request['side']} {request['quantity']} {request['company']}{where}{bid}"


def _say_limit(request: Mapping[str, Any], view: Any) -> str:
    return f"{request['side']} {request['quantity']} {request['company']} at {request['value']}"


def _say_short(request: Mapping[str, Any], view: Any) -> str:
    return f"short {request['quantity']} {request['company']}"


def _say_option(request: Mapping[str, Any], view: Any) -> str:
    contract = next((c for c in view.contracts if c.id == request["contract"]), None)
    return f"take the option on {contract.shares} {contract.company}" if contract else "take an option"


SENTENCES: dict[str, Callable[[Mapping[str, Any], Any], str]] = {
    "market_order": _say_market,
    "limit_order": _say_limit,
    "short_order": _say_short,
    "option_order": _say_option,
}
