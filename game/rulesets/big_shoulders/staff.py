"""Workers, managers, salespeople and automation of a company. (BS 1.7, BS 6.3, BS 6.4)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from game.engine.play import Play
from game.rulesets.big_shoulders.company_events import (
    Automated,
    GoodsMade,
    ManagerHired,
    SalespersonHired,
    WorkersPlaced,
)
from game.rulesets.big_shoulders.state import MARKET, SUPPLY, WORKERS, ShouldersState, staff_of
from game.rulesets.big_shoulders.tables import COMPANIES, MOST_WORKERS, Company, Factory

FactoryKey = Literal["1", "2", "3"]
"""A factory as the key of a table."""
Move = Literal["1", "2", "3", "1>1", "1>2", "1>3", "2>1", "2>2", "2>3", "3>1", "3>2", "3>3"]
"""An automation: the factory, and after `>` the one to which its worker moves; alone he leaves the company."""


def parts_of(move: Move) -> tuple[int, int | None]:
    """The factory that is automated, and the one to which its worker moves."""
    factory, _, to = move.partition(">")
    return int(factory), int(to) if to else None


def moves_in(workers: list[int], free: list[int]) -> list[Move]:
    """Every automation that is possible with these workers and free spaces by factory."""
    targets = [f">{number}" for number, spaces in enumerate(free, 1) if spaces] or [""]
    return [f"{number}{to}" for number, staff in enumerate(workers, 1) if staff for to in targets]  # type: ignore[misc]


def after_move(workers: list[int], free: list[int], move: Move) -> tuple[list[int], list[int]]:
    """Workers and free spaces by factory once it is done: the token takes the worker's space."""
    factory, to = parts_of(move)
    workers, free = list(workers), list(free)
    workers[factory - 1] -= 1
    if to is not None:
        workers[to - 1] += 1
        free[to - 1] -= 1
    return workers, free


def automate(play: Play[ShouldersState], company: Company, move: Move) -> None:
    """Automate a factory. The displaced worker goes where the move says, otherwise to the market, or to the supply when
    the market is full. (B-41)"""
    state, (factory, to) = play.state, parts_of(move)
    state.companies[company].factories[factory - 1].automated += 1
    place = staff_of(company, to) if to else MARKET if state.market < MOST_WORKERS else SUPPLY
    play.ledger.hand_over(WORKERS, staff_of(company, factory), place, 1)
    play.emit(Automated(company=company, factory=factory, to=to or 0, is_in_market=place == MARKET))


def place_workers(play: Play[ShouldersState], company: Company, workers: Mapping[FactoryKey, int], source: str) -> None:
    """Place workers from the supply; or from the market and, once it is empty, from the supply."""
    count = 0
    for key, number in workers.items():
        for _ in range(number):
            place = source if play.ledger.at(WORKERS, source) else SUPPLY
            play.ledger.hand_over(WORKERS, place, staff_of(company, int(key)), 1)
            count += 1
    if count:
        play.emit(WorkersPlaced(company=company, workers=count, market=play.state.market))


def hire_manager(play: Play[ShouldersState], company: Company, factory: Factory) -> None:
    play.state.companies[company].factories[factory - 1].has_manager = True
    play.emit(ManagerHired(company=company, factory=factory))


def hire_salesperson(play: Play[ShouldersState], company: Company) -> None:
    """Hire one more salesperson, which raises the price of a good."""
    own = play.state.companies[company]
    own.salespeople += 1
    play.emit(SalespersonHired(company=company, price=COMPANIES[company].prices[own.salespeople]))


def make_goods(play: Play[ShouldersState], company: Company, goods: int) -> None:
    own = play.state.companies[company]
    own.goods += goods
    play.emit(GoodsMade(company=company, goods=goods, total=own.goods))


def unmanaged(state: ShouldersState, company: Company) -> list[int]:
    """The numbers of the factories without a manager."""
    return [number for number, own in enumerate(state.companies[company].factories, 1) if not own.has_manager]


def sales_left(state: ShouldersState, company: Company) -> int:
    """Salespeople that a company may still hire."""
    return COMPANIES[company].most_salespeople - state.companies[company].salespeople
