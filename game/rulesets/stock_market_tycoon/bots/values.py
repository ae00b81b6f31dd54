"""The house bot's valuation of each offer of a turn: expected dollars, and the request."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

from game.engine.offers import Choice, Offer, Range
from game.rulesets.stock_market_tycoon import cards
from game.rulesets.stock_market_tycoon.bots.outlook import Outlook
from game.rulesets.stock_market_tycoon.tables import (
    BUYBACK_BLOCK,
    BUYBACK_RISE,
    COMPANIES,
    LOAN,
    LOT,
    RIGHTS_PRICE,
    SUB_ROUNDS,
    Company,
)
from game.rulesets.stock_market_tycoon.view import CompanyView

Request = dict[str, Any]
Valued = tuple[float, Request]
SAFE_SHARE = 0.5  # part of the net worth that a short sale may lose in a bad year
TRUST = 0.7  # part of the promise of another purchase that counts
TENDERED = 0.5  # part of the shares asked for that a buyback gets on average
BAD_YEAR = 1.5  # standard deviations of a price against the short seller


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
            price = outlook.view.company(offer.fixed["company"]).price
            if price and -(-debt // price) <= most_of(offer):
                return {"kind": "sell", **offer.fixed, "shares": -(-debt // price)}
    return None


def _urgency(outlook: Outlook) -> float:
    """The urgency of a card, which can still be played in a later sub-round, except in the last one."""
    return 1.0 if outlook.view.sub_round >= SUB_ROUNDS else 0.6


def _buy(outlook: Outlook, offer: Offer) -> Valued:
    key, shares = offer.fixed["company"], most_of(offer)
    gain = outlook.mean(key) * shares
    return gain * 0.95, {"kind": "buy", **offer.fixed, "shares": shares}


def _sell(outlook: Outlook, offer: Offer) -> Valued:
    """The value of a sale, which avoids an expected fall and frees money for a better purchase."""
    key, shares = offer.fixed["company"], most_of(offer)
    company = outlook.view.company(key)
    gain = -outlook.mean(key) * shares
    if _needs_cash(outlook):
        gain = max(gain, (_best_return(outlook, key) - _return_of(outlook, company)) * shares * company.price * TRUST)
    return gain, {"kind": "sell", **offer.fixed, "shares": shares}


def _needs_cash(outlook: Outlook) -> bool:
    """True if more money could still be used this year, and is a tenth of the net worth at most."""
    return outlook.view.sub_round < SUB_ROUNDS and outlook.me.cash < outlook.me.score / 10


def _best_return(outlook: Outlook, but: Company | None = None) -> float:
    """The best expected return per dollar in the shares of any company but one."""
    return max(_return_of(outlook, company) for company in outlook.view.companies if company.key != but)


def _return_of(outlook: Outlook, company: CompanyView) -> float:
    """The expected return per dollar in a company's shares; 0 if the seat cannot buy them."""
    if not company.price or company.pool < LOT or (company.was_bought and (company.my_sum or 0) < 0):
        return 0.0
    return outlook.mean(company.key) / company.price


def _loan(outlook: Outlook, offer: Offer) -> Valued:
    return LOAN * _urgency(outlook), {"kind": "play_loan"}


def _debenture(outlook: Outlook, offer: Offer) -> Valued:
    key = offer.fixed["company"]
    value = outlook.held(key) * COMPANIES[key].start_price
    return value * _urgency(outlook), {"kind": "play_debenture", **offer.fixed}


def _rights(outlook: Outlook, offer: Offer) -> Valued:
    key, shares = offer.fixed["company"], most_of(offer)
    worth = outlook.view.company(key).price + outlook.mean(key) - RIGHTS_PRICE
    return worth * shares * _urgency(outlook), {"kind": offer.kind, **offer.fixed, "shares": shares}


def _follow(outlook: Outlook, offer: Offer) -> Valued:
    value, request = _rights(outlook, offer)
    return value / _urgency(outlook), request


def _short(outlook: Outlook, offer: Offer) -> Valued:
    """The short sale of as many shares as the seat could still pay for after a bad year."""
    key = offer.fixed["company"]
    fall, spread = -outlook.mean(key), outlook.spread(key)
    bad = BAD_YEAR * spread - fall
    most = most_of(offer)
    if bad > 0:
        most = min(most, int(SAFE_SHARE * max(0, outlook.me.score) / bad) // LOT * LOT)
    return fall * most, {"kind": "sell_short", **offer.fixed, "shares": max(LOT, most)}


def _option(outlook: Outlook, offer: Offer) -> Valued:
    """The option with the larger expected payment, if that exceeds its premium."""
    key, shares = offer.fixed["company"], most_of(offer, 1)
    company = outlook.view.company(key)
    payoffs = {"call": outlook.above(key), "put": outlook.below(key)}
    contract = max(payoffs, key=lambda kind: payoffs[kind])
    gain = payoffs[contract] - company.price * company.rate / 100
    return gain * shares, {"kind": "buy_option", **offer.fixed, "contract": contract, "shares": shares}


def _dividend(outlook: Outlook, offer: Offer) -> Valued:
    """The value of a dividend. The seat gains on its shares if Share Suspended restores the price or the price would
    end at 0 anyway, gains on its puts, loses on its calls, and can invest the money until the end of the year."""
    key, most = offer.fixed["company"], most_of(offer)
    held = outlook.held(key)
    is_restored = cards.SUSPENDED in outlook.me.hand and outlook.view.company(key).last_close >= most
    saved = most / 2 if is_restored and outlook.mean(key) < most else outlook.mean(key, most) - outlook.mean(key)
    gain = saved * held - (outlook.interest(key) - held) * most / 2
    if _needs_cash(outlook):
        gain += max(0.0, _best_return(outlook)) * held * most * TRUST
    return gain, {"kind": "declare_dividend", **offer.fixed, "dividend": most}


def _buyback(outlook: Outlook, offer: Offer) -> Valued:
    """The value of a buyback of whole blocks at a price that some holders will take. It pays if the rise of the seat's
    own shares exceeds the cost."""
    key = offer.fixed["company"]
    price = min(most_of(offer, 1), outlook.view.company(key).price + ceil(outlook.spread(key) / 2))
    shares = min(most_of(offer), outlook.me.cash // price) // BUYBACK_BLOCK * BUYBACK_BLOCK
    gain = BUYBACK_RISE * (shares // BUYBACK_BLOCK) * outlook.interest(key) - price * shares
    return gain * TENDERED, {"kind": "announce_buyback", **offer.fixed, "shares": shares, "price": price}


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
    "announce_buyback": _buyback,
}
