"""The fields of an order: from strings to a request and back, and in words. (S 5.1–5.7)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from game.boards.decision import (
    DOLLARS,
    BadField,
    Filled,
    Request,
    Values,
    has_field,
    offer_of,
    one_of,
    range_of,
    whole,
)
from game.engine.language import mark, say
from game.engine.offers import Offer
from game.rulesets.sectors.tables.common import LARGEST_NUMBER

SHARES, PRICES = (1, LARGEST_NUMBER), (1, LARGEST_NUMBER)
PLAIN = ("kind", "company", "side", "location", "quantity", "value")


def _market(form: Filled, offers: Sequence[Offer]) -> Request:
    company, side = _company(form), one_of(form, "side", mark("The side"), ("buy", "sell"), rule="S 5.1")
    location = "market" if side == "sell" else one_of(form, "location", mark("From"), ("market", "ipo"), rule="S 5.1")
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
    company, side = _company(form), one_of(form, "side", mark("The side"), ("buy", "sell"), rule="S 5.1")
    offer = offer_of(offers, "limit_order", company=company, side=side)
    value = whole(form, "value", mark("The limit"), *range_of(offer, "value", PRICES), rule="S 5.5")
    return {"kind": "limit_order", "company": company, "side": side, "value": value, "quantity": _shares(form, offer)}


def _standing(form: Filled, offers: Sequence[Offer]) -> Request:
    company, side = _company(form), one_of(form, "side", mark("The side"), ("buy", "sell"), rule="S 5.1")
    offer = offer_of(offers, "standing_order", company=company, side=side)
    limit = whole(form, "value", mark("The limit"), *range_of(offer, "limit", PRICES), rule="standing order")
    request = {"kind": "standing_order", "company": company, "side": side, "limit": limit}
    return request | {"quantity": _shares(form, offer)}


def _short(form: Filled, offers: Sequence[Offer]) -> Request:
    company = _company(form)
    offer = offer_of(offers, "short_order", company=company)
    return {"kind": "short_order", "company": company, "quantity": _shares(form, offer)}


def _option(form: Filled, offers: Sequence[Offer]) -> Request:
    contract = whole(form, "contract", mark("The contract"), *DOLLARS, rule="S 5.7") if form.get("contract") else None
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
    return whole(form, "quantity", mark("The number of shares"), *range_of(offer, "quantity", SHARES), rule="S 5.1")


def _with_bid(request: Request, form: Filled, name: str, offer: Offer | None) -> Request:
    """Add a bid, which only purchases under the bid strategy have. (S 5.3)"""
    if not has_field(offer, "bid"):
        return request
    return request | {"bid": whole(form, name, mark("The bid"), *range_of(offer, "bid", PRICES), rule="S 5.3")}


READERS: dict[str, Callable[[Filled, Sequence[Offer]], Request]] = {
    "market_order": _market,
    "limit_order": _limit,
    "short_order": _short,
    "option_order": _option,
    "standing_order": _standing,
}


def filled_of(request: Mapping[str, Any]) -> Values:
    """The contents of the ticket that show an order."""
    return _option_fields(request) if request["kind"] == "option_order" else _order_fields(request)


def _order_fields(request: Mapping[str, Any]) -> Values:
    plain = {name: [str(request[name])] for name in PLAIN if request.get(name) is not None}
    plain |= {"value": [str(request["limit"])]} if request.get("limit") is not None else {}
    return plain | ({"bid": [str(request["bid"])]} if request.get("bid") is not None else {})


def _option_fields(request: Mapping[str, Any]) -> Values:
    bid = {"contract_bid": [str(request["bid"])]} if request.get("bid") is not None else {}
    return {"kind": ["option_order"], "contract": [str(request.get("contract", ""))]} | bid


def _say_market(request: Mapping[str, Any], view: Any) -> str:
    if request["side"] == "sell":
        return say("sell {quantity} {company}", **_facts(request))
    if not request.get("bid"):
        is_ipo = request["location"] == "ipo"
        return say("buy {quantity} {company} from the IPO" if is_ipo else "buy {quantity} {company}", **_facts(request))
    if request["location"] == "ipo":
        return say("buy {quantity} {company} from the IPO, bidding {bid}", **_facts(request))
    return say("buy {quantity} {company}, bidding {bid}", **_facts(request))


def _facts(request: Mapping[str, Any]) -> dict[str, Any]:
    return {name: request.get(name) for name in ("quantity", "company", "value", "bid", "limit")}


def _say_limit(request: Mapping[str, Any], view: Any) -> str:
    buys = request["side"] == "buy"
    return say(
        "buy {quantity} {company} at {value}" if buys else "sell {quantity} {company} at {value}", **_facts(request)
    )


def _say_standing(request: Mapping[str, Any], view: Any) -> str:
    buys = request["side"] == "buy"
    return say(
        "buy {quantity} {company} up to {limit}" if buys else "sell {quantity} {company} from {limit}",
        **_facts(request),
    )


def _say_short(request: Mapping[str, Any], view: Any) -> str:
    return say("short {quantity} {company}", **_facts(request))


def _say_option(request: Mapping[str, Any], view: Any) -> str:
    contract = next((c for c in view.contracts if c.id == request["contract"]), None)
    if contract is None:
        return say("take an option")
    return say("take the option on {shares} {company}", shares=contract.shares, company=contract.company)


SENTENCES: dict[str, Callable[[Mapping[str, Any], Any], str]] = {
    "market_order": _say_market,
    "limit_order": _say_limit,
    "short_order": _say_short,
    "option_order": _say_option,
    "standing_order": _say_standing,
}
