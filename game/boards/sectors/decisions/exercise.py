"""Collecting on own contracts. (S 5.7)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.decision import Decision, Request, Values, named
from game.boards.fields import Filled
from game.boards.sectors.decisions.ticks import Ticks, ticked_numbers
from game.boards.shapes import Asked, Option, Preview, Row, Ticket
from game.engine.offers import Offer
from game.engine.phrases import plural, thousands


class Exercise(Decision):
    """Phase 18."""

    prompt = "Exercise a contract, or keep it"
    names = lists = frozenset({"exercise"})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        numbers = ticked_numbers(form, "exercise", "A contract", "S 5.7")
        return [{"kind": "exercise_option", "contract": number} for number in numbers]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        return named(request, contract="exercise")

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        contract = next((c for c in view.contracts if c.id == request["contract"]), None)
        return f"exercise {contract.shares} {contract.company}" if contract else "exercise a contract"

    def ticket(self, asked: Asked) -> Ticket:
        """Phase 18: collect on own contracts. (S 5.7)"""
        ticked = asked.filled.several("exercise")
        rows = tuple(_contract(asked, offer, ticked) for offer in asked.of("exercise_option"))
        return Ticket(
            "boards/sectors/panel/ticks.html",
            "Exercise a contract, or keep it.",
            Ticks("exercise", "Your contracts", rows),
            _exercise_preview(asked),
            "Your contracts",
            f"Cash {thousands(asked.you.cash)}",
            "Submit exercise",
            "Keep all",
        )


def _contract(asked: Asked, offer: Offer, ticked: list[str]) -> Option:
    contract = next(c for c in asked.view.contracts if c.id == offer.fixed["contract"])
    price, value = asked.view.company(contract.company).price, str(contract.id)
    detail = f"({price} − {contract.strike}) × {contract.shares}, then {plural(contract.bonus, 'step')} up"
    left = contract.turns_left or 0
    note = f"lasts {plural(left, 'more turn')}" if left else "last chance"
    payout = max(price - contract.strike, 0) * contract.shares
    return Option(value, f"{contract.shares} {contract.company}, strike "
        f"{contract.strike}", detail, thousands(payout), note,
                  value in ticked, offer.refused, offer.rule, 0)  # fmt: skip


def _exercise_preview(asked: Asked) -> Preview:
    ids = {request["contract"] for request in asked.requests}
    wanted = [c for c in asked.view.contracts if c.id in ids and c.owner == asked.view.seat]
    hint = "All contracts pay at the current prices. Prices rise only after that."
    if not wanted:
        return Preview(hint=hint)
    pay = sum(max(asked.view.company(c.company).price - c.strike, 0) * c.shares for c in wanted)
    rows = (Row("You get", thousands(pay)), Row("Cash", thousands(asked.you.cash + pay), thousands(asked.you.cash)))
    return Preview("If you exercise", rows, hint=hint)
