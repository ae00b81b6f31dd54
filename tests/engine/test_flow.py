"""The walk through the flow: rounds within rounds, phases that are skipped, and the end of the game."""

from __future__ import annotations

import dataclasses

import pytest

from game.engine import progress, referee
from game.engine.flow import Flow, Mode, Phase, Round
from tests.engine.toy import CHANCE, FLOW, TOY, begin, is_played, names, with_state


def test_a_round_is_played_again_while_it_holds_and_a_skipped_phase_never() -> None:
    out = begin()
    assert names(out) == ["dawn", "numbers"]
    out = referee.close(TOY, out.position, CHANCE)
    assert names(out) == ["counting", "numbers"]
    out = referee.close(TOY, out.position, CHANCE)
    assert names(out) == ["counting", "question"]


def test_the_rounds_inside_a_turn_begin_anew_in_the_next_turn() -> None:
    position, opened = begin().position, []
    while not position.is_over:
        out = referee.close(TOY, position, CHANCE)
        position, opened = out.position, opened + names(out)
    turn = ["counting", "numbers", "counting", *["question", "next_question"] * 3, "gifts", "end_turn"]
    assert opened == [*turn, "dawn", "numbers", *turn]
    assert position.cursor.row is None


def test_a_round_that_does_not_hold_at_all_is_passed_over() -> None:
    position = with_state(begin().position, asks=[], passes=1)
    assert names(referee.close(TOY, position, CHANCE)) == ["counting", "gifts"]


def test_a_phase_whose_condition_fails_is_skipped_in_the_turn_in_which_it_fails() -> None:
    position = with_state(begin().position, asks=[], passes=1, skip=["dawn"])
    position = referee.close(TOY, position, CHANCE).position
    assert names(referee.close(TOY, position, CHANCE)) == ["end_turn", "numbers"]


def test_a_round_is_left_as_soon_as_its_condition_holds() -> None:
    a, b, c, d, end = (Phase(name, name, name, Mode.SEALED, "vote") for name in ("a", "b", "c", "d", "end"))
    inner = Round("inner", "Inner", (b, c), until=lambda state: state["left"])
    outer = Round("outer", "Outer", (a, inner, d), again=lambda state: True, until=lambda state: state["over"])
    flow = Flow(outer, end)

    def after(row: int, *, left: bool = False, over: bool = False) -> str:
        following = flow.after(flow.rows[row], {"left": left, "over": over})
        assert following
        return following.phase.name

    assert [after(row) for row in range(4)] == ["b", "c", "d", "a"]
    assert [after(row, left=True) for row in range(4)] == ["d", "d", "d", "a"]
    assert {after(row, left=left, over=True) for row in range(4) for left in (True, False)} == {"end"}


def test_first_and_after_say_nothing_at_the_end() -> None:
    state = begin().position.state
    assert FLOW.first(state).phase.name == "dawn"
    state.turn = 3
    assert FLOW.first(state) is None
    assert FLOW.after(FLOW.rows[-1], state) is None


def test_serials_grow_by_one_and_a_trail_belongs_to_its_turn() -> None:
    position, serials, trails = begin().position, [], []
    while not position.is_over:
        serials.append(position.cursor.serial)
        trails.append(position.cursor.trail)
        position = referee.close(TOY, position, CHANCE).position
    assert serials == sorted(set(serials))
    assert serials[:4] == [2, 4, 6, 8]
    assert trails[1] == (0, 1, 2, 1)
    assert (6, 0, 1) in trails  # the end of a turn counts it, so the new one begins there


def test_the_rail_knows_what_is_done_skipped_and_to_come() -> None:
    position = with_state(begin().position, asks=[], passes=1)
    cursor = referee.close(TOY, position, CHANCE).position.cursor
    rail = [progress.row_state(row.index, cursor.row, cursor.trail) for row in FLOW.rows]
    assert rail == ["done"] * 3 + ["skip"] * 2 + ["now", "todo"]


def test_a_flow_that_never_ends_is_found_out() -> None:
    day = Round("day", "Day", (is_played("dawn"),), again=lambda state: True)
    bent = dataclasses.replace(TOY, flow=lambda options: Flow(day))
    with pytest.raises(referee.CascadeError, match="500"):
        referee.start(bent, 0, 2, CHANCE)
