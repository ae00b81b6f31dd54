"""The game on one page: years of three sub-rounds, each with a turn of every player. (ST 3)"""

from __future__ import annotations

from functools import cache

from game.engine.flow import Flow, Mode, Phase, Round
from game.engine.language import mark
from game.rulesets.stock_market_tycoon.finance import (
    AnnounceBuyback,
    BuyOption,
    DeclareDividend,
    SellShort,
    Tender,
    asked_to_tender,
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
    move_currency,
    move_prices,
    pay_options,
    reveal_cards,
    settle_shorts,
)

TRADER_ACTIONS = (Buy, Sell, PlayLoan, PlayDebenture, PlayRights, FollowRights, EndTurn)
INVESTOR_ACTIONS = (*TRADER_ACTIONS, SellShort)
STRATEGIST_ACTIONS = (*INVESTOR_ACTIONS, BuyOption, DeclareDividend, AnnounceBuyback)
ACTIONS_BY_MODE = {"trader": TRADER_ACTIONS, "investor": INVESTOR_ACTIONS, "strategist": STRATEGIST_ACTIONS}


def has_ended(state: TycoonState) -> bool:
    return bool(state.end)


@cache
def flow_of(mode: str) -> Flow:
    """The sequence of play of a mode: what it lacks is not in it. (ST 1.6)"""
    is_strategist, has_shorts = mode == "strategist", mode != "trader"
    premium = Phase("1", "premium", mark("Option premiums"), Mode.SEALED, "premium", (SetPremium,),
                    asked_for_premiums, when=lambda state: bool(asked_for_premiums(state)), close=set_premiums,
                    default=mark("the premium is the usual one"), instead=mark("the premium was the usual one"))  # fmt: skip
    trade = Phase("3", "trade", mark("Trading"), Mode.TURNS, "trade", ACTIONS_BY_MODE[mode], whose_turn,
                  enter=begin_turn, close=end_trade, absent=act_for, common=(),
                  default=mark("you pass"), instead=mark("you passed"))  # fmt: skip
    tender = Phase("4", "tender", mark("Tender"), Mode.SEALED, "tender", (Tender,), asked_to_tender,
                   when=lambda state: state.buyback is not None, close=end_tender,
                   default=mark("you offer no shares"), instead=mark("you offered no shares"))  # fmt: skip
    withhold = Phase("5", "withhold", mark("Withholding"), Mode.SEALED, "withhold", (Withhold,), asked_to_withhold,
                     when=lambda state: bool(asked_to_withhold(state)), close=withhold_cards, asks_in_secret=True,
                     default=mark("you withhold no card"), instead=mark("you withheld no card"))  # fmt: skip
    strike = Phase("7", "strike", mark("Striking"), Mode.SEALED, "strike", (Strike,), asked_to_strike,
                   when=lambda state: bool(asked_to_strike(state)), close=strike_cards, asks_in_secret=True,
                   default=mark("you strike no card"), instead=mark("you struck no card"))  # fmt: skip
    suspend = Phase("9", "suspend", mark("Suspension"), Mode.SEALED, "suspend", (Suspend,), asked_to_suspend,
                    when=lambda state: bool(asked_to_suspend(state)), close=suspend_shares, asks_in_secret=True,
                    default=mark("you suspend no share"), instead=mark("you suspended no share"))  # fmt: skip
    trading = Round("trading", mark("Trading"), (trade, *((tender,) if is_strategist else ())),
                    again=lambda state: state.is_trading)  # fmt: skip
    year_end = Round("year_end", mark("End of the year"), (
        withhold,
        Phase("6", "reveal", mark("Cards shown"), Mode.AUTOMATIC, "review", enter=reveal_cards),
        strike,
        Phase("8", "price", mark("New prices"), Mode.AUTOMATIC, "review", enter=move_prices),
        suspend,
        Phase("10", "currency", mark("Currency"), Mode.AUTOMATIC, "review", enter=move_currency),
        *((Phase("11", "shorts", mark("Short sales"), Mode.AUTOMATIC, "review", enter=settle_shorts,
                 when=lambda state: bool(state.shorts)),) if has_shorts else ()),
        *((Phase("12", "options", mark("Options"), Mode.AUTOMATIC, "review", enter=pay_options,
                 when=lambda state: bool(state.contracts)),) if is_strategist else ()),
        Phase("13", "close_year", mark("End of the year"), Mode.AUTOMATIC, "review", enter=close_year),
    ))  # fmt: skip
    start = Round("year_start", mark("Start of the year"), (
        *((premium,) if is_strategist else ()),
        Phase("2", "deal", mark("Deal"), Mode.AUTOMATIC, "review", enter=deal_hands),
    ))  # fmt: skip
    return Flow(
        Round("turn", mark("Year"), (start, trading, year_end), again=lambda state: not state.end, until=has_ended),
        Round("end", mark("End of the game"), (
            Phase("14", "end", mark("Result"), Mode.AUTOMATIC, "review", enter=end_game),
        )),
    )  # fmt: skip
