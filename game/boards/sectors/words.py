"""Parts of the view as text: company needs, orders, headlines."""

from collections.abc import Sequence
from typing import Any

from game.engine.language import count, mark, say
from game.engine.phrases import inside, listed

LIVE = ("pending", "open", "filled_pending_settlement")
BOUGHT = ("option", "open")
SEALED = {
    "ipo": mark("{company}, in the IPO: still sealed"),
    "market": mark("{company}, in the open market: still sealed"),
    "derivatives": mark("{company}, in the derivatives market: still sealed"),
}
ORDERS = {
    "short": mark("Short {shares} {company}"),
    "option": mark("Option on {shares} {company}"),
    "limit buy": mark("Limit: buy {shares} {company}"),
    "limit sell": mark("Limit: sell {shares} {company}"),
    "buy ipo": mark("Buy {shares} {company} from the IPO"),
    "buy": mark("Buy {shares} {company}"),
    "sell": mark("Sell {shares} {company}"),
}


def company_note(company: Any) -> str:
    """The most important note about a company."""
    if company.status == "insolvent":
        return say("Needs {amount} in contributions", amount=company.shortfall)
    if company.status == "inactive":
        return count("{n} more share to float", "{n} more shares to float", company.float_needs)
    if company.is_acting:
        return say("Acting now" if company.has_acted else "Votes now")
    if company.done:
        return say("Did: {actions}", actions=listed(inside(title) for title in company.done))
    return say("Has a loan") if company.has_loan else ""


def throughput_words(company: Any) -> str:
    """The effect of the gap between supply and demand."""
    if company.throughput_steps:
        return count("price falls {n} step", "price falls {n} steps", company.throughput_steps)
    return say("no effect" if company.throughput else "cost halved")


def queued_companies(view: Any) -> list[Any]:
    """The companies of this operating round, in order."""
    return [view.company(ticker) for ticker in view.queue]


def queue_words(company: Any) -> str:
    if company.is_acting and company.has_acted:
        return say("acting now")
    if company.is_acting:
        return say("needs money" if company.status == "insolvent" else "votes now")
    if company.has_acted:
        return listed(map(say, company.done)) if company.done else say("did nothing")
    return say("to come")


def live_orders(orders: Sequence[Any]) -> list[Any]:
    """Orders that are still pending; a contract that was bought is listed with the contracts."""
    return [order for order in orders if order.status in LIVE and (order.kind, order.status) != BOUGHT]


def order_words(order: Any) -> str:
    """An order, without what the reader may not know."""
    if order.kind is None:
        return say(SEALED.get(order.location, "{company}"), company=order.company)
    kind = order.kind
    if kind == "limit":
        kind = f"limit {order.side}"
    elif kind not in ORDERS:
        kind = "buy ipo" if (order.side, order.location) == ("buy", "ipo") else order.side
    return say(ORDERS[kind], shares=order.quantity, company=order.company)


def headline_words(headline: Any) -> str:
    sector = say(headline.sector_title)
    if headline.move > 0:
        return count(
            "{sector} moves {n} place earlier", "{sector} moves {n} places earlier", headline.move, sector=sector
        )
    return count("{sector} moves {n} place later", "{sector} moves {n} places later", -headline.move, sector=sector)


def tranche_words(tranche: Any) -> str:
    ability = say(tranche.ability)
    if not tranche.prestige:
        return ability
    return say("{prestige} prestige and {ability}", prestige=tranche.prestige, ability=ability)
