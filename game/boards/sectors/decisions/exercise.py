"""Exercising own contracts. (S 5.7)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.decision import Decision, Filled, Question, Request, Values, named
from game.boards.sectors.decisions.ticks import Ticks, ticked_numbers
from game.boards.shapes import Option, Preview, Row, Ticket
from game.engine.language import count, mark, say
from game.engine.offers import Offer
from game.engine.phrases import thousands


class Exercise(Decision):
    """Phase 18: exercise own contracts, or keep them. (S 5.7)"""

    prompt = mark("Exercise a contract, or keep it")
    names = lists = frozenset({"exercise"})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        numbers = ticked_numbers(form, "exercise", mark("A contract"), "S 5.7")
        return [{"kind": "exercise_option", "contract": number} for number in numbers]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        return named(request, contract="exercise")

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        contract = next((c for c in view.contracts if c.id == request["contract"]), None)
        if contract is None:
            return say("exercise a contract")
        return say("exercise {shares} {company}", shares=contract.shares, company=contract.company)

    def ticket(self, question: Question) -> Ticket:
        ticked = question.filled.several("exercise")
        rows = tuple(_contract(question, offer, ticked) for offer in question.of("exercise_option"))
        return Ticket(
            "boards/sectors/panel/ticks.html",
            say("Exercise a contract, or keep it."),
            Ticks("exercise", say("Your contracts"), rows),
            _exercise_preview(question),
            mark("Your contracts"),
            say("Cash {amount}", amount=thousands(question.you.cash)),
            say("Submit exercise"),
            say("Keep all"),
        )


def _contract(question: Question, offer: Offer, ticked: list[str]) -> Option:
    contract = next(c for c in question.view.contracts if c.id == offer.fixed["contract"])
    price, value = question.view.company(contract.company).price, str(contract.id)
    detail = count(
        "({price} − {strike}) × {shares}, then {n} step up",
        "({price} − {strike}) × {shares}, then {n} steps up",
        contract.bonus,
        price=price,
        strike=contract.strike,
        shares=contract.shares,
    )
    turns = contract.turns_left or 0
    note = count("lasts {n} more turn", "lasts {n} more turns", turns) if turns else say("last chance")
    label = say("{shares} {company}, strike {strike}", shares=contract.shares, company=contract.company,
                strike=contract.strike)  # fmt: skip
    payout = max(price - contract.strike, 0) * contract.shares
    return Option(value, label, detail, thousands(payout), note, value in ticked, offer.refused, offer.rule, 0)


def _exercise_preview(question: Question) -> Preview:
    ids = {request["contract"] for request in question.requests}
    wanted = [c for c in question.view.contracts if c.id in ids and c.owner == question.view.seat]
    hint = say("All contracts pay at the current prices. Prices rise only after that.")
    if not wanted:
        return Preview(hint=hint)
    pay = sum(max(question.view.company(c.company).price - c.strike, 0) * c.shares for c in wanted)
    cash = question.you.cash
    rows = (Row(say("You get"), thousands(pay)), Row(say("Cash"), thousands(cash + pay), thousands(cash)))
    return Preview(say("If you exercise"), rows, hint=hint)
