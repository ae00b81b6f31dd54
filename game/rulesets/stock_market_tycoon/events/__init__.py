"""What happens in Stock Market Tycoon."""

from __future__ import annotations

from game.engine.events import Event
from game.rulesets.stock_market_tycoon.events.shared import TycoonEvent
from game.rulesets.stock_market_tycoon.events.trading import (
    BuybackAnnounced,
    BuybackClosed,
    CardsDealt,
    DebenturePlayed,
    DividendDeclared,
    DividendPaid,
    HandSeen,
    LoanPlayed,
    OfficeLost,
    OfficeTaken,
    OptionBought,
    PremiumSet,
    RightsTaken,
    SharesBought,
    SharesSold,
    SharesTendered,
    ShortOpened,
    TurnPassed,
    YearBegun,
)
from game.rulesets.stock_market_tycoon.events.year import (
    ENDS,
    CardsRevealed,
    CardStruck,
    CardWithheld,
    CurrencyMoved,
    DebtDeferred,
    DebtLeft,
    DebtPaid,
    FinalWorth,
    GameEnded,
    OptionsPaid,
    PriceMoved,
    ShareSuspended,
    ShortsSettled,
    VotedOut,
    WentBankrupt,
)

AnyEvent = (
    YearBegun
    | CardsDealt
    | HandSeen
    | PremiumSet
    | SharesBought
    | SharesSold
    | TurnPassed
    | LoanPlayed
    | DebenturePlayed
    | RightsTaken
    | ShortOpened
    | OptionBought
    | DividendDeclared
    | DividendPaid
    | BuybackAnnounced
    | SharesTendered
    | BuybackClosed
    | OfficeTaken
    | OfficeLost
    | CardWithheld
    | CardsRevealed
    | CardStruck
    | PriceMoved
    | ShareSuspended
    | CurrencyMoved
    | ShortsSettled
    | DebtDeferred
    | DebtLeft
    | DebtPaid
    | WentBankrupt
    | VotedOut
    | OptionsPaid
    | GameEnded
    | FinalWorth
)
EVENTS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in AnyEvent.__args__}

__all__ = [
    "ENDS",
    "EVENTS",
    "AnyEvent",
    "BuybackAnnounced",
    "BuybackClosed",
    "CardStruck",
    "CardWithheld",
    "CardsDealt",
    "CardsRevealed",
    "CurrencyMoved",
    "DebenturePlayed",
    "DebtDeferred",
    "DebtLeft",
    "DebtPaid",
    "DividendDeclared",
    "DividendPaid",
    "FinalWorth",
    "GameEnded",
    "HandSeen",
    "LoanPlayed",
    "OfficeLost",
    "OfficeTaken",
    "OptionBought",
    "OptionsPaid",
    "PremiumSet",
    "PriceMoved",
    "RightsTaken",
    "ShareSuspended",
    "SharesBought",
    "SharesSold",
    "SharesTendered",
    "ShortOpened",
    "ShortsSettled",
    "TurnPassed",
    "TycoonEvent",
    "VotedOut",
    "WentBankrupt",
    "YearBegun",
]
