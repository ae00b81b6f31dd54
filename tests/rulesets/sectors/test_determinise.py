"""A position made of what a seat sees looks the same to it, can be played on, and knows nothing hidden."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import msgspec
import pytest

from game.engine import referee
from game.engine.chance import Chance
from game.engine.selfplay import play_out, step
from game.rulesets.registry import RULESETS
from game.rulesets.sectors.bots.expert import expert_of
from game.rulesets.sectors.options import Options

SECTORS = RULESETS["sectors"]


@pytest.mark.parametrize("game", range(4))
@pytest.mark.parametrize("edition", [2, 1])
def test_it_looks_the_same_to_its_seat_and_can_be_played_on(game, edition):
    bots = [SECTORS.bots[name] for name in ("house", "random", "sharp", "house")]
    chance = Chance(f"determinise {edition} {game}")
    position = referee.start(SECTORS, Options(edition=edition, max_turns=8), 4, chance).position
    while not position.is_over:
        for seat in referee.waiting_on(SECTORS, position):
            view = SECTORS.view(position, seat)
            guess = SECTORS.determinise(view, chance.at(branch=1, serial=position.cursor.serial))
            guess.state.ledger.assert_sound()
            assert_alike(view, SECTORS.view(guess, seat))
        position = step(SECTORS, position, bots, chance)[1].position
        step(SECTORS, guess, bots, chance)


def assert_alike(seen, guessed):
    """What must be the same of two views: all but others' sealed inputs and orders, and one's own not sent anew."""
    for name in seen.__struct_fields__:
        if name not in {"mine", "lasting", "is_ready", "players", "orders"}:
            assert getattr(guessed, name) == getattr(seen, name), name
    hidden = {order.id for order in seen.orders if order.kind is None}
    assert [order for order in seen.orders if order.id not in hidden] == list(guessed.orders)
    for player, other in zip(seen.players, guessed.players, strict=True):
        assert msgspec.structs.replace(other, state=player.state) == player


@pytest.mark.trial
def test_the_expert_finishes_a_game_and_is_ahead_of_sharp_bots():
    """One game of three turns; over whole games see `simulate --bots expert,sharp,sharp,sharp,sharp`."""
    bots = [SECTORS.bots[name] for name in ("sharp", "expert", "sharp")]
    end = play_out(SECTORS, Options(max_turns=3), bots, Chance("expert")).position
    [first, *_] = SECTORS.standings(end.state)
    assert first.seat == 1


def test_a_search_never_draws_from_the_secret_of_the_game():
    """The worlds it plays on draw otherwise than the game will, also where its own chance is the game's."""
    drawn = []

    def spied(view, chance):
        drawn.append(chance)
        return SECTORS.determinise(view, chance)

    game = Chance("one")
    position = referee.start(SECTORS, Options(), 3, game).position
    expert_of(replace(SECTORS, determinise=spied))(
        SECTORS.view(position, 0), partial(referee.offers, SECTORS, position, 0), game.at(branch=0, serial=7)
    )
    later = [each.at(branch=0, serial=9).below("any", 2**64) for each in (game, *drawn)]
    assert len(drawn) > 1
    assert len(set(later)) == len(later)
