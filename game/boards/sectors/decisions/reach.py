"""What an order ticket proposes before it is filled in: shares that are available and affordable, or that the reader
can sell. (S 5.1–5.6, R-19)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from game.boards.decision import Filled, offer_of
from game.engine.offers import Offer

BUY, SELL = "buy", "sell"
MARKET_ORDER, LIMIT_ORDER, SHORT_ORDER, OPTION_ORDER = "market_order", "limit_order", "short_order", "option_order"
STANDING_ORDER = "standing_order"
CHOICES = ("kind", "side", "company")  # the ticket's proposals depend on these


def fits(view: Any, offers: Sequence[Offer], kind: str, side: str, company: Any) -> bool:
    """True if, by public figures, one share of this order could be filled for the reader now."""
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
    where = {"company": company.ticker} | ({"side": side} if kind in {LIMIT_ORDER, STANDING_ORDER} else {})
    offer = offer_of(offers, kind, **where)
    if offer is None or offer.refused:
        return False
    if kind == SHORT_ORDER:
        return bool(company.market) and -(-company.price // 2) <= you.cash
    return bool(held) if side == SELL else held < company.cap and usual_limit(company, kind) <= you.cash


def likeliest_company(view: Any, offers: Sequence[Offer], kind: str, side: str) -> str:
    """The company of the reader's last order if it fits; else the first that the reader can float alone, that fits,
    that has a share that the reader may own, that has a share to buy, or that is not bankrupt."""
    last = max((order for order in view.orders if order.seat == view.seat), key=lambda order: order.id, default=None)
    living = [company for company in view.companies if company.status != "bankrupt"]
    floating = (company for company in living if shares_to_float(view, kind, side, company))
    fitting = [company for company in living if fits(view, offers, kind, side, company)]
    same = (company for company in fitting if last and company.ticker == last.company)
    on_sale = [company for company in living if company.ipo or company.market]
    held = view.player(view.seat).holdings
    below_cap = (company for company in on_sale if held.get(company.ticker, 0) < company.cap)
    groups = (same, floating, fitting, below_cap, on_sale, living)
    return next((str(company.ticker) for several in groups for company in several), "")


def can_buy(view: Any, offers: Sequence[Offer]) -> bool:
    """True if a share of some company could be bought for the reader now."""
    living = (company for company in view.companies if company.status != "bankrupt")
    return any(fits(view, offers, MARKET_ORDER, BUY, company) for company in living)


def shares_to_float(view: Any, kind: str, side: str, company: Any) -> int:
    """The shares with which this order floats the company; 0 if the reader cannot buy them all. (S 5.4)"""
    you, needs = view.player(view.seat), int(company.float_needs)
    if (kind, side) != (MARKET_ORDER, BUY) or company.is_floated:
        return 0
    most = min(you.cash // company.ipo_price, company.ipo, company.cap - you.holdings.get(company.ticker, 0))
    return needs if needs <= most else 0


def usual_quantity(view: Any, kind: str, side: str, company: Any) -> str:
    """The shares that a new ticket proposes: those that float the company, else one."""
    return str(shares_to_float(view, kind, side, company) or 1)


def likely_place(view: Any, company: Any) -> str:
    """Where the reader can afford a share that is for sale; if nowhere, where shares are usually sold."""
    usual = "market" if company.is_floated and (company.market or not company.ipo) else "ipo"
    return next(_within_reach(view, company), usual)


def usual_limit(company: Any, kind: str) -> int:
    """The limit that a new ticket proposes: the price for a standing order, else just below it."""
    return int(company.price) if kind == STANDING_ORDER else max(company.price - 1, 1)


def refit(filled: Filled, view: Any, offers: Sequence[Offer]) -> Filled:
    """The form after a change of company, side or kind: values that were proposed for the old choice are replaced
    by those for the new one; what the reader has entered since stays."""
    sent = {company.ticker: company for company in view.companies}
    before, ticker = sent.get(filled.get("drawn_for")), filled.get("company")
    if view.seat is None or before is None or ticker not in sent:
        return filled
    kind, side = filled.get("kind"), filled.get("side")
    is_left_alone = before is sent[ticker] and filled.get("drawn_as") not in {"", drawn_as(filled)}
    is_left_alone &= not filled.is_newer("company", "kind", "side")
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
        place = filled.get("location") if filled.is_newer("location", *CHOICES) else likely_place(view, now)
        changes["location"] = place
        changes |= {"bid": str(now.price if place == "market" else now.ipo_price)} if filled.get("bid") else {}
    if filled.get("value") in {str(usual_limit(before, each)) for each in (LIMIT_ORDER, STANDING_ORDER)}:
        changes["value"] = str(usual_limit(now, kind))
    was_kind, _, was_side = (filled.get("drawn_as") or drawn_as(filled)).partition("/")
    sells_another = (
        side == SELL and kind in {MARKET_ORDER, LIMIT_ORDER, STANDING_ORDER} and ticker != filled.get("company")
    )
    if sells_another or filled.get("quantity") == usual_quantity(view, was_kind, was_side, before):
        changes["quantity"] = usual_quantity(view, kind, side, now)
    fitted = {name: value for name, value in changes.items() if not filled.is_newer(name, *CHOICES)}
    return filled.with_(**fitted)


def drawn_as(filled: Filled) -> str:
    """The kind and side for which a ticket was rendered, as one value of the form."""
    return f"{filled.get('kind')}/{filled.get('side')}"


def _within_reach(view: Any, company: Any) -> Iterator[str]:
    """The places where the reader can afford a share that is for sale, the cheaper first; an IPO above the stock price
    is left out."""
    cash = view.player(view.seat).cash
    if company.ipo and company.ipo_price <= cash and not (company.is_floated and company.ipo_price >= company.price):
        yield "ipo"
    if company.is_floated and company.market and company.price <= cash:
        yield "market"
    if company.ipo and company.is_floated and company.ipo_price == company.price <= cash:
        yield "ipo"
