"""The trading turns of a year: the acting seat, the duties of a debtor, and bankruptcy. (ST 3 Y3, ST 5)"""

from __future__ import annotations

from game.engine.language import mark
from game.engine.ledger import BANK, OUTSIDE, cash_of, hand_of
from game.engine.play import Play
from game.rulesets.stock_market_tycoon import cards, offices
from game.rulesets.stock_market_tycoon.events import DebtPaid, VotedOut, WentBankrupt
from game.rulesets.stock_market_tycoon.finance import resolve_buyback
from game.rulesets.stock_market_tycoon.state import TycoonState
from game.rulesets.stock_market_tycoon.tables import COMPANY_KEYS, LOAN
from game.rulesets.stock_market_tycoon.trading import EndTurn, PlayLoan, Sell


def whose_turn(state: TycoonState) -> list[int]:
    """The seat that acts, until it has used its action."""
    return [] if state.acting is None or state.has_acted else [state.acting]


def begin_turn(play: Play[TycoonState]) -> None:
    """Begin the turn of the next seat of the sub-round; a debtor who has the money pays before the first turn of the
    year. (ST 5)"""
    state = play.state
    if not state.queue:
        state.sub_round += 1
        state.queue = [seat for seat in state.order if seat not in state.bankrupts]
    state.acting = state.queue.pop(0)
    state.has_acted = False
    state.followed = []
    _pay_debt(play, state.acting)
    if state.options.trade_mode == "batch" and state.acting not in state.filed:
        act_for(play, state.acting)


def end_trade(play: Play[TycoonState]) -> None:
    """End the turn, unless a buyback asks the others first."""
    if play.state.buyback is None:
        _end_turn(play)


def end_tender(play: Play[TycoonState]) -> None:
    """Carry out the buyback, and end the Chairman's turn."""
    resolve_buyback(play)
    _end_turn(play)


def _end_turn(play: Play[TycoonState]) -> None:
    """End a turn: a debtor pays after their own action, or is bankrupt; rights end with the sub-round. (ST 5, ST
    4.6)"""
    state, seat = play.state, play.state.acting
    state.acting = None
    if not state.queue:
        state.windows = []
    if seat is None or not state.debts[seat]:
        return
    _pay_debt(play, seat)
    if state.debts[seat]:
        go_bankrupt(play, seat)


def _pay_debt(play: Play[TycoonState], seat: int) -> None:
    debt = play.state.debts[seat]
    if debt and play.state.cash(seat) >= debt:
        play.pay(cash_of(seat), BANK, debt, why="debt")
        play.state.debts[seat] = 0
        play.emit(DebtPaid(seat=seat, debt=debt))


def go_bankrupt(play: Play[TycoonState], seat: int) -> None:
    """Put a debtor who could not pay out of the game. (ST 5)"""
    play.emit(WentBankrupt(seat=seat, debt=play.state.debts[seat]))
    _leave(play, seat)


def remove_voted_out(play: Play[TycoonState], seat: int) -> None:
    """Make a seat that was voted out bankrupt, once an open buyback is over. Its cards move no price any more.
    (T-15)"""
    state = play.state
    if state.buyback is not None or state.end:
        return
    play.emit(VotedOut(seat=seat))
    state.revealed = [owned for owned in state.revealed if owned.seat != seat]
    state.withheld = {company: owned for company, owned in state.withheld.items() if owned.seat != seat}
    if state.year_end is not None and not state.year_end.changes:
        state.year_end.shown = [owned for owned in state.year_end.shown if owned.seat != seat]
    _leave(play, seat)


def _leave(play: Play[TycoonState], seat: int) -> None:
    """Remove a seat: its shares go to the bank, cash and hand are forfeited, shorts and options are void. The last
    remaining player wins. (T-3)"""
    state = play.state
    state.bankrupts.append(seat)
    play.pay(cash_of(seat), OUTSIDE, state.cash(seat), why="forfeit")
    for company in COMPANY_KEYS:
        play.ledger.hand_over(company, hand_of(seat), BANK, state.held(seat, company))
    state.debts[seat] = 0
    state.hands[seat] = []
    state.kept_cards.pop(seat, None)
    state.shorts = [short for short in state.shorts if short.seat != seat]
    state.contracts = [contract for contract in state.contracts if contract.seat != seat]
    state.queue = [other for other in state.queue if other != seat]
    if not state.queue:
        state.windows = []
    offices.recompute(play)
    if len(state.active) == 1:
        state.end = "survivor"


def act_for(play: Play[TycoonState], seat: int) -> str:
    """Act at the deadline of a turn: a debtor tries to pay by one action, everybody else passes. Returns what counted,
    if it is no pass. (ST 8, T-2)"""
    payment = _way_to_pay(play.state, seat)
    action = payment or EndTurn(actor=seat)
    action.carry_out(play)
    return PAID_BY_LOAN if isinstance(payment, PlayLoan) else PAID_BY_SALE if payment else ""


PAID_BY_LOAN = mark("your Loan Stocks Matured paid your debt")
PAID_BY_SALE = mark("a sale of your shares paid your debt")


def default_of(state: TycoonState, seat: int | None) -> str:
    """What counts for a debtor who does nothing in this turn; empty for everybody else. (ST 8, T-2)"""
    if seat is None or seat not in whose_turn(state) or not state.debts[seat]:
        return ""
    payment = _way_to_pay(state, seat)
    if payment is None:
        return mark("you pass and are bankrupt")
    if isinstance(payment, PlayLoan):
        return mark("your Loan Stocks Matured pays your debt")
    return mark("a sale of your shares pays your debt")


def _way_to_pay(state: TycoonState, seat: int) -> PlayLoan | Sell | None:
    """The loan if it is enough, else as few shares as needed of the dearest company whose shares alone are enough."""
    missing = state.debts[seat] - state.cash(seat)
    if missing <= 0:
        return None
    if cards.LOAN in state.hands[seat] and missing <= LOAN:
        return PlayLoan(actor=seat)
    enough = [company for company in COMPANY_KEYS if state.held(seat, company) * state.prices[company] >= missing]
    if not enough:
        return None
    company = max(enough, key=lambda company: state.prices[company])
    return Sell(actor=seat, company=company, shares=-(-missing // state.prices[company]))
