"""The counts of a report on bot games: the use of every card, purchases of every company, and the end."""

from __future__ import annotations

from collections.abc import Iterator

from game.engine.events import Event
from game.rulesets.stock_market_tycoon import cards
from game.rulesets.stock_market_tycoon.events import (
    CardsRevealed,
    CurrencyMoved,
    DebenturePlayed,
    GameEnded,
    LoanPlayed,
    RightsTaken,
    SharesBought,
    ShareSuspended,
)

CARDS = {card: card for card in cards.in_order(dict.fromkeys(cards.deck_of("standard"))) if card != cards.BLANK}
"""Every card with a use."""


def occurrences(event: Event) -> Iterator[tuple[str, str]]:
    """Registries and keys. Price cards count when they are shown; of currency cards, only the surplus of one kind over
    the other."""
    match event:
        case CardsRevealed(cards=names):
            yield from (("cards", card) for card in names)
        case LoanPlayed():
            yield "cards", cards.LOAN
        case DebenturePlayed():
            yield "cards", cards.DEBENTURE
        case RightsTaken(is_issue=True):
            yield "cards", cards.RIGHTS
        case ShareSuspended():
            yield "cards", cards.SUSPENDED
        case CurrencyMoved(cards=net):
            yield "cards", cards.CURRENCY_UP if net > 0 else cards.CURRENCY_DOWN
        case SharesBought(company=company):
            yield "companies", company
        case GameEnded(end=end):
            yield "ends", end
