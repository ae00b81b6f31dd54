"""The course of a game, which charts draw: a point for each turn, and within it one for each moment that changed
something."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from game.boards.base import Board
from game.boards.registry import BOARDS
from game.engine.flow import Flow
from game.engine.position import AnyPosition
from game.store.board_rows import extend_course, history_of_course, public_position, with_moments
from tests.rulesets.games import RULES, TABLES, Game, played
from tests.toy.flow import FLOW, LONG_FLOW

each_table = pytest.mark.parametrize(("key", "seats", "variant"), TABLES)
WITH_MOMENTS = {"big_shoulders", "stock_market_tycoon", "toy"}


def course_of(game: Game, positions: Iterable[AnyPosition]) -> list[dict[str, Any]]:
    board = BOARDS.get(game.rules.key) or Board(game.rules)
    course: list[dict[str, Any]] = []
    for position in positions:
        course = extend_course(course, public_position(game.rules, board, position, game.rules.view(position, None)))
    return course


@cache
def whole_course(key: str, seats: int, variant: int) -> list[dict[str, Any]]:
    game = played(key, seats, variant)
    return course_of(game, (step.after for step in game.all()))


@each_table
def test_a_course_is_the_same_while_it_is_played_and_from_the_starts_of_its_phases(
    key: str, seats: int, variant: int
) -> None:
    """A rebuilt course is made of the positions that open a phase, and the last one. It does not know what the last
    step of a turn changed if orders given ahead play the first phase of the next one at once."""
    game = played(key, seats, variant)
    opened = [game.first.after]
    for step in game.all():
        before, after = step.before.cursor, step.after.cursor
        opened += [step.before] if after.turn > before.turn and len(after.trail) > 1 else []
        opened += [step.after] if after.serial != before.serial else []
    assert whole_course(key, seats, variant) == course_of(game, [*opened, game.last])


@each_table
def test_moments_lie_in_order_within_their_turn_and_each_changed_a_figure(key: str, seats: int, variant: int) -> None:
    game, course = played(key, seats, variant), whole_course(key, seats, variant)
    names = {row.phase.name for row in game.rules.flow(game.options).rows}
    turns = [point["turn"] for point in course]
    assert turns == sorted(set(turns))
    for point in course:
        moments = point.get("moments", [])
        places = [moment["place"] for moment in moments]
        assert places == sorted(set(places))
        assert all(1 <= place <= point["past"] for place in places)
        assert {moment["phase"] for moment in moments} <= names
    figures = [(point["prices"], point["worth"]) for point in with_moments(course) if "phase" in point]
    assert all(before != after for before, after in pairwise(figures))


@each_table
def test_lines_have_the_moments_and_turns_stay_one_point_each(key: str, seats: int, variant: int) -> None:
    course = whole_course(key, seats, variant)
    fine, coarse = history_of_course(course), history_of_course(course, by_turn=True)
    assert [label for label in fine.labels if label] == coarse.labels
    assert len(coarse.labels) == len(course)
    assert all(len(values) == len(fine.labels) for values in fine.worth.values())
    ends = [at for at, label in enumerate(fine.labels) if label]
    assert {seat: [values[at] for at in ends] for seat, values in fine.worth.items()} == coarse.worth


@pytest.mark.parametrize("key", sorted(RULES))
def test_games_that_declare_moments_have_some(key: str) -> None:
    courses = [whole_course(*table) for table in TABLES if table[0] == key]
    assert any(len(with_moments(course)) > len(course) for course in courses) == (key in WITH_MOMENTS)


def test_an_earlier_position_shows_the_moments_before_it_and_no_later_ones() -> None:
    game = played("toy", 3, 0)
    board = Board(game.rules)
    whole = whole_course("toy", 3, 0)
    positions = [step.after for step in game.all()]
    for number in range(1, len(positions)):
        seen = public_position(game.rules, board, positions[number], game.rules.view(positions[number], None))
        assert extend_course(whole, seen) == course_of(game, positions[: number + 1])


BIG_SHOULDERS = RULES["big_shoulders"].flow(RULES["big_shoulders"].parse_options({}))


@pytest.mark.parametrize(
    ("flow", "trail", "moments"),
    [
        (FLOW, (), ()),
        (FLOW, (0, 1), ()),
        (FLOW, (0, 1, 1, 2), ("take_turn", "take_turn")),
        (LONG_FLOW, (0, 1, 2), ("take_turn",)),
        (BIG_SHOULDERS, (1, 1, 2, 3, 4, 4, 4, 5, 5), ("stock", "stock", "action", "operation")),
    ],
)
def test_a_phase_is_a_moment_each_time_and_a_round_once(
    flow: Flow, trail: tuple[int, ...], moments: tuple[str, ...]
) -> None:
    assert flow.moments_in(trail) == moments
