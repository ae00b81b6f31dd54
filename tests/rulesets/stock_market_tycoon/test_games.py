"""Whole recorded games, replayed turn by turn; a result changed on purpose is recorded again (see `record`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from game.rulesets.stock_market_tycoon.options import MENUS
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON
from game.rulesets.stock_market_tycoon.tables import MODES, TRADE_MODES
from tests.rulesets.recording import CLOSE, Recording, check, check_plan, load, replay
from tests.rulesets.stock_market_tycoon.record import FOLDER, PLANS

RARE = {"DebenturePlayed", "DebtLeft", "DebtPaid", "SharesTendered", "VotedOut"}
"""Events that only scenarios show."""
PATHS = sorted(FOLDER.glob("*.json"))


@cache
def game(path: Path) -> Recording:
    return load(STOCK_MARKET_TYCOON, path)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_recorded_game_comes_out_the_same(path: Path) -> None:
    check(STOCK_MARKET_TYCOON, game(path))


def test_the_games_are_those_of_the_plan_under_the_rules_of_today() -> None:
    assert {path.stem for path in PATHS} == set(PLANS)
    for path in PATHS:
        check_plan(STOCK_MARKET_TYCOON, PLANS[path.stem], game(path))


def test_the_games_cover_what_a_table_can_be() -> None:
    """Every mode with every way to trade, both variants, 2 to 6 players and more, absences, both ends."""
    games = [game(path) for path in PATHS]
    assert len(games) >= 12
    assert {(one.options.mode, one.options.trade_mode) for one in games} == {
        (mode, trade_mode) for mode in MODES for trade_mode in TRADE_MODES
    }
    assert {one.seats for one in games} >= {2, 3, 4, 5, 6, 7, 12}
    for name in set(MENUS) - {"years"}:
        assert {getattr(one.options, name) for one in games} == set(MENUS[name]), name
    assert {one.end for one in games} == {"years", "survivor"}
    moves = [move for one in games for chapter in one.chapters for move in chapter.moves]
    assert CLOSE in moves
    kinds = {move[1] if isinstance(move[1], str) else move[1]["kind"] for move in moves if not isinstance(move, str)}
    assert kinds >= {"buy", "sell", "sell_short", "buy_option", "announce_buyback", "plan", "batch", "end_turn"}
    outcomes = [outcome for one in games for _, outcome in replay(STOCK_MARKET_TYCOON, one)]
    happened = {type(event) for outcome in outcomes for event in outcome.events}
    assert {kind.__name__ for kind in set(STOCK_MARKET_TYCOON.registries["events"].values()) - happened} <= RARE
