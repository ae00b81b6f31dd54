"""The life of a company: opened, floated, insolvent, bankrupt. (S 1.3, 5.4, 6.12)"""

from __future__ import annotations

from game.engine.ledger import BANK, OUTSIDE, cash_of, hand_of, treasury_of
from game.engine.play import Play
from game.rulesets.sectors import causes
from game.rulesets.sectors.events.opening import CompanyOpened
from game.rulesets.sectors.events.operations import BecameInsolvent, LiquidationPaid
from game.rulesets.sectors.events.orders import CompanyFloated, ContractExpired, OrderRejected, ShortClosed
from game.rulesets.sectors.ledger import ASIDE, IPO, MARKET, margin_of
from game.rulesets.sectors.numbers import is_floating, open_shorts
from game.rulesets.sectors.state import (
    ACTIVE,
    BANKRUPT,
    FILLED,
    INACTIVE,
    INSOLVENT,
    LIVE,
    REJECTED,
    Company,
    Order,
    SectorsState,
)
from game.rulesets.sectors.tables.chart import PRICES, nearest_step
from game.rulesets.sectors.tables.common import LIQUIDATION_PERCENT, SHARES_PER_COMPANY
from game.rulesets.sectors.tables.sectors import SECTORS


def open_company(play: Play[SectorsState], sector: str, tier: str, names: tuple[tuple[str, str], ...]) -> Company:
    """Open an INACTIVE company with drawn name, IPO price and unit price; its treasury is ten IPO prices. (S 1.3,
    7.8)"""
    state, card = play.state, SECTORS[sector]
    name, ticker = _draw_name(play, names)
    step = nearest_step(play.chance.integer("ipo_price", *card.ipo))
    unit_price = play.chance.integer("unit_price", *card.unit_price)
    company = Company(ticker, name, sector, tier, len(state.companies), step, PRICES[step], unit_price)
    state.companies[ticker] = company
    play.ledger.issue(ticker, IPO, SHARES_PER_COMPANY)
    play.pay(OUTSIDE, treasury_of(ticker), company.ipo_price * SHARES_PER_COMPANY, why="new company")
    title = state.tables.tiers[tier].title
    play.emit(CompanyOpened(company=ticker, name=name, sector=card.title, tier=title, ipo_price=company.ipo_price))
    return company


def _draw_name(play: Play[SectorsState], names: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    """A name whose ticker and title are not in use. (A15)"""
    used = {company.name for company in play.state.companies.values()}
    free = [name for name, ticker in names if ticker not in play.state.companies and name not in used]
    drawn = play.chance.pick("company_name", free)
    return next((name, ticker) for name, ticker in names if name == drawn)


def float_if_sold(play: Play[SectorsState], company: Company) -> None:
    """Make an INACTIVE company ACTIVE if enough shares have left the IPO. (S 5.4)"""
    if company.status != INACTIVE or not is_floating(play.state, company):
        return
    company.status = ACTIVE
    play.state.sectors[company.sector].has_floated = True
    play.emit(CompanyFloated(company=company.ticker))


def charge(play: Play[SectorsState], company: Company, cost: int, why: str) -> int:
    """Take a cost from the treasury, at most what it has, and return the amount taken; company money leaves the game.
    (S 7.10)"""
    return play.pay_up_to(treasury_of(company.ticker), OUTSIDE, cost, why=why)


def become_insolvent_if_broke(play: Play[SectorsState], company: Company, cost: int) -> None:
    """Make an ACTIVE company INSOLVENT if a cost leaves nothing; a cost of 0 never does. (S 6.4, A39, A48)"""
    if cost and company.status == ACTIVE and not play.state.treasury(company.ticker):
        company.status = INSOLVENT
        play.emit(BecameInsolvent(company=company.ticker))


def go_bankrupt(play: Play[SectorsState], company: Company) -> None:
    """Pay a tenth of the price for every share, end all instruments, and delist the company. (S 6.12, R-14, A34, A34
    order)"""
    _end_orders(play, company)
    _void_contracts(play, company)
    for seat in play.state.priority:
        _liquidate(play, company, seat)
    # After the shares, so that a debtor pays out of everything there is.
    for short in [s for s in open_shorts(play.state) if s.company == company.ticker]:
        _close_short(play, company, short)
    for place in (IPO, MARKET, ASIDE):
        play.ledger.destroy(company.ticker, place, play.ledger.at(company.ticker, place))
    play.pay(
        treasury_of(company.ticker), OUTSIDE, play.state.treasury(company.ticker), why="treasury of a bankrupt company"
    )
    company.status = BANKRUPT
    company.revenue = 0


def _liquidate(play: Play[SectorsState], company: Company, seat: int) -> None:
    shares = play.state.shares(company.ticker, seat)
    if not shares:
        return
    amount = LIQUIDATION_PERCENT * company.price * shares // 100
    play.pay(BANK, cash_of(seat), amount, why="bankruptcy payout")
    play.ledger.destroy(company.ticker, hand_of(seat), shares)
    del play.ledger.shares[company.ticker][hand_of(seat)]
    play.emit(LiquidationPaid(company=company.ticker, seat=seat, shares=shares, amount=amount))


def _end_orders(play: Play[SectorsState], company: Company) -> None:
    for order in play.state.orders.values():
        if order.company == company.ticker and order.status in LIVE and order not in open_shorts(play.state):
            reject(play, order, causes.ORDER_BANKRUPT.format(company=company.ticker), "A34")


def _void_contracts(play: Play[SectorsState], company: Company) -> None:
    for contract in [c for c in play.state.contracts.values() if c.company == company.ticker]:
        del play.state.contracts[contract.id]
        if contract.owner is not None:
            why = causes.BANKRUPT.format(company=company.ticker)
            play.emit(ContractExpired(contract=contract.id, company=company.ticker, seat=contract.owner, why=why))


def _close_short(play: Play[SectorsState], company: Company, short: Order) -> None:
    """Free the margin, then pay the tenth of the price, but no more than the cash. (A34)"""
    play.pay(margin_of(short.seat), cash_of(short.seat), short.margin, why="margin")
    owed = LIQUIDATION_PERCENT * company.price * short.quantity // 100
    paid = play.pay_up_to(cash_of(short.seat), BANK, owed, why="short closed at bankruptcy")
    short.status, short.paid = FILLED, paid
    why = causes.BANKRUPT.format(company=company.ticker)
    play.emit(
        ShortClosed(company=company.ticker, order=short.id, seat=short.seat, paid=paid, margin=short.margin, why=why)
    )


def reject(play: Play[SectorsState], order: Order, reason: str, rule: str) -> None:
    """End an order without a trade; the shares that it asked for stay for the next in line. `reason` is one of
    `causes`."""
    order.status, order.reason = REJECTED, reason
    play.emit(
        OrderRejected(
            order=order.id,
            seat=order.seat,
            company=order.company,
            quantity=order.quantity,
            reason=reason,
            rule=rule,
            kind=order.kind,
            side=order.side,
            location=order.location,
            price=order.price,
        )
    )
