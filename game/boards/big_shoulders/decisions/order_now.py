"""The immediate effect of a standing order given in one’s own turn, and the text of its button. (B-79)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from game.boards.big_shoulders.decisions.course import company_of
from game.boards.decision import Question, Request
from game.engine.language import mark, say
from game.engine.offers import Offer
from game.rulesets.big_shoulders.offers_sale import closed
from game.rulesets.big_shoulders.state import Operation

LATER = mark("Leave the order")
GIVE = "order"
"""The action of a ticket that gives an order."""


def is_giving(question: Question) -> bool:
    """True if the ticket of one’s own turn gives an order."""
    return question.filled.get("act") == GIVE and not question.of("bonus")


def order_send(question: Question) -> str:
    """What the button says in one’s own turn."""
    request = question.request()
    if request is None or request["kind"] not in DOES_NOW:
        return say(LATER)
    return say(DOES_NOW[request["kind"]](question, request) or LATER)


def _stock(question: Question, request: Request) -> str:
    """A purchase within its limit, or the pass that was ordered."""
    if question.view.has_sold:
        return ""
    if any(_is_bought(question, wish) for wish in request["wishes"]):
        return mark("Order, buy and end turn")
    may_deal = any(not closed(offer) for kind in ("buy", "start") for offer in question.of(kind))
    asks = request["otherwise"] == "ask" or (request["otherwise"] == "pass_if_unable" and may_deal)
    return "" if asks or not _is_open(question.of("pass_turn")) else mark("Order, pass and end turn")


def _is_bought(question: Question, wish: Mapping[str, Any]) -> bool:
    names = ("company", "certificate", "place")
    papers = [offer for offer in question.of("buy") if all(offer.fixed[name] == wish[name] for name in names)]
    return _is_open(papers) and company_of(question.view, wish["company"]).price <= wish["price"]


def _is_open(offers: list[Offer]) -> bool:
    return any(not closed(offer) for offer in offers)


def _placements(question: Question, request: Request) -> str:
    if question.view.has_placed:
        return ""
    placed = [(entry["company"], entry["space"]) for entry in request["entries"]]
    there = [offer for offer in question.of("place") if (offer.fixed["company"], offer.fixed["space"]) in placed]
    return mark("Place the first and end turn") if _is_open(there) else ""


def _recipe(question: Question, request: Request) -> str:
    operation = question.view.operation
    return mark("Operate by the recipe") if operation == Operation(request["company"]) else ""


DOES_NOW: Mapping[str, Callable[[Question, Request], str]] = {
    "stock_order": _stock,
    "placements": _placements,
    "recipe": _recipe,
}
