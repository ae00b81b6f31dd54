"""Whole recorded games, replayed phase by phase; a result changed on purpose is recorded again (see `record`)."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from game.rulesets.sectors.options import MENUS
from game.rulesets.sectors.ruleset import SECTORS
from tests.rulesets.recording import CLOSE, Recording, check, check_plan, load, replay
from tests.rulesets.sectors.record import FOLDER, PLANS

PATHS = sorted(FOLDER.glob("*.json"))


@cache
def game(path: Path) -> Recording:
    return load(SECTORS, path)


GAMES = [game(path) for path in PATHS]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_recorded_game_comes_out_the_same(path: Path) -> None:
    check(SECTORS, game(path))


def test_the_games_are_those_of_the_plan_under_the_rules_of_today() -> None:
    """A new version of the rules has its games recorded anew."""
    assert {path.stem for path in PATHS} == set(PLANS)
    for path in PATHS:
        check_plan(SECTORS, PLANS[path.stem], game(path))
        assert path.stat().st_size < 40_000


def test_the_games_cover_what_a_table_can_be() -> None:
    """Both editions, 2 to 8 seats, each end, strategy and way of showing orders, reviews, and both ways to close a
    phase."""
    assert len(GAMES) >= 12
    assert {recording.options.edition for recording in GAMES} == set(MENUS["edition"])
    assert {recording.seats for recording in GAMES} == set(SECTORS.seats)
    assert {(r.options.edition, r.end) for r in GAMES} == {
        (edition, end) for edition in (1, 2) for end in SECTORS.registries["ends"]
    }
    assert {(r.options.edition, r.options.distribution) for r in GAMES} == {
        (e, way) for e in (1, 2) for way in MENUS["distribution"]
    }
    assert {recording.options.concealed for recording in GAMES} == {True, False}
    assert sum(recording.reviews for recording in GAMES) == 1
    closed = Counter(CLOSE in chapter.moves for recording in GAMES for chapter in recording.chapters)
    assert min(closed[True], closed[False]) > 100


def test_the_games_tell_of_companies_that_failed_and_were_saved() -> None:
    """Insolvency and bankruptcy in both editions, and every kind of instrument to its end."""
    happened = {
        (r.options.edition, _tag(event)) for r in GAMES for _, outcome in replay(SECTORS, r) for event in outcome.events
    }
    assert {
        (edition, what) for edition in (1, 2) for what in ("became_insolvent", "went_bankrupt", "reactivated")
    } <= happened
    rare = (
        "short_covered",
        "short_closed",
        "limit_triggered",
        "option_exercised",
        "contract_expired",
        "divested",
        "action_failed",
    )
    assert set(rare) <= {what for _, what in happened}


def _tag(event: object) -> str:
    return str(type(event).__struct_config__.tag)  # type: ignore[attr-defined]
