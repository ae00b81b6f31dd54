"""What each phase's form asks for, as typed requests; the rules have the last word on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from game.engine.offers import Offer, Several, Split
from game.forms.fields import BadField, Filled, has_field, offer_of, one_of, range_of, whole
from game.rulesets.sectors.tables.common import HEADLINE_SLOTS, LARGEST_NUMBER

Request = dict[str, Any]
Reader = Callable[[Filled, Sequence[Offer]], list[Request]]

SHARES, PRICES, DOLLARS = (1, LARGEST_NUMBER), (1, LARGEST_NUMBER), (0, LARGEST_NUMBER)
MOST_ROWS = 40


def read(phase: str, form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The requests a form makes in a phase; an empty list asks for nothing. Raises `BadField`."""
    reader = READERS.get(phase)
    return reader(form, offers) if reader else []


def _bid(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    low, high = range_of(offer_of(offers, "bid_influence"), "points", DOLLARS)
    return [{"kind": "bid_influence", "points": whole(form, "points", "The bid", low, high, rule="S 1.5")}]


def _pledge(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    if not form.get("headline"):
        return []
    return [{"kind": "pledge_headline", "headline": whole(form, "headline", "The headline", 1, HEADLINE_SLOTS, rule="S 1.10")}]


def _tranche(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    if not form.get("tranche"):
        return []
    return [{"kind": "vote_tranche", "tranche": whole(form, "tranche", "The tranche", 1, max(len(offers), 1), rule="S 7.9")}]


def _distribution(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    split = next((field for offer in offers for field in offer.fields if isinstance(field, Split)), Split("cash", "Cash", 0, ()))
    given = {str(seat): form.get(f"cash_{seat}") for seat in split.seats}
    cash = {seat: whole(form, f"cash_{seat}", "A player’s cash", 0, split.total, rule="S 7.9") for seat, text in given.items() if text}
    if sum(cash.values()) > split.total:
        raise BadField("cash", f"The tranche holds {split.total}; you have given {sum(cash.values())}.", "S 7.9")
    request: Request = {"kind": "distribute_tranche", "cash": {seat: amount for seat, amount in cash.items() if amount}}
    return [request | {name: form.get(name) for name in ("prestige_to", "ability_to") if form.get(name)}]


def _order(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    kind = one_of(form, "kind", "The kind of order", ORDERS, rule="S 5.1")
    return [ORDERS[kind](form, offers)]


def _market(form: Filled, offers: Sequence[Offer]) -> Request:
    company, side = _company(form), one_of(form, "side", "The side", ("buy", "sell"), rule="S 5.1")
    location = "market" if side == "sell" else one_of(form, "location", "From", ("market", "ipo"), rule="S 5.1")
    offer = offer_of(offers, "market_order", company=company, side=side, location=location)
    request = {"kind": "market_order", "company": company, "side": side, "location": location, "quantity": _shares(form, offer)}
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


def _covers(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    return [{"kind": "cover_short", "order": number} for number in _numbers(form, "cover", "A short", "S 5.6")]


def _exercises(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    return [{"kind": "exercise_option", "contract": number} for number in _numbers(form, "exercise", "A contract", "S 5.7")]


def _numbers(form: Filled, name: str, label: str, rule: str) -> list[int]:
    ticked = list(dict.fromkeys(form.several(name)))[:MOST_ROWS]
    return [whole(Filled({name: [text]}), name, label, *DOLLARS, rule=rule) for text in ticked]


def _revenue(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    voted = [ticker for ticker in form.under("vote_")[:MOST_ROWS] if form.get(f"vote_{ticker}")]
    choices = ("full", "half", "retain")
    return [
        {"kind": "vote_revenue", "company": ticker, "choice": one_of(form, f"vote_{ticker}", ticker, choices, rule="S 6.5")}
        for ticker in voted
    ]


def _ballots(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    return [_ballot(form, ticker, offer_of(offers, "vote_actions", company=ticker)) for ticker in form.under("actions_")[:MOST_ROWS]]


def _ballot(form: Filled, ticker: str, offer: Offer | None) -> Request:
    actions = list(dict.fromkeys(form.several(f"actions_{ticker}")))
    most = next((field.most for field in offer.fields if isinstance(field, Several)), 3) if offer else 3
    if len(actions) > most:
        noun = "action" if most == 1 else "different actions"
        raise BadField(f"actions_{ticker}", f"{ticker} takes up to {most} {noun}; you ticked {len(actions)}.", "S 6.7")
    request: Request = {"kind": "vote_actions", "company": ticker, "actions": actions}
    return request | ({"ready": True} if form.get(f"ready_{ticker}") and has_field(offer, "ready") else {})


def _contribution(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    offer = offer_of(offers, "contribute")
    cash = whole(form, "cash", "The cash", *range_of(offer, "cash", DOLLARS), rule="S 6.12") if form.get("cash") else 0
    shares = whole(form, "shares", "The number of shares", *range_of(offer, "shares", DOLLARS), rule="S 6.12") if form.get("shares") else 0
    gift: list[Request] = [{"kind": "contribute", "cash": cash, "shares": shares}] if cash or shares else []
    # The gift goes last: it may close the phase.
    return [*_ballots(form, offers), *gift]


ORDERS: dict[str, Callable[[Filled, Sequence[Offer]], Request]] = {
    "market_order": _market,
    "limit_order": _limit,
    "short_order": _short,
    "option_order": _option,
}
READERS: dict[str, Reader] = {
    "influence_bid": _bid,
    "start_turn": _pledge,
    "tranche_vote": _tranche,
    "tranche_distribution": _distribution,
    "stock_orders": _order,
    "cover_shorts": _covers,
    "exercise_options": _exercises,
    "revenue_vote": _revenue,
    "company_vote": _ballots,
    "contributions": _contribution,
}
