"""Acts for a seat whose deadline has passed, one action at a time. (B-78)"""

from __future__ import annotations

from game.engine.actions import Refused
from game.engine.play import Play
from game.rulesets.big_shoulders.free_acts import Bonus, EndTurn
from game.rulesets.big_shoulders.operating import Run, Stop, haymarket_after, manager_effect, operation_of
from game.rulesets.big_shoulders.placing import Place
from game.rulesets.big_shoulders.selling import Pay, SellGoods, Withhold, best_sale, must_withhold
from game.rulesets.big_shoulders.state import ShouldersState
from game.rulesets.big_shoulders.tables import APPEAL_BONUSES, COMPANIES, CUBES, Company, Cube

NOT_TAKEN = ("worker", "automation")
"""Bonuses that need a target; the seat takes $25 instead."""


def act_for(play: Play[ShouldersState], seat: int) -> None:
    """Act for a seat: its poorest company raises $40; if the seat has already placed one, its turn ends."""
    state = play.state
    if state.owed:
        answer_for(play, seat)
    elif state.has_placed:
        EndTurn(actor=seat).carry_out(play)
    else:
        company = min(state.directed_by(seat), key=state.treasury)
        Place(actor=seat, company=company, space="fund_40").carry_out(play)


def answer_for(play: Play[ShouldersState], seat: int) -> None:
    Bonus(actor=seat, take=APPEAL_BONUSES[play.state.owed[0].space] not in NOT_TAKEN).carry_out(play)


def operate_for(play: Play[ShouldersState], seat: int) -> None:
    """Operate for a seat: run factories as far as they can, sell everything, and pay a dividend if the revenue
    reaches the value of a share."""
    state = play.state
    if state.owed:
        answer_for(play, seat)
        return
    operation = operation_of(state)
    company = operation.company
    if not operation.has_stopped:
        (next_run(state, seat) or Stop(actor=seat)).carry_out(play)
    elif operation.is_paid:
        EndTurn(actor=seat).carry_out(play)
    elif not operation.has_sold and state.companies[company].goods:
        SellGoods(actor=seat, goods=best_sale(state, company)).carry_out(play)
    elif not must_withhold(operation) and operation.revenue // 10 * 10 >= state.price(company):
        Pay(actor=seat).carry_out(play)
    else:
        Withhold(actor=seat).carry_out(play)


def next_run(state: ShouldersState, seat: int) -> Run | None:
    """The next factory, if it can run."""
    operation = operation_of(state)
    factory = operation.runs + 1
    if factory > len(COMPANIES[operation.company].factories):
        return None
    run = Run(actor=seat, factory=factory, cubes=first_cubes(state, operation.company, factory))
    try:
        run.check(state)
    except Refused:
        return None
    return run


def first_cubes(state: ShouldersState, company: Company, factory: int) -> dict[Cube, int]:
    """The cubes for the manager of a factory: from Haymarket, in the order of the kinds, as many as the manager
    takes."""
    there = haymarket_after(state, COMPANIES[company].factory(factory))
    cubes = [cube for cube in CUBES for _ in range(there.get(cube, 0))]
    first = cubes[: manager_effect(state, company, factory).cubes]
    return {cube: first.count(cube) for cube in CUBES if cube in first}
