"""Covering shorts. (S 5.6)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.decision import Decision, Filled, Question, Request, Values, named
from game.boards.sectors.decisions.ticks import Ticks, ticked_numbers
from game.boards.shapes import Option, Preview, Row, Say, Ticket
from game.engine.language import mark, say
from game.engine.offers import Offer
from game.engine.phrases import thousands


class Cover(Decision):
    """Phase 14: buy the borrowed shares back. (A32)"""

    prompt = mark("Cover a short, or leave it open")
    names = lists = frozenset({"cover"})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        return [
            {"kind": "cover_short", "order": number}
            for number in ticked_numbers(form, "cover", mark("A short"), "S 5.6")
        ]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        return named(request, order="cover")

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        order = next((o for o in view.orders if o.id == request["order"]), None)
        if order is None:
            return say("cover a short")
        return say("cover {quantity} {company}", quantity=order.quantity, company=order.company)

    def ticket(self, question: Question) -> Ticket:
        """Phase 14: buy the borrowed shares back. (S 5.6, A32)"""
        ticked = question.filled.several("cover")
        rows = tuple(_short(question, offer, ticked) for offer in question.of("cover_short"))
        return Ticket(
            "boards/sectors/panel/ticks.html",
            say("Cover a short, or leave it open."),
            Ticks("cover", say("Your open shorts"), rows),
            _cover_preview(question),
            mark("Open shorts"),
            say("Cash {amount}", amount=thousands(question.you.cash)),
            say("Submit covers"),
            say("Leave open"),
        )


def _order(question: Question, number: int) -> Any:
    return next(order for order in question.view.orders if order.id == number)


def _short(question: Question, offer: Offer, ticked: list[str]) -> Option:
    short = _order(question, offer.fixed["order"])
    price, value = question.view.company(short.company).price, str(short.id)
    cost, gain = price * short.quantity, (short.price - price) * short.quantity
    label = say("{quantity} {company}, shorted at {price}", quantity=short.quantity, company=short.company,
                price=short.price)  # fmt: skip
    detail = say("{quantity} × {price}, frees a margin of {margin}", quantity=short.quantity, price=price,
                 margin=short.margin)  # fmt: skip
    note = say("gain {amount}" if gain >= 0 else "loss {amount}", amount=thousands(abs(gain)))
    return Option(value, label, detail, thousands(cost), note, value in ticked, offer.refused, offer.rule, gain)


def _cover_preview(question: Question) -> Preview:
    wanted = [
        _order(question, request["order"]) for request in question.requests if _is_open(question, request["order"])
    ]
    hint = say("Covers resolve in player priority. Each share bought back fills a slot, so later covers can cost more.")
    if not wanted:
        return Preview(hint=hint)
    costs = [question.view.company(short.company).price * short.quantity for short in wanted]
    freed, cash = sum(short.margin for short in wanted), question.you.cash
    cash_after = cash + freed - sum(costs)
    rows = (
        Row(say("Cost"), thousands(sum(costs))),
        Row(say("Margin freed"), thousands(freed)),
        Row(say("Cash"), thousands(cash_after), thousands(cash)),
    )
    too_much = say(
        "Together they cost {cost}; cash and freed margins make {there}. Covers you cannot pay are dropped.",
        cost=sum(costs),
        there=cash + freed,
    )
    says = (Say(too_much, "A32"),) if cash_after < 0 else ()
    return Preview(say("If you cover at today’s prices"), rows, says, hint)


def _is_open(question: Question, number: int) -> bool:
    return any(offer.fixed["order"] == number and not offer.refused for offer in question.of("cover_short"))
