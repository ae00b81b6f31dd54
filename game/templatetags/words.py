"""The view in words: what a company needs, what an order asks, what a headline would do, who has won."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.template import Context

from game.boards.brief import won
from game.engine.phrases import listed, plural

register = template.Library()

LIVE = ("pending", "open", "filled_pending_settlement")
PLACES = {"ipo": "the IPO", "market": "the open market", "derivatives": "the derivatives market"}


@register.filter
def company_note(company: Any) -> str:
    """The one thing to know about a company, the most pressing first."""
    if company.status == "insolvent":
        return f"Needs {company.shortfall} in contributions"
    if company.status == "inactive":
        return f"{plural(company.float_needs, 'more share')} to float"
    if company.is_acting:
        return "Acting now" if company.has_acted else "Votes now"
    if company.done:
        return f"Did: {listed(company.done).lower()}"
    return "Has a loan" if company.has_loan else ""


@register.filter
def throughput_words(company: Any) -> str:
    """What the distance of supply and demand does."""
    if company.throughput_steps:
        return f"{plural(company.throughput_steps, 'step')} down"
    return "no effect" if company.throughput else "cost halved"


@register.filter
def queued_companies(view: Any) -> list[Any]:
    """The companies of this operating round, in their order."""
    return [view.company(ticker) for ticker in view.queue]


@register.filter
def queue_words(company: Any) -> str:
    if company.is_acting and company.has_acted:
        return "acting now"
    if company.is_acting:
        return "needs money" if company.status == "insolvent" else "votes now"
    if company.has_acted:
        return listed(company.done) if company.done else "did nothing"
    return "to come"


@register.filter
def live_orders(orders: Sequence[Any]) -> list[Any]:
    """Orders that still wait for something."""
    return [order for order in orders if order.status in LIVE]


@register.filter
def order_words(order: Any) -> str:
    """An order as far as the reader may know it."""
    if order.kind is None:
        return f"{order.company}, in {PLACES.get(order.location, order.location)}: still sealed"
    what = f"{order.quantity} {order.company}"
    if order.kind == "short":
        return f"Short {what}"
    if order.kind == "option":
        return f"Option on {what}"
    where = " from the IPO" if order.location == "ipo" else ""
    return f"{'Limit: ' if order.kind == 'limit' else ''}{order.side} {what}{where}".capitalize().replace(
        order.company.lower(), order.company
    )


@register.filter
def headline_words(headline: Any) -> str:
    way = "up" if headline.move > 0 else "down"
    return f"{headline.sector_title} moves {plural(abs(headline.move), 'place')} {way}"


@register.filter
def tranche_words(tranche: Any) -> str:
    tokens = f"{tranche.prestige} prestige and " if tranche.prestige else ""
    return f"{tokens}{tranche.ability}"


@register.simple_tag(takes_context=True)
def winner_words(context: Context) -> str:
    """Who has won, as a headline."""
    return won(context["view"], context["seats"])
