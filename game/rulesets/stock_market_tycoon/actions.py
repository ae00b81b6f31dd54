"""All actions of the game."""

from __future__ import annotations

from game.engine.actions import Action, Pass, Ready, Withdraw
from game.rulesets.stock_market_tycoon.finance import AnnounceBuyback, BuyOption, DeclareDividend, SellShort, Tender
from game.rulesets.stock_market_tycoon.plans import Batch, Plan
from game.rulesets.stock_market_tycoon.standing import (
    KeepFollowing,
    KeepPremium,
    KeepStriking,
    KeepWithholding,
    LimitTender,
)
from game.rulesets.stock_market_tycoon.trading import (
    Buy,
    EndTurn,
    FollowRights,
    PlayDebenture,
    PlayLoan,
    PlayRights,
    Sell,
)
from game.rulesets.stock_market_tycoon.year_decisions import SetPremium, Strike, Suspend, Withhold

TycoonAction = (
    Ready
    | Pass
    | Withdraw
    | EndTurn
    | Buy
    | Sell
    | PlayLoan
    | PlayDebenture
    | PlayRights
    | FollowRights
    | SellShort
    | BuyOption
    | DeclareDividend
    | AnnounceBuyback
    | Tender
    | SetPremium
    | Withhold
    | Strike
    | Suspend
    | Plan
    | Batch
    | KeepPremium
    | KeepWithholding
    | KeepStriking
    | LimitTender
    | KeepFollowing
)
ACTIONS: dict[str, type[Action]] = {str(kind.__struct_config__.tag): kind for kind in TycoonAction.__args__}
