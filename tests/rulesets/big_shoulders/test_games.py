"""Whole recorded games, replayed turn by turn; a result changed on purpose is recorded again (see `record`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from game.engine.actions import COMMON_ACTIONS
from game.rulesets.big_shoulders.options import Options
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS
from tests.rulesets.big_shoulders.conformance import RARE_EVENTS
from tests.rulesets.big_shoulders.properties import assert_sound
from tests.rulesets.big_shoulders.record import FOLDER, PLANS
from tests.rulesets.recording import CLOSE, Recording, check, check_plan, load, replay

PATHS = sorted(FOLDER.glob("*.json"))


@cache
def game(path: Path) -> Recording:
    return load(BIG_SHOULDERS, path)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_recorded_game_comes_out_the_same(path: Path) -> None:
    check(BIG_SHOULDERS, game(path))


def test_the_games_are_those_of_the_plan_under_the_rules_of_today() -> None:
    assert {path.stem for path in PATHS} == set(PLANS)
    for path in PATHS:
        check_plan(BIG_SHOULDERS, PLANS[path.stem], game(path))
        assert path.stat().st_size < 60_000


def test_the_games_cover_what_a_table_can_be() -> None:
    """Every number of seats with basic and advanced rules, every option, absences, actions taken back, every action
    and event that is not rare."""
    games = [game(path) for path in PATHS]
    assert len(games) >= 12
    assert {(one.seats, one.options.advanced) for one in games} == {
        (seats, advanced) for seats in BIG_SHOULDERS.seats for advanced in (False, True)
    }
    for option in Options.__struct_fields__:
        assert {getattr(one.options, option) for one in games} == {False, True}
    moves = [move for one in games for chapter in one.chapters for move in chapter.moves]
    assert CLOSE in moves
    kinds = {move[1] if isinstance(move[1], str) else move[1]["kind"] for move in moves if not isinstance(move, str)}
    common = {str(kind.__struct_config__.tag) for kind in COMMON_ACTIONS}
    assert kinds - common == set(BIG_SHOULDERS.actions) - common
    assert "undo" in kinds
    outcomes = [outcome for one in games for _, outcome in replay(BIG_SHOULDERS, one)]
    for outcome in outcomes:
        assert_sound(outcome.position.state)
    happened = {str(event.__struct_config__.tag) for outcome in outcomes for event in outcome.events}
    assert happened >= set(BIG_SHOULDERS.registries["events"]) - RARE_EVENTS
