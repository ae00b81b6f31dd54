"""Covering shorts and exercising contracts. (S 5.6, 5.7)"""

from __future__ import annotations

from typing import Any

import msgspec

from game.dock.shapes import Asked, Option, Preview, Row, Say, Ticket
from game.engine.offers import Offer
from game.engine.phrases import plural, thousands


class Ticks(msgspec.Struct, frozen=True):
    """Rows to tick."""

    name: str
    legend: str
    options: tuple[Option, ...]


def cover(asked: Asked) -> Ticket:
    """Phase 14: buy the borrowed shares back. (S 5.6, A32)"""
    ticked = asked.filled.several("cover")
    rows = tuple(_short(asked, offer, ticked) for offer in asked.of("cover_short"))
    return Ticket("ticks", "Cover a short, or leave it open.", Ticks("cover", "Your open shorts", rows), _cover_preview(asked),
                  "Open shorts", f"Cash {thousands(asked.you.cash)}", "Submit covers", "Leave open")  # fmt: skip


def _order(asked: Asked, number: int) -> Any:
    return next(order for order in asked.view.orders if order.id == number)


def _short(asked: Asked, offer: Offer, ticked: list[str]) -> Option:
    short = _order(asked, offer.fixed["order"])
    price, value = asked.view.company(short.company).price, str(short.id)
    cost, gain = price * short.quantity, (short.price - price) * short.quantity
    detail = f"{short.quantity} × {price}, frees a margin of {short.margin}"
    note = f"{'gain' if gain >= 0 else 'loss'} {thousands(abs(gain))}"
    return Option(value, f"{short.quantity} {short.company}, shorted at {short.price}", detail, thousands(cost), note,
                  value in ticked, offer.refused, offer.rule, gain)  # fmt: skip


def _cover_preview(asked: Asked) -> Preview:
    wanted = [_order(asked, request["order"]) for request in asked.requests if _is_open(asked, request["order"])]
    hint = "Covers resolve by player priority, each at the price of its moment. Every share bought back fills a slot."
    if not wanted:
        return Preview(hint=hint)
    costs = [asked.view.company(short.company).price * short.quantity for short in wanted]
    freed, cash = sum(short.margin for short in wanted), asked.you.cash
    left = cash + freed - sum(costs)
    rows = (
        Row("Cost", thousands(sum(costs))),
        Row("Margin freed", thousands(freed)),
        Row("Cash", thousands(left), thousands(cash)),
    )
    says = (
        (Say(f"Together they cost {sum(costs)}; cash and margins are {cash + freed}. The last ones would be dropped.", "A32"),)
        if left < 0
        else ()
    )
    return Preview("If you cover at today’s prices", rows, says, hint)


def _is_open(asked: Asked, number: int) -> bool:
    return any(offer.fixed["order"] == number and not offer.refused for offer in asked.of("cover_short"))


def exercise(asked: Asked) -> Ticket:
    """Phase 18: collect on own contracts. (S 5.7)"""
    ticked = asked.filled.several("exercise")
    rows = tuple(_contract(asked, offer, ticked) for offer in asked.of("exercise_option"))
    return Ticket("ticks", "Exercise a contract, or keep it.", Ticks("exercise", "Your contracts", rows), _exercise_preview(asked),
                  "Your contracts", f"Cash {thousands(asked.you.cash)}", "Submit exercise", "Keep all")  # fmt: skip


def _contract(asked: Asked, offer: Offer, ticked: list[str]) -> Option:
    contract = next(c for c in asked.view.contracts if c.id == offer.fixed["contract"])
    price, value = asked.view.company(contract.company).price, str(contract.id)
    detail = f"({price} − {contract.strike}) × {contract.shares}, then {plural(contract.bonus, 'step')} up"
    left = contract.turns_left or 0
    note = f"lasts {plural(left, 'more turn')}" if left else "last chance"
    payout = max(price - contract.strike, 0) * contract.shares
    return Option(value, f"{contract.shares} {contract.company}, strike {contract.strike}", detail, thousands(payout), note,
                  value in ticked, offer.refused, offer.rule, 0)  # fmt: skip


def _exercise_preview(asked: Asked) -> Preview:
    ids = {request["contract"] for request in asked.requests}
    wanted = [c for c in asked.view.contracts if c.id in ids and c.owner == asked.view.seat]
    hint = "All exercises are paid against the prices of now; the prices rise afterwards."
    if not wanted:
        return Preview(hint=hint)
    pay = sum(max(asked.view.company(c.company).price - c.strike, 0) * c.shares for c in wanted)
    rows = (Row("You get", thousands(pay)), Row("Cash", thousands(asked.you.cash + pay), thousands(asked.you.cash)))
    return Preview("If you exercise", rows, hint=hint)
