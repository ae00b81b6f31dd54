"""An insolvent company asks its shareholders for help. (S 6.12; phases 25, 26)"""

from __future__ import annotations

from game.engine.language import mark
from game.engine.ledger import BANK, cash_of, hand_of, treasury_of
from game.engine.play import Play
from game.rulesets.sectors import causes, numbers, prices
from game.rulesets.sectors.companies import go_bankrupt
from game.rulesets.sectors.events.operations import Contributed, Reactivated, WentBankrupt
from game.rulesets.sectors.ledger import MARKET
from game.rulesets.sectors.sequence import acting_company
from game.rulesets.sectors.state import ACTIVE, Contribution, SectorsState


def give(play: Play[SectorsState], seat: int, cash: int, shares: int) -> None:
    """Cash goes straight to the treasury; shares are sold to the bank at the current price. (S 6.12)"""
    state = play.state
    company = acting_company(state)
    assert company is not None
    treasury, worth = treasury_of(company.ticker), shares * company.price
    play.pay(cash_of(seat), treasury, cash, why=mark("contribution"))
    play.pay(BANK, treasury, worth, why="contributed shares")
    play.ledger.hand_over(company.ticker, hand_of(seat), MARKET, shares)
    state.contribution.worth += cash + worth
    state.contribution.shares += shares
    play.emit(Contributed(company=company.ticker, seat=seat, cash=cash, shares=shares, price=company.price))


def judge_contributions(play: Play[SectorsState]) -> None:
    """Make the company ACTIVE again if the contributions suffice, otherwise bankrupt; it does not act. (S 6.12, A41,
    A60, A61)"""
    state = play.state
    company = acting_company(state)
    assert company is not None
    contribution, shortfall = state.contribution, numbers.shortfall_of(state, company)
    state.contribution = Contribution()
    state.acted = [*state.acted, company.ticker]
    if contribution.worth < shortfall:
        play.emit(WentBankrupt(company=company.ticker, worth=contribution.worth, shortfall=shortfall))
        go_bankrupt(play, company)
        return
    company.status = ACTIVE
    play.emit(Reactivated(company=company.ticker, worth=contribution.worth, shortfall=shortfall))
    if contribution.shares:
        prices.fall(play, company, contribution.shares, causes.CONTRIBUTED.format(shares=contribution.shares))
