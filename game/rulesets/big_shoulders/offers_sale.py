"""The sale that a purchase or a start includes in the same command: the one that makes it possible, or any. (B-9,
B-14)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from game.engine.actions import Refused
from game.engine.language import say
from game.engine.offers import Choice, Counts, Offer, When
from game.rulesets.big_shoulders import directors
from game.rulesets.big_shoulders.state import ShouldersState
from game.rulesets.big_shoulders.stock import Buy, Start
from game.rulesets.big_shoulders.stock_checks import CERTIFICATES, title_of
from game.rulesets.big_shoulders.tables import DIRECTOR, UNITS, Company

SALE = "sale"


class Part(NamedTuple):
    """Certificates of a kind that may be sold: dollars for each, their name, number and words."""

    price: int
    name: str
    most: int
    title: str
    company: Company


def sale_for(
    state: ShouldersState, deal: Buy | Start, sellable: Sequence[Part], when: When | None = None, *, is_needed: bool
) -> Counts | None:
    """What may be sold with a purchase or a start. If it `is_needed`, `least` of it make it possible, whichever they
    are; otherwise nothing need be sold. None if no sale fits. Left out are certificates of the company itself, which
    cannot be bought back."""
    if is_needed and not _fits(deal, state):
        return None
    seat, parts = deal.actor, [part for part in sellable if part.company != deal.company]
    if not parts:
        return None
    surplus = state.certificates(seat) + 1 - state.limit + _most_gained(state, seat)
    least = _least(state, deal, parts, surplus) if is_needed else 0 if surplus <= 1 else None
    if least is None:
        return None
    choices = tuple((part.name, part.title, part.most) for part in parts)
    return Counts(SALE, say("Certificates to sell first"), sum(part.most for part in parts), choices, when, least)


def _least(state: ShouldersState, deal: Buy | Start, parts: Sequence[Part], surplus: int) -> int | None:
    """The number of certificates that reaches the limit and brings the money, no matter which ones are chosen."""
    prices = sorted(part.price for part in parts for _ in range(part.most))
    missing = deal.cost(state) - state.cash(deal.actor)
    enough = (n for n in range(1, len(prices) + 1) if n >= surplus and sum(prices[:n]) >= missing)
    return next(enough, None)


def _fits(deal: Buy | Start, state: ShouldersState) -> bool:
    try:
        deal.check_company(state)
    except Refused:
        return False
    return True


def sellable_by(state: ShouldersState, seat: int) -> list[Part]:
    """All that the seat may still sell in this turn."""
    return [
        Part(
            UNITS[kind] * state.price(company), name, state.held(seat, company, kind), title_of(company, kind), company
        )
        for name, (company, kind) in CERTIFICATES.items()
        if not state.has_sold and company in state.companies and state.held(seat, company, kind)
        if kind != DIRECTOR or _may_leave(state, seat, company)
    ]


def _may_leave(state: ShouldersState, seat: int, company: Company) -> bool:
    try:
        directors.check_sale(state, seat, company)
    except Refused:
        return False
    return True


def _most_gained(state: ShouldersState, seat: int) -> int:
    """Certificates by which the seat may come to hold more: one that loses an office gets two or three for one. (B-99,
    B-100)"""
    others = [other for other in range(state.seats) if other != seat]
    return sum(
        directors.RETURNED - 1
        for company in state.directed_by(seat) if state.options.advanced
        if max(state.units(other, company) for other in others) > directors.RETURNED
    )  # fmt: skip


def needs_sale(offer: Offer, value: int | None = None) -> bool:
    """True if all requests of an open offer carry a sale; or those for this opening value."""
    sales = [field for field in offer.fields if isinstance(field, Counts) and field.name == SALE and field.least]
    if any(field.when is None for field in sales):
        return True
    with_sale = {each for field in sales if field.when for each in field.when.values}
    return value in with_sale if value is not None else bool(with_sale) and with_sale >= set(values_of(offer.fields))


def values_of(fields: Sequence[object]) -> list[int]:
    """The opening values of an offer to start a company."""
    choices = (field for field in fields if isinstance(field, Choice) and field.name == "value")
    return [value for field in choices for value, _ in field.values]


def sale_in(offer: Offer, value: int | None = None) -> Counts | None:
    """The field of certificates that must be sold with a purchase, or with a start at this value."""
    sales = (field for field in offer.fields if isinstance(field, Counts) and field.name == SALE and field.least)
    return next((field for field in sales if field.when is None or value in field.when.values), None)


def closed(offer: Offer) -> str:
    """The reason why an offer needs a sale; empty if it does not."""
    return offer.refused or (offer.text if needs_sale(offer) else "")
