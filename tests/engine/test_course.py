"""What a survey counts of a game in which actions are taken back: as if they had never been done."""

from __future__ import annotations

from typing import Any

from game.engine import referee
from game.engine.actions import Action, Undo
from game.engine.chance import Chance
from game.engine.ledger import OUTSIDE
from game.engine.position import AnyPosition
from game.engine.simulation.survey import Course
from tests.engine.test_turns import at_turns
from tests.toy.actions import Draw, Place, Stop
from tests.toy.ruleset import TOY
from tests.toy.state import CENTRE

WAGER = Place(actor=0, card=20, cell=CENTRE, wager=2)
PLAIN = Place(actor=0, card=7, cell="A2")
BACK = Undo(actor=0)


def counted(*actions: Action) -> tuple[dict[str, Any], AnyPosition]:
    """The report on a turn in which these were done one by one, and where it led."""
    course, position = Course(TOY), at_turns()
    for action in actions:
        out = referee.apply(TOY, position, action, Chance("toy"))
        course.watch([action], out)
        position = out.position
    report = course.report(position.state)
    return {
        "money": {side: {why: sum_ for why, sum_ in report[side].items() if sum_} for side in ("income", "spending")},
        "occurred": {
            name: {key: times for key, times in found.items() if times} for name, found in report["occurred"].items()
        },
    }, position


def test_money_that_is_taken_back_is_moved_back() -> None:
    """The bank's account of a step of undoing is the signed sum of its transfers; it used to have none."""
    before = at_turns()
    placed = referee.apply(TOY, before, WAGER, Chance("toy"))
    back = referee.apply(TOY, placed.position, BACK, Chance("toy"))
    assert [transfer.amount for transfer in placed.transfers] == [2, 4]
    assert [transfer.amount for transfer in back.transfers] == [-2, -4]
    assert {transfer.why for transfer in back.transfers} == {"wager", "wager won"}
    assert back.position.state.ledger == before.state.ledger
    assert OUTSIDE not in {transfer.payer for transfer in back.transfers}


def test_what_is_taken_back_is_not_counted() -> None:
    straight, end = counted(PLAIN, Stop(actor=0))
    crooked, same = counted(WAGER, BACK, PLAIN, BACK, WAGER, BACK, PLAIN, Stop(actor=0))
    assert crooked == straight
    assert same.state.ledger == end.state.ledger


def test_what_stays_is_counted_once() -> None:
    found, _ = counted(WAGER, BACK, WAGER, Stop(actor=0))
    assert found["money"] == {"income": {"wager won": 4}, "spending": {"wager": 2}}
    assert found["occurred"]["actions"] == {"place": 1, "stop": 1}
    assert found["occurred"]["events"]["card_placed"] == 1


def test_what_cannot_be_taken_back_any_more_stays_counted() -> None:
    found, position = counted(Draw(actor=0), PLAIN)
    assert not position.earlier
    assert found["occurred"]["actions"] == {"draw": 1, "place": 1}
