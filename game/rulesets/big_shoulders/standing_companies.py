"""Standing orders for companies: placements in order, the recipe of an operation, and answers to bonuses. (B-79)"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, structs

from game.engine.actions import GAME, Action, ByRules, Refused
from game.engine.language import mark, say
from game.engine.play import Play
from game.rulesets.big_shoulders.defaults import next_run
from game.rulesets.big_shoulders.free_acts import Bonus, EndTurn
from game.rulesets.big_shoulders.operating import BuyCubes, ColumnCube, Stop, operation_of, price_of_cubes
from game.rulesets.big_shoulders.placing import Place, check_director
from game.rulesets.big_shoulders.selling import Pay, SellGoods, Withhold, best_sale, must_withhold
from game.rulesets.big_shoulders.staff import moves_in, parts_of
from game.rulesets.big_shoulders.standing import NOT_NOTED, StandingOrder
from game.rulesets.big_shoulders.state import Operation, ShouldersState
from game.rulesets.big_shoulders.supply import counted
from game.rulesets.big_shoulders.tables import APPEAL_BONUSES, BONUS_TITLES, COLUMN_PRICES, COMPANIES, Company
from game.rulesets.big_shoulders.values import steps_for

MOST_ENTRIES = 8
NEVER = 4
"""Steps of the value that no dividend reaches."""
BonusKind = Literal["worker", "salesperson", "automation", "goods_token", "stock_step"]


class PlacementList(StandingOrder, frozen=True, kw_only=True, tag="placements"):
    """Makes the first possible placement in each of the seat's turns of this action phase, each once, and ends the
    turn; if none is possible, the seat is asked. (B-79)"""

    entries: Annotated[list[Place], Meta(min_length=1, max_length=MOST_ENTRIES)]
    title: ClassVar[str] = mark("Placements in order")
    phases: ClassVar[frozenset[str]] = frozenset({"action"})

    def serves(self, state: ShouldersState) -> bool:
        return state.acting == self.actor and not state.has_placed

    def check(self, state: ShouldersState) -> None:
        for entry in self.entries:
            check_director(state, self.actor, entry.company)

    def doubt(self, state: ShouldersState) -> Refused | None:
        """Why the first entry is not possible, if none is."""
        return None if self._placed(state) else _refusal(self.entries[0], state)

    def _placed(self, state: ShouldersState) -> Place | None:
        """The entry that is played now."""
        return next((entry for entry in self.entries if _refusal(entry, state) is None), None)

    def carry_out(self, play: Play[ShouldersState]) -> None:
        entry = self._placed(play.state)
        assert entry is not None
        structs.replace(entry, end=True).carry_out(play)

    def remainder(self, state: ShouldersState) -> PlacementList:
        placed = self._placed(state)
        return structs.replace(self, entries=[entry for entry in self.entries if entry is not placed])

    def is_kept(self, state: ShouldersState) -> bool:
        return bool(self.entries and state.ready[self.actor])


def _refusal(action: Action, state: ShouldersState) -> Refused | None:
    try:
        action.check(state)
    except Refused as refused:
        return refused
    return None


class Recipe(StandingOrder, frozen=True, kw_only=True, tag="recipe"):
    """How a company operates from now on, step by step: it buys the cubes that its factories lack where they cost at
    most `dearest` dollars each, runs, sells for the highest revenue, and pays a dividend that brings `steps` of the
    value or, above 0, `share` dollars a share; otherwise it withholds. Its director is asked if fewer than `runs`
    factories could run. `offices` is how often the company had changed its director when it was given. (B-79, B-77)"""

    company: Company
    dearest: Literal[0, 10, 20, 30] = 30
    runs: Annotated[int, Meta(ge=0, le=3)] = 1
    steps: Annotated[int, Meta(ge=0, le=NEVER)] = 1
    share: Annotated[int, Meta(ge=0, le=999)] = 0
    offices: ByRules[int] = NOT_NOTED
    title: ClassVar[str] = mark("Recipe of an operation")
    phases: ClassVar[frozenset[str]] = frozenset({"operation"})
    lasts: ClassVar[str] = GAME

    def slot(self) -> str:
        return f"recipe:{self.company}"

    def serves(self, state: ShouldersState) -> bool:
        """True only in an operation that the recipe began: one that the director began is left to the director."""
        operation = state.operation
        is_open = operation is not None and operation.company == self.company and not state.owed
        return is_open and (operation == Operation(self.company) or state.is_by_recipe)

    def check(self, state: ShouldersState) -> None:
        check_director(state, self.actor, self.company)
        if self.offices not in (NOT_NOTED, state.companies[self.company].offices):
            raise Refused(
                "{company} has had another director since.",
                "B-77",
                company=COMPANIES[self.company].title,
                code="not_the_director",
                field="company",
            )

    def lapse(self, state: ShouldersState) -> Refused | None:
        """The order ends once its seat has lost the company's directorship."""
        return _refusal(self, state)

    def with_facts(self, state: ShouldersState) -> Recipe:
        return structs.replace(self, offices=state.companies[self.company].offices)

    def doubt(self, state: ShouldersState) -> Refused | None:
        if state.is_by_recipe:
            return None
        able, _ = planned_runs(state, self.company, self.dearest)
        if able >= self.runs:
            return None
        return Refused(
            "Factories of {company} that could run: {able}; your recipe asks for {runs}.",
            "B-79",
            company=COMPANIES[self.company].title,
            able=able,
            runs=self.runs,
            code="recipe_does_not_fit",
        )

    def carry_out(self, play: Play[ShouldersState]) -> None:
        """Carry out one step."""
        play.state.is_by_recipe = True
        step = self._next_step(play.state)
        step.check(play.state)
        step.carry_out(play)

    def _next_step(self, state: ShouldersState) -> Action:
        operation, seat = operation_of(state), self.actor
        if not operation.has_stopped:
            _, cubes = planned_runs(state, self.company, self.dearest)
            if cubes and not operation.runs and not operation.has_bought:
                return BuyCubes(actor=seat, cubes=cubes)
            return next_run(state, seat) or Stop(actor=seat)
        if operation.is_paid:
            return EndTurn(actor=seat)
        if state.companies[self.company].goods and not operation.has_sold:
            return SellGoods(actor=seat, goods=best_sale(state, self.company))
        return Pay(actor=seat) if self._pays(state, operation) else Withhold(actor=seat)

    def _pays(self, state: ShouldersState, operation: Operation) -> bool:
        a_share = operation.revenue // 10
        is_rich = bool(self.share) and a_share >= self.share
        is_enough = steps_for(a_share * 10, state.price(self.company)) >= self.steps
        return not must_withhold(operation) and (is_enough or is_rich)

    def remainder(self, state: ShouldersState) -> Recipe:
        return self.with_facts(state)

    def is_kept(self, state: ShouldersState) -> bool:
        return True


def planned_runs(state: ShouldersState, company: Company, dearest: int) -> tuple[int, dict[ColumnCube, int]]:
    """How many factories can run, from left to right, and the cheapest cubes to be bought for them; more factories are
    better than fewer."""
    row, free = COMPANIES[company], state.free_spaces(company)
    staffed = next((at for at, spaces in enumerate(free) if spaces), len(free))
    for count in range(staffed, 0, -1):
        needed = counted(tuple(cube for factory in row.factories[:count] for cube in factory.inputs))
        basket: dict[ColumnCube, int] = {}
        missing = {cube: number - state.cubes(cube, company) for cube, number in needed.items()}
        for column, price in COLUMN_PRICES.items():
            for cube, there in state.cubes_at(column).items() if price <= dearest else ():
                amount = min(there, max(0, missing.get(cube, 0)))
                if amount:
                    basket[f"{column}:{cube}"] = amount  # type: ignore[index]
                    missing[cube] -= amount
        if all(number <= 0 for number in missing.values()) and price_of_cubes(basket) <= state.treasury(company):
            return count, basket
    return 0, {}


class BonusRule(StandingOrder, frozen=True, kw_only=True, tag="bonus_rule"):
    """Take every bonus of a kind, or $25 instead; `factory` gets the worker or the automation, 0 the first that can.
    (B-79)"""

    bonus: BonusKind
    take: bool
    factory: Annotated[int, Meta(ge=0, le=3)] = 0
    title: ClassVar[str] = mark("Answer to a bonus")
    phases: ClassVar[frozenset[str]] = frozenset({"action", "operation"})
    lasts: ClassVar[str] = GAME

    def slot(self) -> str:
        return f"bonus:{self.bonus}"

    def serves(self, state: ShouldersState) -> bool:
        return state.acting == self.actor and bool(state.owed) and APPEAL_BONUSES[state.owed[0].space] == self.bonus

    def check(self, state: ShouldersState) -> None:
        """Never refuses: the order is accepted at any time."""

    def doubt(self, state: ShouldersState) -> Refused | None:
        return None if self._answer(state) else Refused(
            "Factory {factory} cannot take the bonus: {bonus}.",
            "B-79",
            factory=self.factory,
            bonus=say(BONUS_TITLES[self.bonus]),
            code="rule_does_not_fit",
        )  # fmt: skip

    def _answer(self, state: ShouldersState) -> Bonus | None:
        if not self.take:
            return Bonus(actor=self.actor, take=False)
        company = state.owed[0].company
        free = state.free_spaces(company)
        wanted = (self.factory,) if self.factory else (1, 2, 3)
        if self.bonus == "worker":
            fitting = [number for number, spaces in enumerate(free, 1) if spaces and number in wanted]
            return Bonus(actor=self.actor, take=True, factory=fitting[0]) if fitting else None
        if self.bonus == "automation":
            moves = [move for move in moves_in(state.workers_in(company), free) if parts_of(move)[0] in wanted]
            return Bonus(actor=self.actor, take=True, move=moves[0]) if moves else None
        return Bonus(actor=self.actor, take=True)

    def carry_out(self, play: Play[ShouldersState]) -> None:
        answer = self._answer(play.state)
        assert answer is not None
        answer.carry_out(play)

    def is_kept(self, state: ShouldersState) -> bool:
        return True
