"""Checks of the stock phase: certificates by name, and the checks of a purchase in their order. (BS 1.3, B-13)"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from game.engine.actions import Refused
from game.engine.language import mark, say
from game.engine.ledger import BANK, treasury_of
from game.engine.names import Named, naming
from game.engine.phrases import thousands
from game.rulesets.big_shoulders.state import (
    Place,
    ShouldersState,
    certificate,
)
from game.rulesets.big_shoulders.tables import (
    COMMON,
    COMPANIES,
    COMPANY_KEYS,
    DIRECTOR,
    MOST_SHARES,
    PREFERRED,
    UNITS,
    Company,
    Kind,
)

KINDS: tuple[Kind, ...] = (DIRECTOR, PREFERRED, COMMON)
CERTIFICATES = {certificate(company, kind): (company, kind) for company in COMPANY_KEYS for kind in KINDS}
"""The name of a kind of certificate -> its company and kind."""
CERTIFICATE = Named(
    mark("There is no certificate {name}. Choose one of {known}."),
    "BS 1.2",
    code="no_such_certificate",
    of=lambda state, seat: CERTIFICATES.keys(),
)
CertificateName = Annotated[str, naming(CERTIFICATE)]
Count = Annotated[int, Meta(ge=0, le=5)]
Sale = dict[CertificateName, Count]
KIND_TITLES = {DIRECTOR: mark("Director's"), PREFERRED: mark("Preferred"), COMMON: mark("Common")}


def check_place(state: ShouldersState, company: Company, kind: str, place: Place) -> None:
    title = COMPANIES[company].title
    if kind == DIRECTOR:
        raise Refused(
            "The director's certificate of {company} is not for sale.",
            "BS 5.3",
            company=title,
            code="directors_certificate",
            field="certificate",
        )
    there = 0 if company not in state.companies else state.at(company, kind, place_of(company, place))
    if not there:
        raise Refused(
            "There is no {certificate} there.",
            "BS 5.3",
            certificate=title_of(company, kind),
            code="not_there",
            field="place",
        )


def place_of(company: Company, place: Place) -> str:
    """The account of the ledger with the certificates for sale in a place."""
    return treasury_of(company) if place == "treasury" else BANK


def check_rebuy(state: ShouldersState, seat: int, company: Company) -> None:
    if company in state.sold[seat]:
        raise Refused(
            "You have sold {company} in this decade and cannot buy it back.",
            "BS 5.4",
            company=COMPANIES[company].title,
            code="sold_this_decade",
            field="company",
        )


def check_holding(state: ShouldersState, seat: int, company: Company, kind: str) -> None:
    """Raises `Refused` for both large certificates of a company, and for more than six shares."""
    if kind == PREFERRED and state.held(seat, company, DIRECTOR):
        raise Refused(
            "You hold the director's certificate of {company} and cannot hold the preferred one too.",
            "BS 1.3",
            company=COMPANIES[company].title,
            code="both_large_certificates",
            field="certificate",
        )
    shares = state.units(seat, company) + UNITS[kind]
    if shares > MOST_SHARES:
        raise Refused(
            "You would hold {shares} shares of {company}; {most} are allowed.",
            "BS 1.3",
            shares=shares,
            company=COMPANIES[company].title,
            most=MOST_SHARES,
            code="too_many_shares",
            field="company",
        )


def check_limit(state: ShouldersState, seat: int) -> None:
    if state.certificates(seat) >= state.limit:
        raise Refused(
            "You hold {held} certificates; {limit} are allowed.",
            "BS 1.3",
            held=state.certificates(seat),
            limit=state.limit,
            code="certificate_limit",
        )


def check_cash(state: ShouldersState, seat: int, cost: int) -> None:
    if cost > state.cash(seat):
        raise Refused(
            "This costs {cost}; you have {cash}.",
            "BS 5.3",
            cost=thousands(cost),
            cash=thousands(state.cash(seat)),
            code="not_enough_cash",
        )


def is_over_limit(state: ShouldersState, seat: int) -> bool:
    """True if the seat must sell: a change of directors can bring it over the limit. (B-75)"""
    has_others = any(state.held(seat, company, kind) for company in state.companies for kind in (PREFERRED, COMMON))
    return state.certificates(seat) > state.limit and has_others


def check_duty(state: ShouldersState, seat: int) -> None:
    """Raises `Refused` if the seat is over the limit: it must sell first. (B-75)"""
    if not state.has_sold and is_over_limit(state, seat):
        raise Refused(
            "You hold {held} certificates and may hold {limit}: sell first.",
            "B-75",
            held=state.certificates(seat),
            limit=state.limit,
            code="must_sell",
        )


def title_of(company: Company, kind: str) -> str:
    """`Swift & Co.: Preferred`."""
    return say("{company}: {kind}", company=COMPANIES[company].title, kind=say(KIND_TITLES[kind]))
