"""A position made of what a seat sees looks the same to it, can be played on, and knows nothing hidden."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.engine import referee
from game.engine.chance import Chance
from game.engine.selfplay import play_out, step
from game.rulesets.stock_market_tycoon.options import Options
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON

BOTS = [STOCK_MARKET_TYCOON.bots[name] for name in ("house", "random", "house", "house")]
OWN_INPUTS = {"mine", "lasting", "is_ready", "can_undo", "can_undo_all"}


@pytest.mark.parametrize("mode", ["trader", "investor", "strategist"])
def test_it_looks_the_same_to_its_seat_and_can_be_played_on(mode: Any) -> None:
    chance = Chance(f"determinise {mode}")
    position = referee.start(STOCK_MARKET_TYCOON, Options(mode=mode, years=3), 4, chance).position
    while not position.is_over:
        for seat in referee.waiting_on(STOCK_MARKET_TYCOON, position):
            view = STOCK_MARKET_TYCOON.view(position, seat)
            assert STOCK_MARKET_TYCOON.determinise is not None
            guess = STOCK_MARKET_TYCOON.determinise(view, chance.at(branch=1, serial=position.cursor.serial))
            guess.state.ledger.assert_sound()
            assert_alike(view, STOCK_MARKET_TYCOON.view(guess, seat))
        position = step(STOCK_MARKET_TYCOON, position, BOTS, chance)[1].position
        step(STOCK_MARKET_TYCOON, guess, BOTS, chance)


def assert_alike(seen: Any, guessed: Any) -> None:
    """All but own inputs, what the others have done in a sealed phase, and the number of the action within a phase."""
    for name in set(seen.__struct_fields__) - OWN_INPUTS - {"players", "phase"}:
        assert getattr(guessed, name) == getattr(seen, name), name
    assert msgspec.structs.replace(guessed.phase, step=seen.phase.step) == seen.phase
    for player, other in zip(seen.players, guessed.players, strict=True):
        assert msgspec.structs.replace(other, state=player.state) == player


def test_the_sharp_bot_plays_a_game_to_its_end_among_house_bots() -> None:
    """Three years; how well it plays is measured by `simulate --bots sharp,house,house,house`."""
    bots = [STOCK_MARKET_TYCOON.bots[name] for name in ("house", "sharp", "house")]
    end = play_out(STOCK_MARKET_TYCOON, Options(years=3), bots, Chance("sharp 6")).position
    assert end.is_over
    assert {row.seat for row in STOCK_MARKET_TYCOON.standings(end.state)} == {0, 1, 2}
