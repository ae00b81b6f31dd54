"""A position made of what a seat sees looks the same to it, can be played on, and knows nothing hidden."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.engine import referee
from game.engine.chance import Chance
from game.engine.position import AnyPosition
from game.engine.selfplay import step
from game.rulesets.big_shoulders.options import Options
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS
from tests.rulesets.big_shoulders.hidden import otherwise

BOTS = [BIG_SHOULDERS.bots[name] for name in ("house", "random", "house", "random")]
OWN_INPUTS = {"mine", "lasting", "is_ready", "can_undo", "can_undo_all"}


@pytest.mark.parametrize(("seats", "advanced"), [(4, False), (3, True), (2, False)])
def test_it_looks_the_same_to_its_seat_and_can_be_played_on(seats: int, advanced: bool) -> None:
    chance = Chance(f"determinise {seats}")
    position = referee.start(BIG_SHOULDERS, Options(advanced=advanced), seats, chance).position
    while not position.is_over:
        for seat in range(seats):
            view = BIG_SHOULDERS.view(position, seat)
            assert BIG_SHOULDERS.determinise is not None
            guess = BIG_SHOULDERS.determinise(view, chance.at(branch=1, serial=position.cursor.serial))
            guess.state.ledger.assert_sound()
            assert_alike(view, BIG_SHOULDERS.view(guess, seat))
            assert_same_tiles(position.state, guess.state)
        position = step(BIG_SHOULDERS, position, BOTS, chance)[1].position
        step(BIG_SHOULDERS, guess, BOTS, chance)


@pytest.mark.parametrize("seats", [2, 4])
def test_what_is_drawn_depends_on_nothing_hidden(seats: int) -> None:
    """Positions with the others' tiles, decks and choices exchanged lead to the same guess."""
    chance = Chance(f"alike {seats}")
    position = referee.start(BIG_SHOULDERS, Options(), seats, chance).position
    guesses = []
    while not position.is_over:
        seat = min(referee.waiting_on(BIG_SHOULDERS, position))
        one, other = (guessed(each, seat) for each in (position, otherwise(position, seat)))
        assert one == other
        guesses.append(one.state.hands[seat - 1] == position.state.hands[seat - 1])
        position = step(BIG_SHOULDERS, position, BOTS, chance)[1].position
    assert not all(guesses)


def guessed(position: AnyPosition, seat: int) -> AnyPosition:
    """A guess of the seat at the position, always with the same chance."""
    assert BIG_SHOULDERS.determinise is not None
    return BIG_SHOULDERS.determinise(BIG_SHOULDERS.view(position, seat), Chance("guess"))


def assert_alike(seen: Any, guessed: Any) -> None:
    """All but own inputs, what the others have done in a sealed phase, and the number of the action within a phase."""
    for name in set(seen.__struct_fields__) - OWN_INPUTS - {"players", "phase"}:
        assert getattr(guessed, name) == getattr(seen, name), name
    assert msgspec.structs.replace(guessed.phase, step=seen.phase.step) == seen.phase
    for player, other in zip(seen.players, guessed.players, strict=True):
        assert msgspec.structs.replace(other, state=player.state) == player


def assert_same_tiles(true: Any, guess: Any) -> None:
    """Every tile has one place, no era has more or fewer, and everybody has discarded as many."""
    assert all_tiles(guess) == all_tiles(true)
    assert [len(pile) for pile in guess.discarded] == [len(pile) for pile in true.discarded]
    assert (guess.last_dealer is None) or guess.priority == true.priority


def all_tiles(state: Any) -> list[int]:
    piles = [*state.hands, *state.built, *state.discarded, *state.era_decks.values()]
    return sorted(tile for pile in piles for tile in pile)
