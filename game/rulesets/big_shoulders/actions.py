"""All actions of the game."""

from __future__ import annotations

from game.engine.actions import Action, Pass, Ready, Undo, Withdraw
from game.rulesets.big_shoulders.building import Choose
from game.rulesets.big_shoulders.free_acts import Bonus, EndTurn, Trade, UseAsset
from game.rulesets.big_shoulders.operating import BuyCubes, Raise, Run, Stop
from game.rulesets.big_shoulders.placing import Place
from game.rulesets.big_shoulders.selling import Pay, SellGoods, Withhold
from game.rulesets.big_shoulders.standing import StockOrder
from game.rulesets.big_shoulders.standing_companies import BonusRule, PlacementList, Recipe
from game.rulesets.big_shoulders.stock import Buy, Done, PassTurn, Sell, Start

ShouldersAction = (
    Ready | Pass | Withdraw | Undo | Start | Sell | Buy | PassTurn | Done | Choose | Place | Trade | UseAsset | Bonus
    | EndTurn | Raise | BuyCubes | Run | Stop | SellGoods | Pay | Withhold | StockOrder | PlacementList
    | Recipe | BonusRule
)  # fmt: skip
ACTIONS: dict[str, type[Action]] = {str(kind.__struct_config__.tag): kind for kind in ShouldersAction.__args__}
