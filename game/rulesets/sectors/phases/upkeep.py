"""Capital gains, divestment, and the end of the turn. (S 7.1–7.7; phases 28–30)"""

from __future__ import annotations

from collections import Counter

from game.engine.ledger import BANK, OUTSIDE, cash_of, hand_of, treasury_of
from game.engine.play import Play
from game.rulesets.sectors import causes, numbers, prices
from game.rulesets.sectors.events.orders import ContractOffered, ShortClosed
from game.rulesets.sectors.events.upkeep import (
    BankBroke,
    ConsumersMoved,
    Divested,
    EconomyMoved,
    FinalWorth,
    GameEnded,
    LoanInterestPaid,
    TaxPaid,
)
from game.rulesets.sectors.ledger import ASIDE, IPO, MARKET, margin_of
from game.rulesets.sectors.scoring import standings
from game.rulesets.sectors.state import ACTIVE, BANKRUPT, FILLED, FLOATED, FULL, HALF, RETAIN, Contract, SectorsState
from game.rulesets.sectors.tables.common import LOAN, OPTION_BUNDLES, OPTION_TERMS, OPTIONS_ON_SALE, certificate_limit
from game.rulesets.sectors.tables.edition import Edition
from game.rulesets.sectors.tables.sectors import SECTORS


def tax_percent(tables: Edition, base: int) -> int:
    """The rate on the whole base; an amount at a boundary is taxed at the lower rate. (S 7.1)"""
    return next((percent for upto, percent in tables.tax_brackets if base <= upto), tables.tax_above)


def tax_gains(play: Play[SectorsState]) -> None:
    """Tax this turn's realised income, but no more than the cash. (S 7.1)"""
    state = play.state
    for seat in state.priority:
        income = _tax_base(state, seat)
        percent = tax_percent(state.tables, income)
        paid = play.pay_up_to(cash_of(seat), BANK, income * percent // 100, why="capital gains")
        if percent:
            play.emit(TaxPaid(seat=seat, base=income, percent=percent, amount=paid))


def _tax_base(state: SectorsState, seat: int) -> int:
    """The taxable amount: the turn's income, or in the first edition the net worth, never below 0. (A63, D13)"""
    return state.incomes[seat] if state.tables.tax_base == "income" else max(numbers.net_worth(state, seat), 0)


def divest(play: Play[SectorsState]) -> None:
    """A player with more shares than the certificate limit sells drawn ones; then each company's price falls by its own
    sales. (S 7.2, A64)"""
    state = play.state
    sold: Counter[str] = Counter()
    limit = certificate_limit(state.seats)
    for seat in state.priority:
        mine = [ticker for ticker in state.companies for _ in range(state.shares(ticker, seat))]
        if len(mine) > limit:
            lost = Counter(play.chance.order("divest", mine)[limit:])
            for ticker, shares in lost.items():
                _sell_off(play, seat, ticker, shares, limit)
            sold += lost
    for company in numbers.companies_in_order(state):
        if sold[company.ticker]:
            prices.fall(play, company, sold[company.ticker], causes.DIVESTED.format(shares=sold[company.ticker]))


def _sell_off(play: Play[SectorsState], seat: int, ticker: str, shares: int, limit: int) -> None:
    """Sell shares to the open market at the current price; those of a company that has not floated go back to its IPO
    at the IPO price. (I16)"""
    company = play.state.companies[ticker]
    is_floated = company.status in FLOATED
    price, place = (company.price, MARKET) if is_floated else (company.ipo_price, IPO)
    play.pay(BANK, cash_of(seat), price * shares, why="divestment")
    play.ledger.hand_over(ticker, hand_of(seat), place, shares)
    play.emit(Divested(company=ticker, seat=seat, shares=shares, price=price, limit=limit))


def end_turn(play: Play[SectorsState]) -> None:
    """Change the economy score, charge loan interest, offer new contracts, and end the game or move the consumers.
    (S 7.3–7.7, 4.5)"""
    state = play.state
    _move_economy(play)
    _charge_loans(play)
    _offer_contracts(play)
    state.turn_is_over = True
    if state.bank_broke or state.turn >= state.options.max_turns:
        _end_game(play)
    else:
        _move_consumers(play)


def _move_economy(play: Play[SectorsState]) -> None:
    """Change the economy score once every sector has floated: by +1 if every sector has a company that paid dividends,
    by −1 if any company retained its revenue, by 0 if both or neither. (S 7.3)"""
    state = play.state
    if not all(sector.has_floated for sector in state.sectors.values()):
        return
    living = [company for company in state.companies.values() if company.status != BANKRUPT]
    paying = {company.sector for company in living if company.choice in (FULL, HALF)}
    up = len(paying) == len(state.sectors)
    down = any(company.choice == RETAIN for company in living)
    was, state.economy = state.economy, max(state.economy + up - down, 0)
    if state.economy != was:
        play.emit(EconomyMoved(was=was, now=state.economy))


def loan_interest(state: SectorsState) -> int:
    """Dollars that a company with a loan pays each turn, rounded up. (R-4)"""
    per_mille = {"0.1": 1, "10": 100}[state.options.loan_interest_percent]
    return -(-LOAN * per_mille // 1000)


def _charge_loans(play: Play[SectorsState]) -> None:
    """Charge the interest, which never makes a company INSOLVENT by itself. (S 7.4)"""
    for company in play.state.companies.values():
        if company.has_loan and company.status != BANKRUPT:
            paid = play.pay_up_to(treasury_of(company.ticker), OUTSIDE, loan_interest(play.state), why="loan interest")
            play.emit(LoanInterestPaid(company=company.ticker, amount=paid))


def _offer_contracts(play: Play[SectorsState]) -> None:
    """Replace unsold contracts by three new ones on drawn ACTIVE companies. (S 1.11, A23)"""
    state = play.state
    state.contracts = {key: contract for key, contract in state.contracts.items() if contract.owner is not None}
    active = sorted(company.ticker for company in state.companies.values() if company.status == ACTIVE)
    for _ in range(OPTIONS_ON_SALE if active and state.options.option_orders else 0):
        contract = _draw_contract(play, active)
        state.contracts[contract.id] = contract
        play.emit(
            ContractOffered(
                contract=contract.id,
                company=contract.company,
                shares=contract.shares,
                term=contract.term,
                strike=contract.strike,
                premium=contract.premium,
                bonus=contract.bonus,
            )
        )


def _draw_contract(play: Play[SectorsState], active: list[str]) -> Contract:
    ticker = play.chance.pick("contract_company", active)
    term = play.chance.pick("contract_term", OPTION_TERMS)
    shares, bonus = play.chance.pick("contract_bundle", OPTION_BUNDLES)
    company = play.state.companies[ticker]
    rate, volatility = play.state.tables.option_rates_percent[term], SECTORS[company.sector].volatility_percent
    strike, premium = option_prices(company.price, rate, volatility, shares)
    return Contract(play.state.new_id(), ticker, term, shares, bonus, strike, premium)


def option_prices(price: int, rate: int, volatility: int, shares: int) -> tuple[int, int]:
    """Strike and premium, rounded up: P(1 + r + v), and P(r + v/3) per share; r and v in percent. (S 1.11)"""
    strike = -(-price * (100 + rate + volatility) // 100)
    premium = -(-price * (3 * rate + volatility) * shares // 300)
    return strike, premium


def _end_game(play: Play[SectorsState]) -> None:
    """Settle all shorts at the final price, margins first, then rank by net worth. (R-6)"""
    state = play.state
    shorts = numbers.open_shorts(state)
    for short in shorts:
        play.pay(margin_of(short.seat), cash_of(short.seat), short.margin, why="margin")
    for short in shorts:
        owed = short.quantity * state.companies[short.company].price
        short.status, short.paid = FILLED, play.pay_up_to(cash_of(short.seat), BANK, owed, why="short cover")
        play.ledger.hand_over(short.company, ASIDE, MARKET, short.quantity)
        play.emit(
            ShortClosed(
                company=short.company,
                order=short.id,
                seat=short.seat,
                paid=short.paid,
                margin=short.margin,
                why=causes.GAME_OVER,
            )
        )
    state.end = "bank" if state.bank_broke else "turns"
    if state.bank_broke:
        play.emit(BankBroke(bank=play.ledger.balance(BANK)))
    play.emit(GameEnded(end=state.end))
    for standing in standings(state):
        play.emit(FinalWorth(seat=standing.seat, place=standing.place, worth=standing.score))


def _move_consumers(play: Play[SectorsState]) -> None:
    """Deal as many consumers as the economy score to the sectors in their priority, pass by pass. (S 7.7)"""
    state = play.state
    moved = consumers_to_move(state)
    for sector in numbers.sectors_in_order(state):
        count = moved.get(sector.key, 0)
        sector.consumers += count
        state.pool -= count
        if count:
            play.emit(ConsumersMoved(sector=SECTORS[sector.key].title, count=count))


def consumers_to_move(state: SectorsState) -> dict[str, int]:
    """The number of consumers for each sector: its demand in every pass, until score or pool is used up. (S 7.7)"""
    moved: Counter[str] = Counter()
    consumers = min(state.economy, state.pool)
    in_order = numbers.sectors_in_order(state)
    while consumers and any(numbers.pull_of(state, sector) for sector in in_order):
        for sector in in_order:
            give = min(numbers.pull_of(state, sector), consumers)
            moved[sector.key] += give
            consumers -= give
    return dict(moved)
