"""What an order ticket proposes: shares that can be had and paid, or that the reader holds to sell. (S 5.1–5.6,
R-19)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from game.boards.decision import Filled, offer_of
from game.engine.offers import Offer

BUY, SELL = "buy", "sell"
MARKET_ORDER, LIMIT_ORDER, SHORT_ORDER, OPTION_ORDER = "market_order", "limit_order", "short_order", "option_order"


def fits(view: Any, offers: Sequence[Offer], kind: str, side: str, company: Any) -> bool:
    """Whether the reader could have one share of this order filled today, as far as everybody can see."""
    you = view.player(view.seat)
    held = you.holdings.get(company.ticker, 0)
    if kind == OPTION_ORDER:
        return True
    if kind == MARKET_ORDER:
        return (
            bool(held) and company.is_floated
            if side == SELL
            else held < company.cap and any(_within_reach(view, company))
        )
    where = {"company": company.ticker} | ({"side": side} if kind == LIMIT_ORDER else {})
    offer = offer_of(offers, kind, **where)
    if offer is None or offer.refused:
        return False
    if kind == SHORT_ORDER:
        return bool(company.market) and -(-company.price // 2) <= you.cash
    return bool(held) if side == SELL else held < company.cap and usual_limit(company) <= you.cash


def likeliest(view: Any, offers: Sequence[Offer], kind: str, side: str) -> str:
    """The first company that fits; else one with a share to buy, else one that lives."""
    living = [company for company in view.companies if company.status != "bankrupt"]
    fitting = (company for company in living if fits(view, offers, kind, side, company))
    on_sale = (company for company in living if company.ipo or company.market)
    return next((str(company.ticker) for several in (fitting, on_sale, living) for company in several), "")


def likeliest_side(view: Any, offers: Sequence[Offer]) -> str:
    """To buy, or to sell for who can buy nothing and holds something."""
    for side in (BUY, SELL):
        if any(
            fits(view, offers, MARKET_ORDER, side, company)
            for company in view.companies
            if company.status != "bankrupt"
        ):
            return side
    return BUY


def likely_place(view: Any, company: Any) -> str:
    """Where a share is for sale that the reader can pay; else where there would be one."""
    usual = "market" if company.is_floated and (company.market or not company.ipo) else "ipo"
    return next(_within_reach(view, company), usual)


def usual_limit(company: Any) -> int:
    """The limit that a fresh ticket proposes: just below the price."""
    return max(company.price - 1, 1)


def refit(filled: Filled, view: Any, offers: Sequence[Offer]) -> Filled:
    """The form after another company, side or kind was chosen: what it proposed for the old choice is proposed anew for
    the new one."""
    sent = {company.ticker: company for company in view.companies}
    before, ticker = sent.get(filled.get("drawn_for")), filled.get("company")
    if view.seat is None or before is None or ticker not in sent:
        return filled
    kind, side = filled.get("kind"), filled.get("side")
    is_left_alone = before is sent[ticker] and filled.get("drawn_as") not in {"", drawn_as(filled)}
    if is_left_alone and not fits(view, offers, kind, side, sent[ticker]):
        ticker = next(
            (
                t
                for t, company in sent.items()
                if company.status != "bankrupt" and fits(view, offers, kind, side, company)
            ),
            ticker,
        )
    now, changes = sent[ticker], {"company": ticker}
    if now is not before:
        changes["location"] = place = likely_place(view, now)
        changes |= {"bid": str(now.price if place == "market" else now.ipo_price)} if filled.get("bid") else {}
        changes |= {"value": str(usual_limit(now))} if filled.get("value") == str(usual_limit(before)) else {}
    if side == SELL and kind in {MARKET_ORDER, LIMIT_ORDER} and ticker != filled.get("company"):
        changes["quantity"] = "1"
    return filled.with_(**changes)


def drawn_as(filled: Filled) -> str:
    """The kind and side that a ticket was drawn for, as one word of the form."""
    return f"{filled.get('kind')}/{filled.get('side')}"


def _within_reach(view: Any, company: Any) -> Iterator[str]:
    """The places where a share is for sale that the reader can pay, the cheaper first; an IPO that asks more than the
    stock price is none of them."""
    cash = view.player(view.seat).cash
    if company.ipo and company.ipo_price <= cash and not (company.is_floated and company.ipo_price >= company.price):
        yield "ipo"
    if company.is_floated and company.market and company.price <= cash:
        yield "market"
    if company.ipo and company.is_floated and company.ipo_price == company.price <= cash:
        yield "ipo"
