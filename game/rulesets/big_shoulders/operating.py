"""The operation of a company: cubes, factories, sales, and the dividend. (BS 7)"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from game.engine.actions import Action, Refused
from game.engine.language import mark, say
from game.engine.ledger import BANK, treasury_of
from game.engine.play import Play
from game.rulesets.big_shoulders.appeal import raise_appeal
from game.rulesets.big_shoulders.building import gain_partner
from game.rulesets.big_shoulders.company_events import (
    CubesBought,
    FactoryRan,
    FundsRaised,
    ProductionStopped,
)
from game.rulesets.big_shoulders.effects import Effect
from game.rulesets.big_shoulders.placing import check_free, take_cubes
from game.rulesets.big_shoulders.state import HAYMARKET, Operation, ShouldersState, certificate
from game.rulesets.big_shoulders.supply import counted, give_to_haymarket
from game.rulesets.big_shoulders.tables import (
    COLUMN_PRICES,
    COMMON,
    COMPANIES,
    CUBE_TITLES,
    CUBES,
    PREFERRED,
    UNITS,
    Company,
    Cube,
    Factory,
    FactoryRow,
)
from game.rulesets.big_shoulders.targets import Number, check_cash, check_cubes
from game.rulesets.big_shoulders.values import move_value

ColumnCube = Literal[
    "10:livestock", "10:steel", "10:coal", "10:wood",
    "20:livestock", "20:steel", "20:coal", "20:wood",
    "30:livestock", "30:steel", "30:coal", "30:wood",
]  # fmt: skip
"""A column of the supply chain and a kind of cube in it."""


class OperatingAction(Action, frozen=True, kw_only=True):
    """An action of the director of the operating company."""

    is_public: ClassVar[bool] = True


def operation_of(state: ShouldersState) -> Operation:
    """The open operation. Raises `Refused`."""
    if state.operation is None:
        raise Refused("No company operates now.", "BS 3", code="no_operation")
    check_free(state)
    return state.operation


def check_before_run(operation: Operation, rule: str) -> None:
    """Raises `Refused` once a factory has run or production has stopped."""
    if operation.runs or operation.has_stopped:
        raise Refused("That comes before the first factory runs.", rule, code="too_late")


class Raise(OperatingAction, frozen=True, kw_only=True, tag="raise"):
    """Sell certificates of the company's treasury to the pool, with the advanced rules. (BS 7.2, B-76)"""

    preferred: Annotated[int, Meta(ge=0, le=1)] = 0
    commons: Annotated[int, Meta(ge=0, le=5)] = 0
    title: ClassVar[str] = mark("Raise funds")

    def check(self, state: ShouldersState) -> None:
        operation = operation_of(state)
        if not state.options.advanced:
            raise Refused("Funds can be raised only with the advanced rules.", "BS 7.2", code="not_advanced")
        if operation.has_raised or operation.has_bought:
            raise Refused("Funds are raised once, before cubes are bought.", "B-76", code="too_late")
        check_before_run(operation, "B-76")
        if not self.preferred + self.commons:
            raise Refused("Choose at least one certificate.", "B-76", code="nothing_to_sell", field="commons")
        for field, kind, number in (("preferred", PREFERRED, self.preferred), ("commons", COMMON, self.commons)):
            there = state.in_treasury(operation.company, kind)
            if number > there:
                raise Refused(
                    "The treasury holds {there}, not {number}.",
                    "BS 7.2",
                    there=there,
                    number=number,
                    code="not_there",
                    field=field,
                )

    def carry_out(self, play: Play[ShouldersState]) -> None:
        state = play.state
        operation = operation_of(state)
        company, treasury = operation.company, treasury_of(operation.company)
        units = UNITS[PREFERRED] * self.preferred + self.commons
        amount = units * state.price(company)
        operation.has_raised = True
        play.ledger.hand_over(certificate(company, PREFERRED), treasury, BANK, self.preferred)
        play.ledger.hand_over(certificate(company, COMMON), treasury, BANK, self.commons)
        play.pay(BANK, treasury, amount, why="certificates raised")
        play.emit(FundsRaised(company=company, shares=units, amount=amount))
        move_value(play, company, -units - 1)


class BuyCubes(OperatingAction, frozen=True, kw_only=True, tag="buy_cubes"):
    """Buy any cubes of the supply chain, once. (BS 7.3, B-50)"""

    cubes: dict[ColumnCube, Number]
    title: ClassVar[str] = mark("Buy cubes")

    def check(self, state: ShouldersState) -> None:
        operation = operation_of(state)
        if operation.has_bought:
            raise Refused("The company has bought cubes.", "B-50", code="has_bought")
        check_before_run(operation, "B-50")
        if not any(self.cubes.values()):
            raise Refused("Name at least one cube.", "BS 7.3", code="no_cubes", field="cubes")
        for column, cube, number in _entries(self.cubes):
            if number > state.cubes(cube, column):
                raise Refused(
                    "The column of {price} holds {there} {cube}, not {number}.",
                    "BS 7.3",
                    price=column,
                    there=state.cubes(cube, column),
                    cube=say(CUBE_TITLES[cube]),
                    number=number,
                    code="not_there",
                    field="cubes",
                )
        check_cash(state, operation.company, price_of_cubes(self.cubes), "BS 7.3", "cubes")

    def carry_out(self, play: Play[ShouldersState]) -> None:
        operation = operation_of(play.state)
        operation.has_bought = True
        price = price_of_cubes(self.cubes)
        play.pay(treasury_of(operation.company), BANK, price, why="cubes")
        for column, cube, number in _entries(self.cubes):
            play.ledger.hand_over(cube, column, operation.company, number)
        kinds = [cube for _, cube, number in _entries(self.cubes) for _ in range(number)]
        play.emit(CubesBought(company=operation.company, cubes=counted(tuple(kinds)), price=price))


def _entries(cubes: dict[ColumnCube, int]) -> list[tuple[str, Cube, int]]:
    """The entries of a purchase: column, kind and number."""
    return [(*key.split(":"), number) for key, number in cubes.items() if number]  # type: ignore[misc]


def price_of_cubes(cubes: dict[ColumnCube, int]) -> int:
    return sum(COLUMN_PRICES[column] * number for column, _, number in _entries(cubes))


class Run(OperatingAction, frozen=True, kw_only=True, tag="run"):
    """Run the next factory; `cubes` are those that its manager takes from Haymarket. (BS 7.4)"""

    factory: Factory
    cubes: dict[Cube, Number] = {}
    title: ClassVar[str] = mark("Run a factory")

    def check(self, state: ShouldersState) -> None:
        operation = operation_of(state)
        if operation.has_stopped:
            raise Refused("Production has stopped.", "B-91", code="has_stopped")
        row = check_next(operation, self.factory)
        company = operation.company
        free = state.free_spaces(company)[self.factory - 1]
        if free:
            raise Refused(
                "Free staff spaces in factory {factory}: {free}.",
                "BS 7.4",
                factory=self.factory,
                free=free,
                code="not_staffed",
                field="factory",
            )
        for cube, number in counted(row.inputs).items():
            if state.cubes(cube, company) < number:
                raise Refused(
                    "Factory {factory} needs {number} {cube}; {company} has {there}.",
                    "BS 7.4",
                    factory=self.factory,
                    number=number,
                    cube=say(CUBE_TITLES[cube]),
                    company=COMPANIES[company].title,
                    there=state.cubes(cube, company),
                    code="not_enough_cubes",
                    field="factory",
                )
        check_cubes(haymarket_after(state, row), manager_effect(state, company, self.factory), self.cubes)

    def carry_out(self, play: Play[ShouldersState]) -> None:
        """Run the factory; its cubes go to Haymarket before the manager takes one there. (B-51, B-93)"""
        state = play.state
        operation = operation_of(state)
        company, row = operation.company, COMPANIES[operation.company].factory(self.factory)
        own = state.companies[company]
        operation.runs += 1
        give_to_haymarket(play, company, counted(row.inputs))
        goods = row.goods + (own.factories[self.factory - 1].automated == row.staff)
        effect = manager_effect(state, company, self.factory)
        own.goods += goods + effect.goods
        play.emit(FactoryRan(company=company, factory=self.factory, goods=goods + effect.goods, total=own.goods))
        if self.factory == len(own.factories):
            _reward_all_factories(play, company)
        take_cubes(play, company, {cube: number for cube, number in self.cubes.items() if number})
        raise_appeal(play, company, effect.appeal)


def check_next(operation: Operation, factory: Factory) -> FactoryRow:
    """The next factory from left to right. Raises `Refused`."""
    factories = COMPANIES[operation.company].factories
    if factory != operation.runs + 1 or factory > len(factories):
        raise Refused(
            "Factories run once, from left to right: {runs} of {all} have run.",
            "BS 7.4",
            runs=operation.runs,
            all=len(factories),
            code="not_the_next_factory",
            field="factory",
        )
    return factories[factory - 1]


def manager_effect(state: ShouldersState, company: Company, factory: int) -> Effect:
    """What the manager of a factory adds to a run; nothing without one."""
    row = COMPANIES[company].factory(factory)
    if not state.companies[company].factories[factory - 1].has_manager:
        return Effect()
    return Effect(cubes=row.cubes, choosing="any" if row.cubes else "", goods=row.extra, appeal=row.appeal)


def haymarket_after(state: ShouldersState, row: FactoryRow) -> dict[Cube, int]:
    """The cubes in Haymarket after a run has spent its own."""
    spent = counted(row.inputs)
    both = {cube: state.cubes(cube, HAYMARKET) + spent.get(cube, 0) for cube in CUBES}
    return {cube: number for cube, number in both.items() if number}


def _reward_all_factories(play: Play[ShouldersState], company: Company) -> None:
    """Give the director a partner, once a game: for running all factories of their company of the set-up, or, once they
    have lost it, of any other. (B-68, B-97)"""
    state = play.state
    seat = state.companies[company].director
    first = state.first_companies[seat]
    has_first = first is not None and state.companies[first].director == seat
    if seat not in state.factory_partners and (company == first or not has_first):
        state.factory_partners.append(seat)
        gain_partner(play, seat, "factories")


class Stop(OperatingAction, frozen=True, kw_only=True, tag="stop"):
    """End production, which adds the goods of the tokens. (B-91)"""

    title: ClassVar[str] = mark("Stop production")

    def check(self, state: ShouldersState) -> None:
        if operation_of(state).has_stopped:
            raise Refused("Production has stopped.", "B-91", code="has_stopped")

    def carry_out(self, play: Play[ShouldersState]) -> None:
        operation = operation_of(play.state)
        own = play.state.companies[operation.company]
        operation.has_stopped = True
        own.goods += own.tokens
        play.emit(ProductionStopped(company=operation.company, goods=own.tokens, total=own.goods))
