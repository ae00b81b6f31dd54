"""What lessons of Sectors look for in the learner's view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.boards.lessons import LEARNER
from game.rulesets.sectors.state import OPEN

Check = Callable[[Any], bool]


def owns(ticker: str, shares: int = 1) -> Check:
    """True if the learner holds at least this number of shares."""
    return lambda view: view.company(ticker).holdings.get(LEARNER, 0) >= shares


def is_active(ticker: str) -> Check:
    """True if a company operates."""
    return lambda view: view.company(ticker).status == "active"


def has_chosen(ticker: str, choice: str) -> Check:
    """True if a company's revenue vote of this turn ended so."""
    return lambda view: view.company(ticker).choice == choice


def was_given(ticker: str, cash: int) -> Check:
    """True if an insolvent company was given at least so much."""
    return lambda view: view.company(ticker).contributed >= cash


def has_demand(ticker: str, demand: int) -> Check:
    return lambda view: view.company(ticker).demand >= demand


def is_first(sector: str) -> Check:
    return lambda view: any(each.key == sector and each.priority == 1 for each in view.sectors)


def has_won(number: int) -> Check:
    """True if the learner has won the tranche with this number."""
    return lambda view: any(each.number == number and each.winner == LEARNER for each in view.tranches)


def has_prizes(ticker: str) -> Check:
    """True if a company has a prestige token and an ability."""
    return lambda view: bool(view.company(ticker).prestige and view.company(ticker).abilities)


def has_shorted(ticker: str) -> Check:
    return lambda view: any(
        order.seat == LEARNER and order.company == ticker and order.kind == "short" for order in view.orders
    )


def has_covered(ticker: str) -> Check:
    """True if the short with which the lesson began is no longer open."""
    return lambda view: (
        not any(order.company == ticker and order.kind == "short" and order.status == OPEN for order in view.orders)
    )


def has_contract(ticker: str) -> Check:
    return lambda view: any(one.owner == LEARNER and one.company == ticker for one in view.contracts)


def either(*checks: Check) -> Check:
    return lambda view: any(check(view) for check in checks)


def both(*checks: Check) -> Check:
    return lambda view: all(check(view) for check in checks)


def no(check: Check) -> Check:
    return lambda view: not check(view)


def is_past(*phases: str) -> Check:
    """True once none of these phases is open."""
    return lambda view: view.phase is None or view.phase.name not in phases


def is_past_without(check: Check, *phases: str) -> Check:
    """True if these phases went by and nothing came of it."""
    return both(is_past(*phases), no(check))
