"""How a company changes its director, with the advanced rules. (BS 5.7)"""

from __future__ import annotations

from game.engine.actions import Refused
from game.engine.ledger import BANK, hand_of
from game.engine.play import Play
from game.rulesets.big_shoulders.events import DirectorChanged
from game.rulesets.big_shoulders.state import ShouldersState, certificate
from game.rulesets.big_shoulders.tables import COMMON, COMPANIES, DIRECTOR, PREFERRED, UNITS, Company

RETURNED = UNITS[DIRECTOR]
"""Shares given for the director's certificate."""
KEPT_COMMONS = 2  # certificates with which a director who sells out gets the preferred one (B-101)


def check_sale(state: ShouldersState, seat: int, company: Company) -> None:
    """The director's certificate is sold only with the advanced rules, and if another seat can succeed. Raises
    `Refused`. (B-98)"""
    if not state.options.advanced:
        raise Refused(
            "The director's certificate is never sold.", "BS 5.7", code="directors_certificate", field="certificates"
        )
    if max(state.units(other, company) for other in range(state.seats) if other != seat) < RETURNED:
        raise Refused(
            "Nobody else holds {shares} shares of {company}.",
            "B-98",
            shares=RETURNED,
            company=COMPANIES[company].title,
            code="no_successor",
            field="certificates",
        )


def after_purchase(play: Play[ShouldersState], company: Company, buyer: int) -> None:
    """Give the office to a seat that now holds more than the director. (B-73)"""
    state = play.state
    director = state.companies[company].director
    if state.units(buyer, company) > state.units(director, company):
        _swap(play, company, buyer)


def after_sale(play: Play[ShouldersState], company: Company, seller: int) -> None:
    """Find a successor for a director who sold the certificate, and replace one who holds fewer shares than another.
    (B-99)"""
    state = play.state
    others = [(seller + step) % state.seats for step in range(1, state.seats)]
    largest = max(others, key=lambda seat: state.units(seat, company))
    if state.in_pool(company, DIRECTOR):
        _succeed(play, company, seller, largest)
    elif state.companies[company].director == seller and state.units(largest, company) > state.units(seller, company):
        _swap(play, company, largest)


def _swap(play: Play[ShouldersState], company: Company, new: int) -> None:
    """Exchange three shares for the director's certificate, without money. (B-100)"""
    old = play.state.companies[company].director
    _hand_back(play, company, new, hand_of(old))
    play.ledger.hand_over(certificate(company, DIRECTOR), hand_of(old), hand_of(new), 1)
    _appoint(play, company, new)


def _succeed(play: Play[ShouldersState], company: Company, seller: int, new: int) -> None:
    """The successor gives three shares to the pool; a seller with two commons exchanges them for a preferred one.
    (B-101)"""
    state = play.state
    gave_preferred = _hand_back(play, company, new, BANK)
    play.ledger.hand_over(certificate(company, DIRECTOR), BANK, hand_of(new), 1)
    if gave_preferred and state.held(seller, company, COMMON) >= KEPT_COMMONS:
        play.ledger.hand_over(certificate(company, PREFERRED), BANK, hand_of(seller), 1)
        play.ledger.hand_over(certificate(company, COMMON), hand_of(seller), BANK, KEPT_COMMONS)
    _appoint(play, company, new)


def _hand_back(play: Play[ShouldersState], company: Company, giver: int, taker: str) -> bool:
    """Hand back three shares: the preferred certificate and a common one, or three common ones. Returns whether the
    preferred one was among them."""
    preferred = play.state.held(giver, company, PREFERRED)
    commons = RETURNED - UNITS[PREFERRED] * preferred
    play.ledger.hand_over(certificate(company, PREFERRED), hand_of(giver), taker, preferred)
    play.ledger.hand_over(certificate(company, COMMON), hand_of(giver), taker, commons)
    return bool(preferred)


def _appoint(play: Play[ShouldersState], company: Company, seat: int) -> None:
    own = play.state.companies[company]
    own.director = seat
    own.offices += 1
    play.emit(DirectorChanged(seat=seat, company=company))
