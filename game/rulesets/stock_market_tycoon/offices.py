"""Chairmen and Directors, determined again after every movement of shares. (ST 4.12, T-5, T-20)"""

from __future__ import annotations

from collections.abc import Collection

from game.engine.play import Play
from game.rulesets.stock_market_tycoon.events import OfficeLost, OfficeTaken
from game.rulesets.stock_market_tycoon.state import CHAIRMAN, DIRECTOR, Office, TycoonState
from game.rulesets.stock_market_tycoon.tables import COMPANY_KEYS, Company


def recompute(play: Play[TycoonState], companies: Collection[Company] = COMPANY_KEYS) -> None:
    """Count one movement of shares in these companies, and fill their offices."""
    play.state.movements += 1
    for company in companies:
        _fill(play, company)


def _fill(play: Play[TycoonState], company: Company) -> None:
    office = play.state.offices[company]
    before = {office.chairman: CHAIRMAN, office.director: DIRECTOR}
    note_crossings(play.state, company)
    appoint(play.state, company)
    after = {office.chairman: CHAIRMAN, office.director: DIRECTOR}
    for seat, title in before.items():
        if seat is not None and seat not in after:
            play.emit(OfficeLost(seat=seat, company=company, office=title))
    for seat, title in after.items():
        if seat is not None and before.get(seat) != title:
            play.emit(OfficeTaken(seat=seat, company=company, office=title))


def note_crossings(state: TycoonState, company: Company) -> None:
    """Record who reaches a threshold by this movement, and who falls below it; thresholds are exact. (T-5)"""
    office, numbers = state.offices[company], state.options.numbers
    _note(state, company, office.at_chairman, numbers.chairman_percent)
    _note(state, company, office.at_director, numbers.director_percent)


def appoint(state: TycoonState, company: Company) -> None:
    """Give the offices that follow from the crossed thresholds. (ST 4.12)"""
    office = state.offices[company]
    office.chairman = _chairman(state, company, office)
    office.director = _director(state, company, office)


def _note(state: TycoonState, company: Company, since: dict[int, int], percent: int) -> None:
    for seat in range(state.seats):
        is_there = 100 * state.held(seat, company) >= percent * state.outstanding(company)
        if not is_there:
            since.pop(seat, None)
        elif seat not in since and state.held(seat, company):
            since[seat] = state.movements


def _chairman(state: TycoonState, company: Company, office: Office) -> int | None:
    """The current Chairman while at the threshold, otherwise the seat that reached it first."""
    if office.chairman in office.at_chairman:
        return office.chairman
    return min(
        office.at_chairman,
        key=lambda seat: (office.at_chairman[seat], -state.held(seat, company), _place(state, seat)),
        default=None,
    )


def _director(state: TycoonState, company: Company, office: Office) -> int | None:
    """Of the seats at the threshold except the Chairman, the one with most shares."""
    return min(
        (seat for seat in office.at_director if seat != office.chairman),
        key=lambda seat: (
            -state.held(seat, company),
            seat != office.director,
            office.at_director[seat],
            _place(state, seat),
        ),
        default=None,
    )


def _place(state: TycoonState, seat: int) -> int:
    """A seat's place in the turn order of the year."""
    return state.order.index(seat) if seat in state.order else state.seats
