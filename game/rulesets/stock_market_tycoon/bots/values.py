"""The house bot's valuation of each offer of a turn: expected dollars, and the request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.engine.offers import Choice, Offer, Range
from game.rulesets.stock_market_tycoon import cards
from game.rulesets.stock_market_tycoon.bots.outlook import Outlook
from game.rulesets.stock_market_tycoon.tables import COMPANIES, LOAN, LOT, RIGHTS_PRICE, SUB_ROUNDS, Company
from game.rulesets.stock_market_tycoon.view import CompanyView, TycoonView

Request = dict[str, Any]
Valued = tuple[float, Request]
SAFE_SHARE = 0.5  # of the net worth, that the loss of a short sale may cost in a bad year
BAD_YEAR = 1.5  # spreads of a price against the short seller


def company_in(view: TycoonView, key: Company) -> CompanyView:
    return next(company for company in view.companies if company.key == key)


def most_of(offer: Offer, place: int = 0) -> int:
    """The upper end of an offer's number."""
    field = offer.fields[place]
    assert isinstance(field, Range)
    return field.high


def values_of(offer: Offer) -> list[Any]:
    """The values from which an offer lets the seat choose."""
    field = offer.fields[0]
    assert isinstance(field, Choice)
    return [value for value, _ in field.values]


def way_to_pay(offers: list[Offer], outlook: Outlook, debt: int) -> Request | None:
    """A loan, or the shares of one company that alone bring the missing money."""
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
    """How urgent a card is: it can still be played in a later sub-round; in the last one it is now or never."""
    return 1.0 if outlook.view.sub_round >= SUB_ROUNDS else 0.6


def _buy(outlook: Outlook, offer: Offer) -> Valued:
    key, shares = offer.fixed["company"], most_of(offer)
    gain = outlook.mean(key) * shares
    return gain * 0.95, {"kind": "buy", **offer.fixed, "shares": shares}


def _sell(outlook: Outlook, offer: Offer) -> Valued:
    """Avoids an expected fall, and frees money for a better purchase."""
    key, shares = offer.fixed["company"], most_of(offer)
    company = company_in(outlook.view, key)
    gain = -outlook.mean(key) * shares
    if outlook.view.sub_round < SUB_ROUNDS and outlook.me.cash < outlook.me.score / 10:
        better = max(_return_of(outlook, other) for other in outlook.view.companies if other.key != key)
        gain = max(gain, (better - _return_of(outlook, company)) * shares * company.price * 0.7)
    return gain, {"kind": "sell", **offer.fixed, "shares": shares}


def _return_of(outlook: Outlook, company: CompanyView) -> float:
    """The expected return per dollar in a company's shares, as far as the seat can buy them."""
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
    """As many as the seat could still pay for after a bad year."""
    key = offer.fixed["company"]
    fall, spread = -outlook.mean(key), outlook.spread(key)
    bad = BAD_YEAR * spread - fall
    most = most_of(offer)
    if bad > 0:
        most = min(most, int(SAFE_SHARE * max(0, outlook.me.score) / bad) // LOT * LOT)
    return fall * most, {"kind": "sell_short", **offer.fixed, "shares": max(LOT, most)}


def _option(outlook: Outlook, offer: Offer) -> Valued:
    """The kind with the larger expected payment, if that exceeds its premium."""
    key, shares = offer.fixed["company"], most_of(offer, 1)
    company = company_in(outlook.view, key)
    payoffs = {"call": outlook.above(key), "put": outlook.below(key)}
    contract = max(payoffs, key=lambda kind: payoffs[kind])
    gain = payoffs[contract] - company.price * company.rate / 100
    return gain * shares, {"kind": "buy_option", **offer.fixed, "contract": contract, "shares": shares}


def _dividend(outlook: Outlook, offer: Offer) -> Valued:
    """Worthwhile if a Share Suspended in the own hand restores the price."""
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
