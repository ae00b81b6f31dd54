"""The turn on one sheet: the tranche vote and the first order, given ahead beside what is asked now. (Decision
*ahead*)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import Request, Values, named
from game.boards.fields import DOLLARS, Filled, has_field, one_of, range_of, whole
from game.boards.sectors.decisions.done import DONE, STOP_ORDERING, done_words
from game.boards.sectors.decisions.order_fields import SENTENCES
from game.boards.shapes import Asked, Cards, Option
from game.engine.language import mark, say
from game.engine.offers import Offer

FIRST, QUANTITY, BID = "first", "first_quantity", "first_bid"
NAMES = frozenset({FIRST, QUANTITY, BID, DONE})
READY = {"ready": True}


class FirstOrder(msgspec.Struct, frozen=True):
    """The first order of the turn, a market order: by company, what can be bought and sold there."""

    groups: tuple[tuple[str, tuple[Option, ...]], ...]
    chosen: str
    quantity: str
    bid: str
    takes_bids: bool


class TurnSheet(msgspec.Struct, frozen=True):
    """What is asked now, then what may be given ahead."""

    now: Cards
    tranches: Cards | None
    first: FirstOrder | None


def read_order(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The first order and the end of ordering, as far as they are chosen. Raises `BadField`."""
    done: list[Request] = [{"kind": STOP_ORDERING}] if form.get(DONE) else []
    if not form.get(FIRST):
        return done
    by_key = {_key(offer.fixed): offer for offer in _market(offers)}
    offer = by_key[one_of(form, FIRST, mark("The first order"), by_key, rule="S 5.3")]
    low, high = range_of(offer, "quantity", (1, DOLLARS[1]))
    request = {"kind": offer.kind, **offer.fixed, **READY}
    request["quantity"] = whole(form, QUANTITY, mark("Shares"), low, high, rule="S 5.3")
    if has_field(offer, "bid"):
        request["bid"] = whole(form, BID, mark("The bid"), *DOLLARS, rule="S 5.3")
    return [request, *done]


def fill_order(request: Mapping[str, Any]) -> Values:
    """What the form holds for it; an order of another kind than the sheet has is not shown in it."""
    if request["kind"] == STOP_ORDERING:
        return {DONE: ["on"]}
    if request["kind"] != "market_order":
        return {}
    bid = named(request, bid=BID) if request.get("bid") else {}
    return {FIRST: [_key(request)], **named(request, quantity=QUANTITY), **bid}


def is_order(request: Mapping[str, Any]) -> bool:
    """Whether a request belongs to the stock round."""
    return request["kind"] in {STOP_ORDERING, *SENTENCES}


def words_of(request: Mapping[str, Any], view: Any) -> str:
    """It in a player's words, as part of a sentence."""
    if request["kind"] == STOP_ORDERING:
        return done_words()
    return say("first {order}", order=SENTENCES[request["kind"]](request, view))


def first_order(asked: Asked) -> FirstOrder | None:
    """The fields of the first order; None where no order can be placed."""
    offers = [offer for offer in _market(asked.offers) if not offer.refused]
    if not offers:
        return None
    chosen, filled = asked.filled.get(FIRST), asked.filled
    groups: dict[str, list[Option]] = {}
    for offer in offers:
        company = asked.view.company(offer.fixed["company"])
        key = _key(offer.fixed)
        groups.setdefault(company.name, []).append(Option(key, offer.label, checked=key == chosen))
    return FirstOrder(
        tuple((name, tuple(options)) for name, options in groups.items()),
        chosen,
        filled.get(QUANTITY) or "1",
        filled.get(BID),
        any(has_field(offer, "bid") for offer in offers),
    )


def _market(offers: Sequence[Offer]) -> list[Offer]:
    return [offer for offer in offers if offer.kind == "market_order"]


def _key(order: Mapping[str, Any]) -> str:
    return f"{order['side']}/{order['location']}/{order['company']}"
