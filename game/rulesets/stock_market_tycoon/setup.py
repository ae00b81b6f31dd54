"""The table before the first year. (ST 2)"""

from __future__ import annotations

from game.engine.ledger import BANK, OUTSIDE, Ledger, cash_of
from game.engine.play import Play
from game.rulesets.stock_market_tycoon.options import Options
from game.rulesets.stock_market_tycoon.state import Office, TycoonState, start_prices
from game.rulesets.stock_market_tycoon.tables import COMPANY_KEYS
from game.rulesets.stock_market_tycoon.year_end import begin_year


def setup(options: Options, seats: int) -> TycoonState:
    """All shares are in the bank, at their start prices."""
    shares: dict[str, dict[str, int]] = {
        company: {BANK: options.numbers.shares_per_company} for company in COMPANY_KEYS
    }
    return TycoonState(
        seats=seats,
        options=options,
        ledger=Ledger(shares=shares),
        prices=start_prices(),
        closes=[start_prices()],
        offices={company: Office() for company in COMPANY_KEYS},
        hands=[[] for _ in range(seats)],
        debts=[0] * seats,
    )


def deal(play: Play[TycoonState]) -> None:
    """Deal the starting cash and draw a dealer. (T-39)"""
    state = play.state
    for seat in range(state.seats):
        play.pay(OUTSIDE, cash_of(seat), state.options.cash, why="set-up")
    state.dealer = play.chance.pick("dealer", range(state.seats))
    begin_year(play, 1)
