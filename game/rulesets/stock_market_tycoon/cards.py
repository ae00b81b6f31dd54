"""The deck: price cards such as `NT-30`, and special cards. Copies of a card cannot be told apart. (ST 1.1, 1.2)"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal

from game.engine.language import grouped, mark, say
from game.rulesets.stock_market_tycoon.tables import COMPANIES, COMPANY_KEYS, VARIANTS, Company

LOAN, DEBENTURE, RIGHTS, SUSPENDED = "loan", "debenture", "rights", "suspended"
CURRENCY_UP, CURRENCY_DOWN, BLANK = "currency+", "currency-", "blank"
SPECIALS = {
    LOAN: mark("Loan Stocks Matured"),
    DEBENTURE: mark("Debenture"),
    RIGHTS: mark("Rights Issued"),
    SUSPENDED: mark("Share Suspended"),
    CURRENCY_UP: mark("Currency +10%"),
    CURRENCY_DOWN: mark("Currency −10%"),
    BLANK: mark("No news"),
}
COPIES = {LOAN: 2, DEBENTURE: 2, RIGHTS: 2, SUSPENDED: 2, CURRENCY_UP: 3, CURRENCY_DOWN: 3, BLANK: 2}
PRICE_COPIES, PRICE_STEP = 2, 5
Variant = Literal["standard", "extended"]


@cache
def deck_of(variant: Variant) -> tuple[str, ...]:
    """All cards of a variant: 108, or 216 in the extended one. (ST 1.3)"""
    prices = [
        price_card(company, sign * value)
        for company in COMPANY_KEYS
        for value in range(PRICE_STEP, COMPANIES[company].largest_card + 1, PRICE_STEP)
        for sign in (1, -1)
    ]
    specials = [card for card, copies in COPIES.items() for _ in range(copies)]
    return (*prices * PRICE_COPIES, *specials) * VARIANTS[variant].decks


def price_card(company: Company, value: int) -> str:
    return f"{company}{value:+d}"


@cache
def company_of(card: str) -> Company | None:
    """The company whose price a card moves; None for special cards."""
    return card[:2] if card not in SPECIALS else None  # type: ignore[return-value]


@cache
def value_of(card: str) -> int:
    """Dollars by which a price card moves its price; 0 for special cards."""
    return 0 if card in SPECIALS else int(card[2:])


def cards_of(company: Company, hand: Iterable[str]) -> list[str]:
    """The price cards of a company in a hand."""
    return [card for card in hand if company_of(card) == company]


def sum_of(company: Company, hand: Iterable[str]) -> int:
    """The sum of the price cards of a company; 0 without any. (ST 4.1)"""
    return sum(value_of(card) for card in cards_of(company, hand))


def in_order(hand: Iterable[str]) -> list[str]:
    """Price cards by company and value, then special cards."""
    return sorted(hand, key=_rank)


@cache
def _rank(card: str) -> tuple[int, int]:
    company = company_of(card)
    if company is None:
        return len(COMPANY_KEYS), list(SPECIALS).index(card)
    return COMPANY_KEYS.index(company), -value_of(card)


def title_of(card: str) -> str:
    """`NovaTech −30`, or the name of a special card."""
    company = company_of(card)
    if company is None:
        return say(SPECIALS[card])
    return f"{COMPANIES[company].title} {signed(value_of(card))}"


def signed(value: int) -> str:
    """`+5`, `−30`, `0`."""
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{grouped(abs(value))}"


def without(hand: Sequence[str], card: str) -> list[str]:
    """The hand without one copy of a card."""
    at = hand.index(card)
    return [*hand[:at], *hand[at + 1 :]]
