"""The bot for free seats: it values every offer by what its own hand lets it expect, and takes the best."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.engine.chance import Chance
from game.engine.offers import Choice, Offer, Range, Several
from game.engine.ruleset import Offered
from game.rulesets.stock_market_tycoon import cards
from game.rulesets.stock_market_tycoon.bots.outlook import Outlook
from game.rulesets.stock_market_tycoon.tables import (
    COMPANIES,
    LOAN,
    LOT,
    RIGHTS_PRICE,
    SUB_ROUNDS,
    Company,
)
from game.rulesets.stock_market_tycoon.view import CompanyView, TycoonView

Request = dict[str, Any]
Valued = tuple[float, Request]
SAFE_SHARE = 0.5  # of the net worth, that the loss of a short sale may cost in a bad year
BAD_YEAR = 1.5  # spreads of a price against the short seller


def house_bot(view: TycoonView, offered: Offered, chance: Chance) -> list[Request]:
    """One request in a turn, and one for each slot of a sealed phase."""
    offers = [offer for offer in offered() if not offer.refused]
    if not offers or view.phase is None:
        return []
    outlook = Outlook(view)
    if view.phase.name == "trade":
        return [_best_trade(outlook, offers)]
    return [request for offer in offers if (request := DECISIONS[view.phase.name](outlook, offer, offers))]


def company_in(view: TycoonView, key: Company) -> CompanyView:
    return next(company for company in view.companies if company.key == key)


def most_of(offer: Offer, place: int = 0) -> int:
    """The upper end of the number that an offer asks for."""
    field = offer.fields[place]
    assert isinstance(field, Range)
    return field.high


def values_of(offer: Offer) -> list[Any]:
    """What an offer lets choose from."""
    field = offer.fields[0]
    assert isinstance(field, Choice)
    return [value for value, _ in field.values]


def _best_trade(outlook: Outlook, offers: list[Offer]) -> Request:
    debt = outlook.me.debt - outlook.me.cash
    if debt > 0 and (payment := _way_to_pay(offers, outlook, debt)):
        return payment
    valued = [VALUES[offer.kind](outlook, offer) for offer in offers if offer.kind in VALUES]
    best, request = max(valued, key=lambda pair: pair[0], default=(0.0, {}))
    return request if best > 0 else {"kind": "end_turn"}


def _way_to_pay(offers: list[Offer], outlook: Outlook, debt: int) -> Request | None:
    """A loan, or the shares that alone bring the missing money."""
    for offer in offers:
        if offer.kind == "play_loan" and debt <= LOAN:
            return {"kind": offer.kind}
    for offer in offers:
        if offer.kind == "sell":
            price = company_in(outlook.view, offer.fixed["company"]).price
            if price and -(-debt // price) <= most_of(offer):
                return {"kind": "sell", **offer.fixed, "shares": -(-debt // price)}
    return None


def _urgency(outlook: Outlook) -> float:
    """A card can still be played in a later sub-round; in the last one it is now or never."""
    return 1.0 if outlook.view.sub_round >= SUB_ROUNDS else 0.6


def _buy(outlook: Outlook, offer: Offer) -> Valued:
    key, shares = offer.fixed["company"], most_of(offer)
    gain = outlook.mean(key) * shares
    return gain * 0.95, {"kind": "buy", **offer.fixed, "shares": shares}


def _sell(outlook: Outlook, offer: Offer) -> Valued:
    """Avoids an expected fall, and makes room for a better purchase."""
    key, shares = offer.fixed["company"], most_of(offer)
    company = company_in(outlook.view, key)
    gain = -outlook.mean(key) * shares
    if outlook.view.sub_round < SUB_ROUNDS and outlook.me.cash < outlook.me.score / 10:
        better = max(_return_of(outlook, other) for other in outlook.view.companies if other.key != key)
        gain = max(gain, (better - _return_of(outlook, company)) * shares * company.price * 0.7)
    return gain, {"kind": "sell", **offer.fixed, "shares": shares}


def _return_of(outlook: Outlook, company: CompanyView) -> float:
    """What a dollar in a company's shares is expected to bring, as far as the seat may buy them."""
    if not company.price or company.pool < LOT or (company.was_bought and (company.my_sum or 0) < 0):
        return 0.0
    return outlook.mean(company.key) / company.price


def _loan(outlook: Outlook, offer: Offer) -> Valued:
    return LOAN * _urgency(outlook), {"kind": "play_loan"}


def _debenture(outlook: Outlook, offer: Offer) -> Valued:
    key = offer.fixed["company"]
    value = outlook.me.shares.get(key, 0) * COMPANIES[key].start_price
    return value * _urgency(outlook), {"kind": "play_debenture", **offer.fixed}


def _rights(outlook: Outlook, offer: Offer) -> Valued:
    key, shares = offer.fixed["company"], most_of(offer)
    worth = company_in(outlook.view, key).price + outlook.mean(key) - RIGHTS_PRICE
    return worth * shares * _urgency(outlook), {"kind": offer.kind, **offer.fixed, "shares": shares}


def _follow(outlook: Outlook, offer: Offer) -> Valued:
    value, request = _rights(outlook, offer)
    return value / _urgency(outlook), request


def _short(outlook: Outlook, offer: Offer) -> Valued:
    """As many as a bad year leaves the means to pay for."""
    key = offer.fixed["company"]
    fall, spread = -outlook.mean(key), outlook.spread(key)
    bad = BAD_YEAR * spread - fall
    most = most_of(offer)
    if bad > 0:
        most = min(most, int(SAFE_SHARE * max(0, outlook.me.score) / bad) // LOT * LOT)
    return fall * most, {"kind": "sell_short", **offer.fixed, "shares": max(LOT, most)}


def _option(outlook: Outlook, offer: Offer) -> Valued:
    """The kind that is expected to pay more, if it pays its premium."""
    key, shares = offer.fixed["company"], most_of(offer, 1)
    company = company_in(outlook.view, key)
    payoffs = {"call": outlook.above(key), "put": outlook.below(key)}
    contract = max(payoffs, key=lambda kind: payoffs[kind])
    gain = payoffs[contract] - company.price * company.rate / 100
    return gain * shares, {"kind": "buy_option", **offer.fixed, "contract": contract, "shares": shares}


def _dividend(outlook: Outlook, offer: Offer) -> Valued:
    """It pays where a Share Suspended in the own hand brings the price back."""
    key, most = offer.fixed["company"], most_of(offer)
    is_restored = cards.SUSPENDED in outlook.me.hand and company_in(outlook.view, key).last_close >= most
    gain = most * outlook.me.shares.get(key, 0) if is_restored and outlook.mean(key) < most else 0
    return gain * 0.5, {"kind": "declare_dividend", **offer.fixed, "dividend": most}


VALUES: dict[str, Callable[[Outlook, Offer], Valued]] = {
    "buy": _buy,
    "sell": _sell,
    "play_loan": _loan,
    "play_debenture": _debenture,
    "play_rights": _rights,
    "follow_rights": _follow,
    "sell_short": _short,
    "buy_option": _option,
    "declare_dividend": _dividend,
}


def _interest(outlook: Outlook, key: Company) -> int:
    """Shares by which the seat gains from a rise of a dollar: held and called, less sold short and put."""
    view, seat = outlook.view, outlook.view.seat
    short = sum(one.shares for one in view.shorts if (one.seat, one.company) == (seat, key))
    options = sum(
        one.shares if one.kind == "call" else -one.shares
        for one in view.contracts
        if (one.seat, one.company) == (seat, key)
    )
    held: int = outlook.me.shares.get(key, 0)
    return held - short + options


def _withhold(outlook: Outlook, offer: Offer, offers: list[Offer]) -> Request | None:
    """The card that hurts most."""
    stake = _interest(outlook, offer.fixed["company"])
    card = min(values_of(offer), key=lambda card: cards.value_of(card) * stake)
    if cards.value_of(card) * stake >= 0:
        return None
    return {"kind": "withhold", **offer.fixed, "card": card}


def _strike(outlook: Outlook, offer: Offer, offers: list[Offer]) -> Request | None:
    """The card of any player that hurts most; one request for each company."""
    stake = _interest(outlook, offer.fixed["company"])
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
    """The companies whose return to the last year's price brings most."""
    gains = sorted(
        ((row.last_close - row.price) * _interest(outlook, row.key), row.key) for row in outlook.view.companies
    )[::-1]
    (field,) = offer.fields
    assert isinstance(field, Several)
    chosen = [key for gain, key in gains[: field.most] if gain > 0]
    return {"kind": "suspend", "companies": chosen} if chosen else None


def _tender(outlook: Outlook, offer: Offer, offers: list[Offer]) -> Request | None:
    """All shares, if the offer is better than what they are expected to be worth."""
    buyback = outlook.view.buyback
    assert buyback is not None
    worth = company_in(outlook.view, buyback.company).price + outlook.mean(buyback.company)
    shares = most_of(offer) if buyback.price > worth else 0
    return {"kind": "tender", "shares": shares}


def _premium(outlook: Outlook, offer: Offer, offers: list[Offer]) -> Request | None:
    """The lowest: options pay, and the bot buys them too."""
    return {"kind": "set_premium", **offer.fixed, "rate": min(values_of(offer))}


DECISIONS: dict[str, Callable[[Outlook, Offer, list[Offer]], Request | None]] = {
    "premium": _premium,
    "tender": _tender,
    "withhold": _withhold,
    "strike": _strike,
    "suspend": _suspend,
}
