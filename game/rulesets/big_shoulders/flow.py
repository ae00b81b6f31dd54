"""The game on one page: first companies, then five decades of stock, buildings, actions and operations. (BS 3)"""

from __future__ import annotations

from functools import cache

from game.engine.actions import Ready, Undo, Withdraw
from game.engine.flow import Flow, Mode, Phase, Round
from game.engine.language import mark, mark_as
from game.rulesets.big_shoulders.building import Choose, begin_building, everybody, reveal_tiles
from game.rulesets.big_shoulders.cleanup import clean_up, end_game, is_not_over
from game.rulesets.big_shoulders.defaults import act_for, operate_for
from game.rulesets.big_shoulders.free_acts import Bonus, EndTurn, Trade, UseAsset
from game.rulesets.big_shoulders.operating import BuyCubes, Raise, Run, Stop
from game.rulesets.big_shoulders.placing import Place
from game.rulesets.big_shoulders.selling import Pay, SellGoods, Withhold
from game.rulesets.big_shoulders.standing import StockOrder
from game.rulesets.big_shoulders.standing_companies import BonusRule, PlacementList, Recipe
from game.rulesets.big_shoulders.stock import Buy, Done, PassTurn, Sell, Start
from game.rulesets.big_shoulders.stock_turns import (
    begin_first_company,
    begin_stock_turn,
    end_stock,
    is_dealing,
    is_setting_up,
    pass_for,
    start_for,
)
from game.rulesets.big_shoulders.turn_ends import (
    begin_action_turn,
    begin_visit,
    directors,
    end_action_turn,
    may_operate,
    may_place,
    whose_turn,
)

FREE_ACTS = (Trade, UseAsset, Bonus, EndTurn)
STANDING = (Recipe, BonusRule)
ORDERING = (Undo, Withdraw)
PRODUCTION = (BuyCubes, Run, Stop, SellGoods, Pay, Withhold)


@cache
def flow_of(is_advanced: bool) -> Flow:
    """The sequence of play; funds are raised with the advanced rules only."""
    raising = (Raise,) if is_advanced else ()
    first = Phase("0", "first_company", mark("First company"), Mode.TURNS, "stock", (Start,), whose_turn,
                  enter=begin_first_company, absent=start_for, common=(), plays_drafts=True,
                  default=mark("you start the first company that is left, at 35"),
                  instead=mark("you started the first company that was left, at 35"))  # fmt: skip
    stock = Phase("1", "stock", mark("Stock phase"), Mode.TURNS, "stock",
                  (Sell, Buy, Start, PassTurn, Done, StockOrder), whose_turn, everybody,
                  enter=begin_stock_turn, absent=pass_for, common=ORDERING, plays_drafts=True, is_moment=True,
                  default=mark("you pass; what you have sold stays sold"), instead=mark("you passed"))  # fmt: skip
    building = Phase("3", "building", mark("Buildings"), Mode.SEALED, "building", (Choose,), everybody,
                     enter=begin_building, close=reveal_tiles, common=(Ready, Withdraw),
                     default=mark("you build your lowest tile and discard the next"),
                     instead=mark("you built your lowest tile and discarded the next"))  # fmt: skip
    action = Phase("4", "action", mark("Actions"), Mode.TURNS, "action", (Place, *FREE_ACTS, PlacementList, *STANDING),
                   whose_turn, directors, enter=begin_action_turn, close=end_action_turn, absent=act_for,
                   common=ORDERING, plays_drafts=True,
                   default=mark("your poorest company raises $40; if you have placed, your turn just ends"),
                   instead=mark("your poorest company raised $40"))  # fmt: skip
    operation = Phase("5", "operation", mark("Operations"), Mode.TURNS, "operation",
                      (*raising, *PRODUCTION, *FREE_ACTS, *STANDING), whose_turn, directors, enter=begin_visit,
                      absent=operate_for, common=ORDERING, plays_drafts=True, is_moment=True,
                      default=mark("your company runs and sells with what it has"),
                      instead=mark("your company ran and sold with what it had"))  # fmt: skip
    return Flow(
        Round("setup", mark("First companies"), (first,), again=is_setting_up, is_moment=True),
        Round("turn", mark_as("turn", "Decade"), (
            Round("stock", mark("Stock phase"), (stock,), again=is_dealing),
            Phase("2", "stock_end", mark("End of the stock phase"), Mode.AUTOMATIC, "review", enter=end_stock),
            building,
            Round("actions", mark("Actions"), (action,), again=may_place, is_moment=True),
            Round("operations", mark("Operations"), (operation,), again=may_operate),
            Phase("6", "cleanup", mark("Cleanup"), Mode.AUTOMATIC, "review", when=is_not_over, enter=clean_up),
        ), again=is_not_over),
        Phase("7", "end", mark("Result"), Mode.AUTOMATIC, "review", enter=end_game),
    )  # fmt: skip
