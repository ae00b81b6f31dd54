"""Stock values and dividends. (BS 1.1, BS 7.5)"""

from __future__ import annotations

from game.engine.ledger import BANK, cash_of, treasury_of
from game.engine.play import Play
from game.rulesets.big_shoulders.company_events import DividendPaid, DividendReceived
from game.rulesets.big_shoulders.events import ValueKept, ValueMoved
from game.rulesets.big_shoulders.state import ShouldersState
from game.rulesets.big_shoulders.tables import VALUES, Company

TRIPLE_FROM = 60  # dollars of value from which a dividend may bring three steps


def move_value(play: Play[ShouldersState], company: Company, steps: int) -> None:
    """Move a value up or down the track; steps beyond its ends are lost."""
    own = play.state.companies[company]
    was = own.price
    own.value = max(0, min(len(VALUES) - 1, own.value + steps))
    if own.price != was:
        play.emit(ValueMoved(company=company, was=was, price=own.price))


def keep_value(play: Play[ShouldersState], company: Company) -> None:
    """Stop a drop, if there would be one, by Price Protection; without the option `price_protection_passive` it is
    exhausted after that. (B-84)"""
    own = play.state.companies[company]
    if not own.value:
        return
    if not play.state.options.price_protection_passive:
        own.is_exhausted = True
    play.emit(ValueKept(company=company))


def steps_for(dividend: int, price: int) -> int:
    """Steps of the value for a dividend of all ten shares together."""
    if dividend >= 3 * price and price >= TRIPLE_FROM:
        return 3
    return min(2, dividend // price)


def pay_dividend(play: Play[ShouldersState], company: Company, amount: int) -> None:
    """Pay a tenth for each share of players and of the treasury; the pool's part stays with the bank. (BS 7.5)"""
    state = play.state
    a_share = amount // 10
    play.emit(DividendPaid(company=company, amount=a_share))
    steps = steps_for(a_share * 10, state.price(company))
    for seat in range(state.seats):
        if units := state.units(seat, company):
            play.pay(BANK, cash_of(seat), units * a_share, why="dividend")
            play.emit(DividendReceived(seat=seat, company=company, amount=units * a_share))
    own = state.units_at(company, treasury_of(company))
    play.pay(BANK, treasury_of(company), own * a_share, why="treasury's dividend")
    move_value(play, company, steps)
