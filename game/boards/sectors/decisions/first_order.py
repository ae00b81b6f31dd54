"""The first stock order of a turn, given ahead: every kind of order in one list. (S 5.1, decision *ahead*)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import DOLLARS, Filled, Question, Request, Values, has_field, named, one_of, range_of, whole
from game.boards.sectors.decisions.order_fields import PRICES, SENTENCES, SHARES
from game.boards.sectors.decisions.ticks import DONE, STOP_ORDERING, done_words
from game.boards.shapes import Option
from game.engine.language import mark, say
from game.engine.offers import Offer, Range

FIRST, QUANTITY, VALUE, BID = "first", "first_quantity", "first_value", "first_bid"
PROPOSED_FOR = "first_for"
NAMES = frozenset({FIRST, QUANTITY, VALUE, BID, PROPOSED_FOR, DONE})
PART = "boards/sectors/panel/_first_prices.html"
READY = {"ready": True}


class FirstOrder(msgspec.Struct, frozen=True):
    """The fields of the first order: the possible orders by company. The limit and the bid were proposed for the order
    that was `chosen` then."""

    groups: tuple[tuple[str, tuple[Option, ...]], ...]
    quantity: str
    value: str
    bid: str
    takes_limits: bool
    takes_bids: bool
    chosen: str


def read_order(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The first order and the end of ordering, if they are chosen. Raises `BadField`."""
    stop: list[Request] = [{"kind": STOP_ORDERING}] if form.get(DONE) else []
    if not form.get(FIRST):
        return stop
    by_key = {_key(offer.kind, offer.fixed): offer for offer in _orders(offers)}
    offer = by_key[one_of(form, FIRST, mark("The first order"), by_key, rule="S 5.1")]
    request = {"kind": offer.kind, **offer.fixed, **READY}
    for field, name, label, usual in (
        ("quantity", QUANTITY, mark("Shares"), SHARES),
        ("value", VALUE, mark("The limit"), PRICES),
        ("limit", VALUE, mark("The limit"), PRICES),
        ("bid", BID, mark("The bid"), DOLLARS),
    ):
        if has_field(offer, field):
            request[field] = whole(form, name, label, *range_of(offer, field, usual), rule="S 5.1")
    return [request, *stop]


def fit_order(form: Filled, offers: Sequence[Offer]) -> Filled:
    """The form after another order was chosen: a limit and a bid are proposed for it, unless they were typed in."""
    key, by_key = form.get(FIRST), {_key(offer.kind, offer.fixed): offer for offer in _orders(offers)}
    if key == form.get(PROPOSED_FOR) or key not in by_key:
        return form
    earlier = _proposed(by_key.get(form.get(PROPOSED_FOR)))
    proposed = {
        name: usual
        for name, usual in _proposed(by_key[key]).items()
        if form.get(name) in {"", earlier.get(name)} and not form.is_newer(name, FIRST)
    }
    return form.with_(**{PROPOSED_FOR: key}, **proposed)


def redrawn(sent: Filled, fitted: Filled) -> list[str]:
    """The template of the limit and the bid, if new ones were proposed."""
    return [PART] if sent.get(PROPOSED_FOR) != fitted.get(PROPOSED_FOR) else []


def _proposed(offer: Offer | None) -> dict[str, str]:
    """The initial limit and bid of an order, if it has them."""
    names = {"value": VALUE, "limit": VALUE, "bid": BID}
    fields = (field for field in (offer.fields if offer else ()) if isinstance(field, Range) and field.name in names)
    return {names[field.name]: str(field.suggested) for field in fields}


def fill_order(request: Mapping[str, Any]) -> Values:
    """The form's values for an earlier request."""
    if request["kind"] == STOP_ORDERING:
        return {DONE: ["on"]}
    names = {"quantity": QUANTITY, "value": VALUE, "limit": VALUE, "bid": BID}
    key = _key(request["kind"], request)
    return {FIRST: [key], PROPOSED_FOR: [key]} | named(
        request, **{name: field for name, field in names.items() if request.get(name)}
    )


def is_order(request: Mapping[str, Any]) -> bool:
    """True if a request belongs to the stock round."""
    return request["kind"] in {STOP_ORDERING, *SENTENCES}


def words_of(request: Mapping[str, Any], view: Any) -> str:
    """A request in a player's words, as part of a sentence."""
    if request["kind"] == STOP_ORDERING:
        return done_words()
    return say("first order: {order}", order=SENTENCES[request["kind"]](request, view))


def first_order(question: Question) -> FirstOrder | None:
    """The fields of the first order; None where no order can be placed."""
    offers = [offer for offer in _orders(question.offers) if not offer.refused]
    if not offers:
        return None
    chosen, filled = question.filled.get(FIRST), question.filled
    groups: dict[str, list[Option]] = {}
    for offer in offers:
        key = _key(offer.kind, offer.fixed)
        groups.setdefault(_company(question, offer), []).append(Option(key, offer.label, checked=key == chosen))
    return FirstOrder(
        tuple((name, tuple(options)) for name, options in groups.items()),
        filled.get(QUANTITY) or "1",
        filled.get(VALUE),
        filled.get(BID),
        any(has_field(offer, "value") or has_field(offer, "limit") for offer in offers),
        any(has_field(offer, "bid") for offer in offers),
        filled.get(PROPOSED_FOR),
    )


def _company(question: Question, offer: Offer) -> str:
    """The name of the company that an order is about."""
    contract = offer.fixed.get("contract")
    ticker = offer.fixed["company"] if contract is None else _of_contract(question.view, contract)
    return str(question.view.company(ticker).name)


def _of_contract(view: Any, number: int) -> str:
    return next(str(contract.company) for contract in view.contracts if contract.id == number)


def _orders(offers: Sequence[Offer]) -> list[Offer]:
    return [offer for offer in offers if offer.kind in SENTENCES]


def _key(kind: str, order: Mapping[str, Any]) -> str:
    """An order's key in the list: the order without its numbers."""
    if kind == "option_order":
        return f"option/{order['contract']}"
    if kind == "short_order":
        return f"short/{order['company']}"
    place = order["location"] if kind == "market_order" else kind.removesuffix("_order")
    return f"{order['side']}/{place}/{order['company']}"
