"""Turns at the start and in the stock phase: who acts, who passes automatically, and how the phase ends. (BS 5.8)"""

from __future__ import annotations

from itertools import chain, product

from game.engine.actions import Action, Refused
from game.engine.ledger import BANK, treasury_of
from game.engine.play import Play
from game.rulesets.big_shoulders.events import DecadeBegun, FullyOwned, PriorityMoved
from game.rulesets.big_shoulders.state import Place, ShouldersState, certificate
from game.rulesets.big_shoulders.stock import Buy, Done, PassTurn, Sell, Start, pass_turn
from game.rulesets.big_shoulders.stock_checks import CERTIFICATES, is_over_limit
from game.rulesets.big_shoulders.tables import COMMON, COMPANY_KEYS, DIRECTOR, OPENING_VALUES, PREFERRED, Kind
from game.rulesets.big_shoulders.values import move_value

PLACES: tuple[Place, ...] = ("treasury", "pool")
BOUGHT: tuple[Kind, ...] = (PREFERRED, COMMON)


def is_setting_up(state: ShouldersState) -> bool:
    """True until every player has started a company."""
    return None in state.first_companies


def begin_first_company(play: Play[ShouldersState]) -> None:
    """The next seat starts its first company; the order is counter-clockwise from the first seat. (B-3)"""
    play.state.acting = play.state.queue.pop(0)


def start_for(play: Play[ShouldersState], seat: int) -> None:
    """Start the first company in table order for a seat, at the lowest value. (B-78)"""
    company = next(key for key in COMPANY_KEYS if key not in play.state.companies)
    Start(actor=seat, company=company, value=OPENING_VALUES[0]).carry_out(play)


def is_dealing(state: ShouldersState) -> bool:
    """True until all players have passed in a row. (BS 5.8)"""
    return state.passes < state.seats


def begin_stock_turn(play: Play[ShouldersState]) -> None:
    """The next seat acts, clockwise from the marker; a seat that can neither sell, buy nor start passes automatically.
    (B-11)"""
    state = play.state
    state.is_setting_up = False
    if state.is_decade_over:
        state.is_decade_over = False
        state.turn += 1
        play.emit(DecadeBegun(decade=state.turn))
    if not state.queue:
        state.queue = [(state.priority + step) % state.seats for step in range(state.seats)]
    state.acting = state.queue.pop(0)
    state.has_sold = False
    if not can_sell(state, state.acting) and not can_buy(state, state.acting):
        pass_turn(play, state.acting, is_automatic=True)


def can_sell(state: ShouldersState, seat: int) -> bool:
    return any(
        state.held(seat, company, kind) and _is_allowed(Sell(actor=seat, certificates={name: 1}), state)
        for name, (company, kind) in CERTIFICATES.items()
        if company in state.companies
    )


def can_buy(state: ShouldersState, seat: int) -> bool:
    """True if the seat may buy any certificate or start any company."""
    purchases = (
        Buy(actor=seat, company=company, certificate=kind, place=place)
        for company, kind, place in product(state.companies, BOUGHT, PLACES)
    )
    starts = (Start(actor=seat, company=company, value=OPENING_VALUES[0]) for company in COMPANY_KEYS)
    return any(_is_allowed(action, state) for action in chain(purchases, starts))


def _is_allowed(action: Action, state: ShouldersState) -> bool:
    try:
        action.check(state)
    except Refused as refusal:
        return refusal.code == "sells_too_little"  # more would be allowed
    return True


def pass_for(play: Play[ShouldersState], seat: int) -> None:
    """Pass for a seat; if it is over the limit of certificates, first sell just enough of its cheapest ones. (B-78)"""
    state = play.state
    if not state.has_sold and is_over_limit(state, seat):
        Sell(actor=seat, certificates=_cheapest(state, seat)).carry_out(play)
    elif state.has_sold:
        Done(actor=seat).carry_out(play)
    else:
        PassTurn(actor=seat).carry_out(play)


def _cheapest(state: ShouldersState, seat: int) -> dict[str, int]:
    """The certificates to sell to reach the limit: common ones, then preferred ones, each of the lowest value first."""
    missing, sale = state.certificates(seat) - state.limit, {}
    by_value = sorted(state.companies, key=lambda key: (state.price(key), COMPANY_KEYS.index(key)))
    for kind, company in product((COMMON, PREFERRED), by_value):
        number = min(missing, state.held(seat, company, kind))
        missing -= number
        if number:
            sale[certificate(company, kind)] = number
    return sale


def end_stock(play: Play[ShouldersState]) -> None:
    """Move the marker to the left of the last seat that traded, and raise the value of fully owned companies. (BS 5.8,
    B-17)"""
    state = play.state
    if state.last_dealer is not None:
        state.priority = (state.last_dealer + 1) % state.seats
        play.emit(PriorityMoved(seat=state.priority))
    state.passes, state.last_dealer, state.queue = 0, None, []
    for company in COMPANY_KEYS:
        if company in state.companies and is_fully_owned(state, company):
            play.emit(FullyOwned(company=company))
            move_value(play, company, 1)


def is_fully_owned(state: ShouldersState, company: str) -> bool:
    """True if players hold all certificates of a company."""
    return not any(
        state.ledger.at(f"{company}:{kind}", place)
        for kind in (DIRECTOR, PREFERRED, COMMON)
        for place in (treasury_of(company), BANK)
    )
