"""What happened to a player of Stock Market Tycoon: own events, and prices, dividends and offices of companies that the
player holds."""

from __future__ import annotations

from game.boards.company_outcomes import Labels, outcomes_of_shares
from game.boards.outcomes import Absence, Outcome, Story, outcomes_of_events, turns_since
from game.engine.events import Event
from game.engine.language import mark
from game.rulesets.stock_market_tycoon.events import (
    BuybackAnnounced,
    BuybackClosed,
    DebenturePlayed,
    DividendDeclared,
    LoanPlayed,
    OfficeTaken,
    OptionBought,
    PriceMoved,
    RightsTaken,
    SharesBought,
    SharesSold,
    ShareSuspended,
    ShortOpened,
    TurnPassed,
)

PRICES: dict[type[Event], str] = {PriceMoved: mark("Price"), ShareSuspended: mark("Suspended")}
LABELS: Labels = {
    OfficeTaken: (mark("New office"), 45),
    BuybackAnnounced: (mark("Buyback"), 70),
    BuybackClosed: (mark("Buyback"), 30),
    DividendDeclared: (mark("Your company"), 30),
    RightsTaken: (mark("Your company"), 30),
}
TURNS = (
    SharesBought,
    SharesSold,
    TurnPassed,
    LoanPlayed,
    DebenturePlayed,
    RightsTaken,
    ShortOpened,
    OptionBought,
    DividendDeclared,
    BuybackAnnounced,
)
"""What a seat may do in a turn, as it is told."""


def outcomes(story: Story) -> list[Outcome]:
    """Own events first, then what others and the cards did to companies of the reader's."""
    return [*outcomes_of_events(story), *outcomes_of_shares(story, PRICES, LABELS)]


def since(absence: Absence) -> list[Outcome]:
    """The net worth, and the last turns of the others."""
    return turns_since(absence, TURNS)
