"""The influence bid: points for priority; unused points become money. (S 1.5)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import DOLLARS, Decision, Filled, Question, Request, Values, named, offer_of, range_of, whole
from game.boards.shapes import Preview, Row, Ticket
from game.engine.language import mark, say
from game.engine.offers import Offer, Range
from game.engine.phrases import thousands


class BidForm(msgspec.Struct, frozen=True):
    """Points to bid, with the slider's initial value."""

    points: str
    low: int
    high: int


class Bid(Decision):
    """Phase 1: bid influence points for player priority. (S 1.5)"""

    prompt = mark("Bid influence points for player priority")
    names = frozenset({"points"})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        low, high = range_of(offer_of(offers, "bid_influence"), "points", DOLLARS)
        return [{"kind": "bid_influence", "points": whole(form, "points", mark("The bid"), low, high, rule="S 1.5")}]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        return named(request, points="points")

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return say("bid {points}", points=request["points"])

    def with_defaults(self, question: Question) -> Filled:
        """The bid; the suggested one by default."""
        usual = next((f.suggested for o in question.offers for f in o.fields if isinstance(f, Range)), 0)
        return question.filled if question.filled.several("points") else question.filled.with_(points=str(usual))

    def ticket(self, question: Question) -> Ticket:
        """One field for the points, and what the points that are left pay."""
        field = next(
            (f for o in question.offers for f in o.fields if isinstance(f, Range)), Range("points", "", 0, 50, 0)
        )
        form = BidForm(question.filled.get("points"), field.low, field.high)
        title = say("Bid influence points for player priority, {low} to {high}.", low=field.low, high=field.high)
        hint = say("The highest bid comes first in turn 1. Ties are broken at random.")
        return Ticket(
            "boards/sectors/panel/bid.html",
            title,
            form,
            _bid_preview(question, field.high, hint),
            mark("Influence bid"),
            say("sealed until everyone has bid"),
            say("Submit bid"),
            say("Bid 0"),
        )


def _bid_preview(question: Question, high: int, hint: str) -> Preview:
    request = question.request("bid_influence")
    if request is None:
        return Preview(hint=hint)
    rest, cash = high - request["points"], question.you.cash
    rows = (
        Row(say("Points bid"), thousands(request["points"]), note=say("of {n}", n=high)),
        Row(say("Kept, one dollar each"), f"{high} − {request['points']} = {rest}"),
        Row(say("Cash"), thousands(cash + rest), thousands(cash)),
    )
    return Preview(say("After the bid"), rows, hint=hint)
