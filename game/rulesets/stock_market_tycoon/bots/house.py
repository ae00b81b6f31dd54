"""The bot for free seats: it values every offer by the expectations from its own hand, and takes the best."""

from __future__ import annotations

from collections.abc import Callable

from game.engine.chance import Chance
from game.engine.offers import Offer, Several
from game.engine.ruleset import Offered
from game.rulesets.stock_market_tycoon import cards
from game.rulesets.stock_market_tycoon.bots.ahead import listed
from game.rulesets.stock_market_tycoon.bots.outlook import Outlook
from game.rulesets.stock_market_tycoon.bots.values import VALUES, Request, most_of, values_of, way_to_pay
from game.rulesets.stock_market_tycoon.view import TycoonView


def house_bot(view: TycoonView, offered: Offered, chance: Chance) -> list[Request]:
    """One request in a turn, and one for each slot of a sealed phase."""
    offers = [offer for offer in offered() if not offer.refused]
    return decide(Outlook(view), offers) if offers and view.phase else []


def decide(outlook: Outlook, offers: list[Offer]) -> list[Request]:
    """The requests that promise most by these expectations. No offer is refused."""
    view = outlook.view
    assert view.phase is not None
    if view.phase.name == "trade":
        return [_best_trade(outlook, offers)] if view.acting_seat == view.seat else []
    if view.phase.name == "orders":
        return [listed(outlook, offer) for offer in offers if offer.kind == "batch"]
    kind, answer = DECISIONS[view.phase.name]
    own = [offer for offer in offers if offer.kind == kind]
    return [request for offer in own if (request := answer(outlook, offer, own))]


def _best_trade(outlook: Outlook, offers: list[Offer]) -> Request:
    debt = outlook.me.debt - outlook.me.cash
    if debt > 0 and (payment := way_to_pay(offers, outlook, debt)):
        return payment
    valued = [VALUES[offer.kind](outlook, offer) for offer in offers if offer.kind in VALUES]
    best, request = max(valued, key=lambda pair: pair[0], default=(0.0, {}))
    return request if best > 0 else {"kind": "end_turn"}


def _withhold(outlook: Outlook, offer: Offer, offers: list[Offer]) -> Request | None:
    """Withhold the card that hurts most."""
    stake = outlook.interest(offer.fixed["company"])
    card = min(values_of(offer), key=lambda card: cards.value_of(card) * stake)
    if cards.value_of(card) * stake >= 0:
        return None
    return {"kind": "withhold", **offer.fixed, "card": card}


def _strike(outlook: Outlook, offer: Offer, offers: list[Offer]) -> Request | None:
    """Strike the card of any player that hurts most, in one request for each company."""
    stake = outlook.interest(offer.fixed["company"])
    choices = [
        (cards.value_of(card) * stake, one.fixed["owner"], card)
        for one in offers
        if one.slot == offer.slot
        for card in values_of(one)
    ]
    damage, owner, card = min(choices)
    if damage >= 0 or owner != offer.fixed["owner"]:
        return None
    return {"kind": "strike", **offer.fixed, "card": card}


def _suspend(outlook: Outlook, offer: Offer, offers: list[Offer]) -> Request | None:
    """Suspend the companies whose return to last year's price gains most."""
    gains = sorted(
        ((row.last_close - row.price) * outlook.interest(row.key), row.key) for row in outlook.view.companies
    )[::-1]
    (field,) = offer.fields
    assert isinstance(field, Several)
    chosen = [key for gain, key in gains[: field.most] if gain > 0]
    return {"kind": "suspend", "companies": chosen} if chosen else None


def _tender(outlook: Outlook, offer: Offer, offers: list[Offer]) -> Request | None:
    """Tender all shares, if the offer exceeds their expected worth."""
    buyback = outlook.view.buyback
    assert buyback is not None
    worth = outlook.view.company(buyback.company).price + outlook.mean(buyback.company)
    shares = most_of(offer) if buyback.price > worth else 0
    return {"kind": "tender", "shares": shares}


def _premium(outlook: Outlook, offer: Offer, offers: list[Offer]) -> Request | None:
    """Set the lowest premium: options pay, and the bot buys them too."""
    return {"kind": "set_premium", **offer.fixed, "rate": min(values_of(offer))}


DECISIONS: dict[str, tuple[str, Callable[[Outlook, Offer, list[Offer]], Request | None]]] = {
    "premium": ("set_premium", _premium),
    "tender": ("tender", _tender),
    "withhold": ("withhold", _withhold),
    "strike": ("strike", _strike),
    "suspend": ("suspend", _suspend),
}
"""The function that decides each sealed phase."""
