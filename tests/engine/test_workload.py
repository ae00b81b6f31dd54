"""Rules that go on for ever within the kernel's verbs stop by themselves, at the same place on every machine."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from game.engine import referee
from game.engine.actions import Refused
from game.engine.flow import Flow
from game.engine.ledger import BANK, cash_of
from game.engine.play import Outcome, Play
from game.engine.ruleset import Ruleset
from game.engine.selfplay import play_out
from game.engine.workload import MOST_WORK, WorkloadError
from game.rulesets.registry import RULESETS
from tests.engine.toy import CHANCE, TOY, TURN, Given, ToyState, begin


def gives(play: Play[ToyState]) -> None:
    play.emit(Given(seat=0, amount=0))


def pays(play: Play[ToyState]) -> None:
    play.pay(cash_of(0), BANK, 0, why="nothing")


def draws(play: Play[ToyState]) -> None:
    play.chance.below("lot", 6)


def times(count: int, verb: Callable[[Play[ToyState]], None]) -> Callable[[Play[ToyState]], None]:
    def work(play: Play[ToyState]) -> None:
        for _ in range(count):
            verb(play)

    return work


def rules_with(**work: Callable[[Play[ToyState]], None]) -> Ruleset:
    """The toy, whose phase of numbers closes and whose counting after it enters like this."""
    flow = Flow(TURN)
    for name, moment in (("numbers", "close"), ("counting", "enter")):
        if moment in work:
            row = next(row for row in flow.rows if row.phase.name == name)
            changed: dict[str, Any] = {moment: work[moment]}
            flow.rows[row.index] = dataclasses.replace(row, phase=dataclasses.replace(row.phase, **changed))
    return dataclasses.replace(TOY, flow=lambda options: flow)


@pytest.mark.parametrize("verb", [gives, pays, draws])
def test_a_loop_of_events_payments_or_draws_ends_with_a_clear_error(verb: Callable[[Play[ToyState]], None]) -> None:
    with pytest.raises(WorkloadError, match=str(MOST_WORK)) as stopped:
        referee.close(rules_with(close=times(10**9, verb)), begin().position, CHANCE)
    assert not isinstance(stopped.value, Refused)


def test_what_the_phases_of_one_step_do_is_counted_together() -> None:
    most = MOST_WORK * 2 // 3
    referee.close(rules_with(close=times(most, gives)), begin().position, CHANCE)
    with pytest.raises(WorkloadError):
        referee.close(rules_with(close=times(most, gives), enter=times(most, draws)), begin().position, CHANCE)


def test_the_count_begins_anew_with_the_next_step() -> None:
    rules, position = rules_with(close=times(MOST_WORK * 2 // 3, gives)), begin().position
    for _ in range(2):
        position = referee.close(rules, position, CHANCE).position
    assert position.state.passes == 0


def test_no_step_of_a_game_comes_near_the_limit() -> None:
    rules, counts = RULESETS["sectors"], []

    def count(actions: object, outcome: Outcome[object]) -> None:
        counts.append(outcome.workload.count)

    play_out(rules, rules.options_type(), [rules.bots["random"]] * 8, CHANCE, count)
    assert 10 < max(counts) < MOST_WORK / 100
