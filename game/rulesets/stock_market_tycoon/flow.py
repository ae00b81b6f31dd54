"""The sequence of play: years of three sub-rounds, each with a turn of every player. (ST 3)"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from game.engine.actions import Withdraw
from game.engine.flow import Flow, Mode, Phase, Predicate, Resolution, Round, always
from game.engine.language import mark, mark_as
from game.rulesets.stock_market_tycoon.finance import (
    AnnounceBuyback,
    BuyOption,
    DeclareDividend,
    SellShort,
    Tender,
    asked_to_tender,
)
from game.rulesets.stock_market_tycoon.plans import Batch, Plan, take_lists
from game.rulesets.stock_market_tycoon.standing import (
    KeepFollowing,
    KeepPremium,
    KeepStriking,
    KeepWithholding,
    LimitTender,
)
from game.rulesets.stock_market_tycoon.state import TycoonState
from game.rulesets.stock_market_tycoon.trading import (
    Buy,
    EndTurn,
    FollowRights,
    PlayDebenture,
    PlayLoan,
    PlayRights,
    Sell,
)
from game.rulesets.stock_market_tycoon.turns import act_for, begin_turn, end_tender, end_trade, whose_turn
from game.rulesets.stock_market_tycoon.year_decisions import (
    SetPremium,
    Strike,
    Suspend,
    Withhold,
    asked_for_premiums,
    asked_to_strike,
    asked_to_suspend,
    asked_to_withhold,
    set_premiums,
    strike_cards,
    suspend_shares,
    withhold_cards,
)
from game.rulesets.stock_market_tycoon.year_end import (
    close_year,
    deal_hands,
    end_game,
    follow_year,
    move_currency,
    move_prices,
    pay_options,
    reveal_cards,
    settle_shorts,
)

TRADER_ACTIONS = (Buy, Sell, PlayLoan, PlayDebenture, PlayRights, FollowRights, EndTurn)
INVESTOR_ACTIONS = (*TRADER_ACTIONS, SellShort)
STRATEGIST_ACTIONS = (*INVESTOR_ACTIONS, BuyOption, DeclareDividend, AnnounceBuyback)
STANDING_IN_TRADER = (KeepWithholding, KeepStriking, KeepFollowing)
STANDING_BY_MODE = {
    "trader": STANDING_IN_TRADER,
    "investor": STANDING_IN_TRADER,
    "strategist": (*STANDING_IN_TRADER, KeepPremium, LimitTender),
}
ACTIONS_BY_MODE = {"trader": TRADER_ACTIONS, "investor": INVESTOR_ACTIONS, "strategist": STRATEGIST_ACTIONS}


def has_ended(state: TycoonState) -> bool:
    return bool(state.end)


def still_in(state: TycoonState) -> list[int]:
    """The seats that can plan their turns and give standing answers."""
    return state.active


def flow_of(mode: str, trade_mode: str = "strict") -> Flow:
    """The sequence of play of a mode, without the phases that it lacks. (ST 1.6)"""
    return _flow(mode, trade_mode)


@cache
def _flow(mode: str, trade_mode: str) -> Flow:
    year = (_start_of_year(mode), _trading(mode, trade_mode), _end_of_year(mode))
    return Flow(
        Round("turn", mark_as("turn", "Year"), year, again=lambda state: not state.end, until=has_ended),
        Round("end", mark("End of the game"), (_automatic("14", "end", mark("Result"), end_game),)),
    )


def _start_of_year(mode: str) -> Round:
    premium = Phase("1", "premium", mark("Option premiums"), Mode.SEALED, "premium", (SetPremium, KeepPremium),
                    asked_for_premiums, when=_if_any(asked_for_premiums), enter=follow_year, close=set_premiums,
                    default=mark("the premium is the usual one"),
                    instead=mark("the premium was the usual one"))  # fmt: skip
    deal = _automatic("2", "deal", mark("Deal"), deal_hands)
    return Round("year_start", mark("Start of the year"), (premium, deal) if mode == "strategist" else (deal,))


def _trading(mode: str, trade_mode: str) -> Round:
    planned = (Plan,) if trade_mode == "plan" else ()
    orders = Phase("3a", "orders", mark("Lists"), Mode.SEALED, "trade", (Batch, *STANDING_BY_MODE[mode]), still_in,
                   when=lambda state: not state.queue, close=take_lists,
                   default=mark("you pass"), instead=mark("you passed"))  # fmt: skip
    trade = Phase("3", "trade", mark("Trading"), Mode.TURNS, "trade",
                  (*ACTIONS_BY_MODE[mode], *planned, *STANDING_BY_MODE[mode]), whose_turn, still_in,
                  enter=begin_turn, close=end_trade, absent=act_for, common=(Withdraw,), is_moment=True,
                  default=mark("you pass"), instead=mark("you passed"))  # fmt: skip
    tender = Phase("4", "tender", mark("Tender"), Mode.SEALED, "tender", (Tender, LimitTender), asked_to_tender,
                   when=lambda state: state.buyback is not None, close=end_tender, is_moment=True,
                   default=mark("you offer no shares"), instead=mark("you offered no shares"))  # fmt: skip
    filing = (orders,) if trade_mode == "batch" else ()
    phases = (*filing, trade, tender) if mode == "strategist" else (*filing, trade)
    return Round("trading", mark("Trading"), phases, again=lambda state: state.is_trading)


def _end_of_year(mode: str) -> Round:
    shorts = _automatic("11", "shorts", mark("Short sales"), settle_shorts, when=lambda state: bool(state.shorts))
    options = _automatic("12", "options", mark("Options"), pay_options, when=lambda state: bool(state.contracts))
    return Round("year_end", mark("End of the year"), (
        Phase("5", "withhold", mark("Withholding"), Mode.SEALED, "withhold", (Withhold, KeepWithholding),
              asked_to_withhold, when=_if_any(asked_to_withhold), close=withhold_cards, asks_in_secret=True,
              default=mark("you withhold no card"), instead=mark("you withheld no card")),
        _automatic("6", "reveal", mark("Cards shown"), reveal_cards),
        Phase("7", "strike", mark("Striking"), Mode.SEALED, "strike", (Strike, KeepStriking), asked_to_strike,
              when=_if_any(asked_to_strike), close=strike_cards, asks_in_secret=True,
              default=mark("you strike no card"), instead=mark("you struck no card")),
        _automatic("8", "price", mark("New prices"), move_prices),
        Phase("9", "suspend", mark("Suspension"), Mode.SEALED, "suspend", (Suspend,), asked_to_suspend,
              when=_if_any(asked_to_suspend), close=suspend_shares, asks_in_secret=True,
              default=mark("you suspend no share"), instead=mark("you suspended no share")),
        _automatic("10", "currency", mark("Currency"), move_currency),
        *((shorts,) if mode != "trader" else ()),
        *((options,) if mode == "strategist" else ()),
        _automatic("13", "close_year", mark("End of the year"), close_year),
    ))  # fmt: skip


def _automatic(number: str, name: str, title: str, work: Resolution, when: Predicate = always) -> Phase:
    """A phase in which only the rules act."""
    return Phase(number, name, title, Mode.AUTOMATIC, "review", enter=work, when=when)


def _if_any(seats_of: Callable[[TycoonState], list[int]]) -> Predicate:
    """A phase that is skipped if nobody has to decide. (T-8)"""
    return lambda state: bool(seats_of(state))
