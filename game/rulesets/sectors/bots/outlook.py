"""The future of a company: its next productions, simulated from public facts."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from game.rulesets.sectors.tables.chart import LAST, PRICES, TIER_STARTS, tier_of
from game.rulesets.sectors.tables.common import LOAN, STEADY_UNITS, THROUGHPUT_STEPS

MARKETING_COST, MARKETING_DEMAND = 100, 3
GROWTH = 0.1  # return of a dollar paid out for every turn that it can still be invested
CLOSING_VALUE = 0.3  # part of its price that a share of an insolvent company is thought to be worth

PRODUCTION, VOTE, VOTED = "production", "vote", "voted"
"""The next event: a production, a company vote, or the consumers' move after one."""

_STOPS = tuple(TIER_STARTS[tier_of(s) + 1] if tier_of(s) + 1 < len(TIER_STARTS) else LAST for s in range(LAST + 1))
_FLOORS = tuple(max(TIER_STARTS[tier_of(s)] - 1, 0) for s in range(LAST + 1))
_FAR = len(THROUGHPUT_STEPS) - 1


class Outset(msgspec.Struct, frozen=True):
    """The start of a company's outlook: money in whole dollars, supply, demand and consumers in units. `ahead` and
    `behind` are the consumers that rivals of its sector take each turn before and after it; the sector draws from the
    `economy` by its `pull` and the fading `lobby` against the `rest` of the sectors."""

    step: int
    existing: int
    unit_price: int
    supply: int
    extra_supply: int
    base_demand: int
    extra_demand: int
    cost: int
    actions: int
    treasury: int
    has_loan: bool
    consumers: float
    ahead: int
    behind: int
    economy: int
    pull: int
    lobby: int
    rest: int
    costs_demand: bool  # the same after a rise of the unit price
    efficiency: int  # steps up for a throughput of 0
    saved: int = 0  # dollars of each operating cost
    overshoot: int = 0
    is_steady: bool = False
    is_clean: bool = False
    is_shielded: bool = False
    is_thrifty: bool = False  # the next cost is halved
    is_free: bool = False  # the next cost is nothing
    bonus: int = 0  # percent on the next revenue


class Outlook(msgspec.Struct, frozen=True):
    """Expectations: the dividend of each production in dollars per share, and the price step before and after each."""

    dividends: tuple[float, ...]
    steps: tuple[int, ...]
    worth: float  # dollars a share will have brought at the end: its dividends and the last price


@lru_cache(maxsize=512)
def outlook(start: Outset, turns: int, comes: str = PRODUCTION) -> Outlook:
    """The next `turns` productions if revenue is paid out and the company takes its obvious actions."""
    dividends, steps, worth = _course(start, turns, comes, 0)
    return Outlook(tuple(dividends), tuple(steps), worth)


def worth_of(start: Outset, turns: int, comes: str, *, spent: int = 0) -> float:
    """The total return of a share until the end, in dollars, if the company spends this amount first."""
    return _course(start, turns, comes, spent)[2]


def _course(start: Outset, turns: int, comes: str, spent: int) -> tuple[list[float], list[int], float]:
    """Dividends, steps and worth over time. One long loop over plain numbers, because bots run it thousands of times a
    game. (S 6.2–6.7)"""
    step, unit_price, treasury, may_borrow = start.step, start.unit_price, start.treasury - spent, not start.has_loan
    supply, extra_supply, base, extra_demand = start.supply, start.extra_supply, start.base_demand, start.extra_demand
    cost, ahead, consumers, lobby = start.cost, start.ahead, start.consumers, start.lobby
    inflow = start.economy * start.pull / ((start.pull + start.rest) or 1)
    dividends, steps, income, votes = [], [step], 0.0, start.actions if comes == VOTE else 0
    due, due_later = _costs(start, is_first=True), _costs(start, is_first=False)
    for later in range(turns, 0, -1):
        for _ in range(votes):
            lacking = supply + extra_supply - base - extra_demand
            if lacking > 1 and treasury > MARKETING_COST + cost:
                treasury, extra_demand = treasury - MARKETING_COST, extra_demand + MARKETING_DEMAND
            elif may_borrow and treasury <= MARKETING_COST + cost:
                treasury, may_borrow = treasury + LOAN, False
            elif lacking < 1:
                unit_price, extra_demand = unit_price + 10, extra_demand - (start.costs_demand and extra_demand > 0)
        if later < turns or comes != PRODUCTION:
            pull = start.pull + lobby
            consumers += inflow if not lobby else start.economy * pull / (pull + start.rest)
            lobby -= lobby > 0
        demand, output, waiting = base + extra_demand, supply + extra_supply, int(consumers) - ahead
        sold = _sold(start, min(output, demand), waiting)
        consumers = max(waiting - sold - start.behind, 0)
        if (gap := abs(output - demand)) != 1:
            step = _after_throughput(start, step, gap)
        treasury -= due[gap > 0]
        revenue = unit_price * sold if later < turns else unit_price * sold * (100 + start.bonus) // 100
        retained = revenue - revenue // 2 if 0 < treasury < 2 * cost else 0
        treasury, paid = treasury + retained, revenue - retained
        step = min(step + paid // PRICES[step], _STOPS[step] + start.overshoot, LAST)
        steps.append(step)
        dividends.append(dividend := paid / start.existing)
        income += dividend * (1 + GROWTH * (later - 1))
        if treasury <= 0:
            break
        extra_supply, extra_demand = extra_supply - (extra_supply > 0), extra_demand - (extra_demand > 0)
        votes, due = start.actions, due_later
    return dividends, steps, income + PRICES[step] * (1 if treasury > 0 else CLOSING_VALUE)


def _sold(start: Outset, output: int, waiting: int) -> int:
    """Units sold to the waiting consumers; Steady Demand sells a few more. (S 6.2)"""
    if output <= waiting:
        return output
    return min(max(waiting, 0) + STEADY_UNITS * start.is_steady, output)


def _after_throughput(start: Outset, step: int, gap: int) -> int:
    """The price step after the throughput. (S 6.3)"""
    if not gap:
        return min(step + start.efficiency, LAST)
    if start.is_clean:
        return step
    return max(step - THROUGHPUT_STEPS[min(gap, _FAR)], _FLOORS[step] if start.is_shielded else 0)


def _costs(start: Outset, *, is_first: bool) -> tuple[int, int]:
    """The operating cost at a throughput of 0 and at any other; an action of the preceding vote lowers the first one.
    (S 6.4)"""
    if is_first and start.is_free:
        return 0, 0
    cost = start.cost // 2 if is_first and start.is_thrifty else start.cost
    return max(cost // 2 - start.saved, 0), max(cost - start.saved, 0)
