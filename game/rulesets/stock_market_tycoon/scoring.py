"""The ranking. (ST 6, T-7)"""

from __future__ import annotations

from game.engine.breakdown import Part
from game.engine.language import say
from game.engine.leaving import ranked
from game.engine.ruleset import Standing
from game.rulesets.stock_market_tycoon.state import TycoonState
from game.rulesets.stock_market_tycoon.tables import COMPANIES, COMPANY_KEYS


def standings(state: TycoonState) -> list[Standing]:
    """Seats by net worth, then cash; bankrupt seats below all others, later bankrupts above earlier ones. (ST 6,
    T-15)"""
    merits = [_merit(state, seat) for seat in range(state.seats)]
    ranks = [sorted(set(merits)).index(merit) for merit in merits]
    return [
        Standing(standing.seat, standing.place, state.worth(standing.seat)) for standing in ranked(ranks, state.left)
    ]


def _merit(state: TycoonState, seat: int) -> tuple[int, int, int]:
    if seat in state.bankrupts:
        return 0, state.bankrupts.index(seat), 0
    return 1, state.worth(seat), state.cash(seat)


def worth_parts(state: TycoonState, subject: str) -> tuple[Part, ...]:
    """The parts of a net worth, by seat number. (ST 6)"""
    if not subject.isdecimal() or int(subject) >= state.seats:
        return ()
    seat = int(subject)
    shares = [
        Part(COMPANIES[company].title, state.held(seat, company) * state.prices[company])
        for company in COMPANY_KEYS
        if state.held(seat, company)
    ]
    debt = [Part(say("Debt"), -state.debts[seat])] if state.debts[seat] else []
    escrow = [Part(say("Escrow of the buyback"), aside)] if (aside := state.set_aside(seat)) else []
    return Part(say("Cash"), state.cash(seat)), *escrow, *shares, *debt
