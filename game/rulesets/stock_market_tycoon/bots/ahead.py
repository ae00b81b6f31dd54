"""Bots for measurements: they decide turns ahead by the house bot's valuation, so that others need not wait."""

from __future__ import annotations

import msgspec

from game.engine.chance import Chance
from game.engine.language import mark
from game.engine.offers import Flag, Offer, Queue, Range
from game.engine.ruleset import Bot, Offered, TimeSaver
from game.rulesets.stock_market_tycoon.bots.outlook import Outlook
from game.rulesets.stock_market_tycoon.bots.values import VALUES, Request, values_of, way_to_pay
from game.rulesets.stock_market_tycoon.view import TycoonView

MOST_PLANNED = 8


def listed(outlook: Outlook, offer: Offer) -> Request:
    """A plan or a list: the worthwhile entries, best first, then a pass."""
    (queue,) = (field for field in offer.fields if isinstance(field, Queue))
    valued = [(*VALUES[each.kind](outlook, _as_now(each)), each) for each in queue.offers if each.kind in VALUES]
    debt = outlook.me.debt - outlook.me.cash
    payment = way_to_pay([_as_now(each) for each in queue.offers], outlook, debt) if debt > 0 else None
    best = sorted((entry for entry in valued if entry[0] > 0), key=lambda entry: -entry[0])[:MOST_PLANNED]
    last = next(each for each in queue.offers if each.kind == "end_turn")
    entries = [payment] if payment else []
    entries += [_with_terms(request, each) for _, request, each in best] + [_with_terms({"kind": last.kind}, last)]
    return {"kind": offer.kind, "entries": entries}


def _as_now(entry: Offer) -> Offer:
    """The entry with at most the number of shares that is possible now, which the offer suggests."""
    fields = tuple(
        msgspec.structs.replace(field, high=field.suggested)
        if isinstance(field, Range) and field.name == "shares"
        else field
        for field in entry.fields
    )
    return msgspec.structs.replace(entry, fields=fields)


def _with_terms(request: Request, entry: Offer) -> Request:
    terms: Request = {}
    for field in entry.fields:
        if isinstance(field, Flag):
            terms["is_up_to"] = True
    return request | terms


def _plans(bot: Bot) -> Bot:
    """A bot that files a plan whenever it visits, and lets it act."""

    def use(view: TycoonView, offered: Offered, chance: Chance) -> list[Request]:
        if view.phase is None or view.phase.name != "trade" or view.seat is None:
            return bot(view, offered, chance)
        plans = [offer for offer in offered() if offer.kind == "plan" and not offer.refused]
        is_acting = view.acting_seat == view.seat
        if not plans or (is_acting and view.player(view.seat).debt):
            return bot(view, offered, chance)
        return [listed(Outlook(view), plans[0]), *([] if is_acting else bot(view, offered, chance))]

    return use


def _stands(bot: Bot) -> Bot:
    """A bot that gives standing answers whenever it visits."""

    def use(view: TycoonView, offered: Offered, chance: Chance) -> list[Request]:
        requests = bot(view, offered, chance)
        if view.phase is None or view.phase.name not in {"trade", "orders"}:
            return requests
        outlook = Outlook(view)
        return [*(request for offer in offered() if (request := _standing(outlook, offer))), *requests]

    return use


def _standing(outlook: Outlook, offer: Offer) -> Request | None:
    match offer.kind:
        case "keep_withholding" | "keep_striking":
            return {"kind": offer.kind, "card": "lowest"}
        case "keep_premium":
            return {"kind": offer.kind, "rate": min(values_of(offer))}
        case "limit_tender":
            company = offer.fixed["company"]
            price = next(row.price for row in outlook.view.companies if row.key == company)
            worth = max(0, int(price + outlook.mean(company)))
            held = outlook.me.shares.get(company, 0)
            return {"kind": offer.kind, **offer.fixed, "shares": held, "price": worth + 1}
    return None


TIME_SAVERS = {
    "plan": TimeSaver(mark("Plan for the year"), _plans),
    "standing": TimeSaver(mark("Standing answers"), _stands),
}
