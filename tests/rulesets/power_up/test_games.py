"""Whole recorded games, replayed turn by turn; a result changed on purpose is recorded again (see `record`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from game.rulesets.power_up.ruleset import POWER_UP
from tests.rulesets.power_up.record import FOLDER, PLANS
from tests.rulesets.recording import CLOSE, Recording, check, check_plan, load, replay

PATHS = sorted(FOLDER.glob("*.json"))


@cache
def game(path: Path) -> Recording:
    return load(POWER_UP, path)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_recorded_game_comes_out_the_same(path: Path) -> None:
    check(POWER_UP, game(path))


def test_the_games_are_those_of_the_plan_under_the_rules_of_today() -> None:
    assert {path.stem for path in PATHS} == set(PLANS)
    for path in PATHS:
        check_plan(POWER_UP, PLANS[path.stem], game(path))
        assert path.stat().st_size < 40_000


def test_the_games_cover_what_a_table_can_be() -> None:
    """Every number of seats with and without the Department, absences, actions taken back, both endings of play."""
    games = [game(path) for path in PATHS]
    assert len(games) >= 6
    assert {recording.seats for recording in games} == set(POWER_UP.seats)
    assert {(recording.seats, recording.options.doe) for recording in games} >= {
        (2, True),
        (2, False),
        (4, True),
        (4, False),
    }
    assert {recording.end for recording in games} == {"giant", "rivals"}
    moves = [move for recording in games for chapter in recording.chapters for move in chapter.moves]
    assert CLOSE in moves
    kinds = {move[1] if isinstance(move[1], str) else move[1]["kind"] for move in moves if not isinstance(move, str)}
    assert kinds >= {"draw", "play_tile", "buy", "end_turn", "undo"}
    outcomes = [outcome for recording in games for _, outcome in replay(POWER_UP, recording)]
    happened = {type(event) for outcome in outcomes for event in outcome.events}
    assert happened >= set(POWER_UP.registries["events"].values())
