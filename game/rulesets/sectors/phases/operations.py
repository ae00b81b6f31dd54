"""Production, the distribution of revenue, and the price adjustment. (S 6.1–6.6; phases 21–24)"""

from __future__ import annotations

from collections.abc import Mapping

from game.engine.language import mark
from game.engine.ledger import BANK, cash_of, treasury_of
from game.engine.modifiers import spend
from game.engine.play import Play
from game.rulesets.sectors import causes, lasting, numbers, prices
from game.rulesets.sectors.actions import VoteFullRevenue, VoteRevenue
from game.rulesets.sectors.companies import become_insolvent_if_broke, charge
from game.rulesets.sectors.counting import rank_revenue
from game.rulesets.sectors.events.operations import (
    DividendPaid,
    OperatingCostPaid,
    OrderLocked,
    Produced,
    RevenueRetained,
    RevenueVoted,
    ShortDividendPaid,
    Tally,
)
from game.rulesets.sectors.state import FLOATED, FULL, HALF, RETAIN, Company, SectorsState

CHOICES = {FULL: mark("full dividends"), HALF: mark("half dividends"), RETAIN: mark("to retain the revenue")}
USED_BY_PRODUCTION = frozenset({"cost_free", "cost_halved", "reserve_percent", "surge_percent"})


def produce(play: Play[SectorsState]) -> None:
    """Sell, apply throughput, then pay operating costs, sector by sector, companies by 6.1. (S 6.2–6.4, R-15)"""
    in_order = numbers.companies_in_order(play.state)
    for company in in_order:
        _sell(play, company)
    for company in in_order:
        _operate(play, company)
        company.modifiers = spend(company.modifiers, USED_BY_PRODUCTION)


def _sell(play: Play[SectorsState], company: Company) -> None:
    """Units sold, revenue, sales bonus, and the price fall by throughput. (S 6.2, 6.3, R-7)"""
    state = play.state
    supply, demand = numbers.supply_of(state, company), numbers.demand_of(company)
    company.produced, company.sold = supply, _units_sold(state, company, min(supply, demand))
    company.revenue = _revenue(state, company)
    throughput = numbers.throughput_of(state, company)
    has_bonus = 0 < company.sold == min(supply, demand)
    company.prestige += has_bonus
    play.emit(
        Produced(
            company=company.ticker,
            sold=company.sold,
            supply=supply,
            demand=demand,
            unit_price=company.unit_price,
            revenue=company.revenue,
            throughput=throughput,
            prestige=has_bonus,
        )
    )
    if steps := numbers.throughput_steps(throughput):
        prices.fall(play, company, steps, causes.GAP.format(gap=throughput))
    if throughput == 0:
        prices.rise(play, company, state.tables.efficiency_steps, causes.GAP.format(gap=0))


def _units_sold(state: SectorsState, company: Company, output: int) -> int:
    """The output, but no more than the waiting consumers buy; Steady Demand sells a few more. (S 6.2)"""
    sector = state.sectors[company.sector]
    served = min(output, sector.consumers)
    sector.consumers -= served
    state.pool += served
    beyond = numbers.modifier(state, company, "unserved_sales") if not sector.consumers else 0
    return served + min(beyond, output - served)


def _revenue(state: SectorsState, company: Company) -> int:
    """Unit price × units, raised by a pending reserve, then by a pending surge, each floored. (A86)"""
    revenue = company.unit_price * company.sold
    for number in ("reserve_percent", "surge_percent"):
        revenue += revenue * numbers.modifier(state, company, number) // 100
    return revenue


def _operate(play: Play[SectorsState], company: Company) -> None:
    """Pay the operating cost; a company whose treasury falls to 0 becomes INSOLVENT. (S 6.4, A39)"""
    cost = numbers.operating_cost_of(play.state, company)
    paid = charge(play, company, cost, "operating cost")
    treasury = play.state.treasury(company.ticker)
    play.emit(OperatingCostPaid(company=company.ticker, amount=paid, treasury=treasury))
    become_insolvent_if_broke(play, company, cost)


def take_revenue_votes(play: Play[SectorsState]) -> None:
    """Keep the votes for phase 23; a vote for a single company takes precedence over full dividends from now on."""
    votes = play.state.revenue_votes
    for always in play.inputs_of(VoteFullRevenue):
        for company in lasting.companies_to_vote_on(play.state, always.actor):
            votes.setdefault(company.ticker, {})[always.actor] = FULL
    for vote in play.inputs_of(VoteRevenue):
        votes.setdefault(vote.company, {})[vote.actor] = vote.choice


def distribute_revenue(play: Play[SectorsState]) -> None:
    """Count the votes and pay, company by company. (S 6.5)"""
    for company in numbers.companies_in_order(play.state):
        if company.revenue:
            _count(play, company)
            _pay_shareholders(play, company, distributed_by(company))
            _keep(play, company, company.revenue - distributed_by(company))
    play.state.revenue_votes = {}


def _count(play: Play[SectorsState], company: Company) -> None:
    """The choice with the most shares; a tie goes to the best-placed voter among the tied; without votes: retain. (S
    6.5)"""
    state = play.state
    votes = state.revenue_votes.get(company.ticker, {})
    shares = {seat: state.shares(company.ticker, seat) for seat in votes}
    ranked = rank_revenue(votes, shares, state.priority)
    weight = dict.fromkeys((FULL, HALF, RETAIN), 0) | {each.key: each.shares for each in ranked}
    company.choice = ranked[0].key if ranked else RETAIN
    play.emit(
        RevenueVoted(
            company=company.ticker,
            choice=company.choice,
            full=weight[FULL],
            half=weight[HALF],
            retain=weight[RETAIN],
            tallies=tuple(_tally(state, votes, choice, shares) for choice in weight if weight[choice]),
        )
    )


def _tally(state: SectorsState, votes: Mapping[int, str], choice: str, shares: Mapping[int, int]) -> Tally:
    """The voters of one choice with their shares, best player priority first."""
    voters = tuple(seat for seat in state.priority if votes.get(seat) == choice)
    weights = tuple(shares[seat] for seat in voters)
    return Tally(choice, CHOICES[choice], sum(weights), voters, weights)


def distributed_by(company: Company) -> int:
    """Dollars for the shareholders: all, half rounded down, or none. (S 6.5)"""
    return {FULL: company.revenue, HALF: company.revenue // 2}.get(company.choice, 0)


def _pay_shareholders(play: Play[SectorsState], company: Company, amount: int) -> None:
    """Pay every player their exact fraction, floored once; then charge the shorts. (S 6.5, 23 order, short
    dividends)"""
    state, existing = play.state, play.ledger.existing(company.ticker)
    for seat in state.priority:
        shares = state.shares(company.ticker, seat)
        dividend = numbers.share_of(amount, shares, existing)
        if dividend:
            play.pay(BANK, cash_of(seat), dividend, why="dividend")
            state.incomes[seat] += dividend
            play.emit(DividendPaid(company=company.ticker, seat=seat, amount=dividend, shares=shares))
    for short in [s for s in numbers.open_shorts(state) if s.company == company.ticker]:
        owed = numbers.share_of(amount, short.quantity, existing)
        paid = play.pay_up_to(cash_of(short.seat), BANK, owed, why="short dividend")
        if owed:
            play.emit(ShortDividendPaid(company=company.ticker, seat=short.seat, amount=paid, owed=owed))


def _keep(play: Play[SectorsState], company: Company, amount: int) -> None:
    """Put the rest of the revenue into the treasury, including the odd dollar of a half. (S 6.5, A43)"""
    if amount:
        play.pay(BANK, treasury_of(company.ticker), amount, why="retained revenue")
        play.emit(RevenueRetained(company=company.ticker, amount=amount))


def adjust_prices(play: Play[SectorsState]) -> None:
    """Move prices by the distributions, let campaigns fade, and lock the action order. (S 6.6)"""
    state = play.state
    for company in numbers.companies_in_order(state):
        if company.choice == RETAIN:
            prices.fall(play, company, 1, causes.RETAINED)
        elif company.choice:
            prices.move_for_dividend(play, company, distributed_by(company))
    _fade(state)
    _lock_order(play)


def _fade(state: SectorsState) -> None:
    """Reduce temporary demand and supply by 1. (S 6.6)"""
    for sector in state.sectors.values():
        sector.temporary_demand = max(sector.temporary_demand - 1, 0)
    for company in state.companies.values():
        company.temporary_supply = max(company.temporary_supply - 1, 0)
        if company.status in FLOATED:
            company.temporary_demand = max(company.temporary_demand - 1, 0)


def _lock_order(play: Play[SectorsState]) -> None:
    """All floated companies of all sectors by 6.1; nothing later in the turn changes it. (S 6.6, R-2)"""
    state = play.state
    floated = [company for company in state.companies.values() if company.status in FLOATED]
    state.queue = [c.ticker for c in sorted(floated, key=lambda c: numbers.company_priority(state, c))]
    if state.tables.locks_company_order:
        play.emit(OrderLocked(order=tuple(state.queue)))
