"""The decisions of Stock Market Tycoon, by phase."""

from __future__ import annotations

from collections.abc import Mapping

from game.boards.decision import Decision
from game.boards.stock_market_tycoon.decisions.trade import Lists, Trade
from game.boards.stock_market_tycoon.decisions.year import (
    OfferShares,
    SetPremiums,
    StrikeCards,
    SuspendShares,
    WithholdCards,
)

DECISIONS: Mapping[str, Decision] = {
    "premium": SetPremiums(),
    "orders": Lists(),
    "trade": Trade(),
    "tender": OfferShares(),
    "withhold": WithholdCards(),
    "strike": StrikeCards(),
    "suspend": SuspendShares(),
}
