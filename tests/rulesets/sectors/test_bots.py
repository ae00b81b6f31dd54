"""The bots play with what people see, ask for nothing the rules refuse, and the house bot plays better than chance."""

from __future__ import annotations

from functools import partial
from statistics import mean

import pytest

from game.engine import names, referee
from game.engine.chance import Chance
from game.engine.flow import Mode
from game.engine.selfplay import play_out, step
from game.rulesets.registry import RULESETS
from game.rulesets.sectors.options import Options

SECTORS = RULESETS["sectors"]


def play(bots: list[str], secret: str, **options: object) -> object:
    return play_out(SECTORS, Options(**options), [SECTORS.bots[name] for name in bots], Chance(secret)).position


@pytest.mark.parametrize("seats", range(2, 9))
def test_house_bots_finish_a_game_at_every_table_size(seats):
    position = play(["house"] * seats, f"finish {seats}", max_turns=4)
    assert position.is_over
    assert len(SECTORS.standings(position.state)) == seats


@pytest.mark.parametrize("distribution", ["priority", "bid"])
@pytest.mark.parametrize("name", ["house", "sharp"])
def test_what_a_bot_asks_is_never_refused(distribution, name):
    """Every request passes `parse` and `check` at the moment it is made."""
    chance = Chance(f"legal {name} {distribution}")
    position = referee.start(SECTORS, Options(distribution=distribution, max_turns=4), 5, chance).position
    bot = SECTORS.bots[name]
    while not position.is_over:
        viewer = SECTORS.viewer(position)
        for seat in referee.waiting_on(SECTORS, position):
            for request in bot(viewer(seat), partial(referee.offers, SECTORS, position, seat), chance):
                names.check(SECTORS.parse(request, seat), position.state)
        position = step(SECTORS, position, [bot] * 5, chance)[1].position


def test_the_house_bot_beats_the_random_bot():
    scores = {"house": [], "random": []}
    for game in range(6):
        names = ["house", "random", "house", "random"]
        for standing in SECTORS.standings(play(names, f"duel {game}").state):
            scores[names[standing.seat]].append(standing.score)
    assert mean(scores["house"]) > 2 * mean(scores["random"])


@pytest.mark.parametrize(("games", "least"), [(20, 6), pytest.param(100, 40, marks=pytest.mark.trial)])
def test_a_sharp_bot_wins_far_more_than_its_share_against_four_steady_ones(games, least):
    """A fifth of the games would be fair. Over a thousand games it wins 55 in a hundred."""
    won = 0
    for game in range(games):
        names = ["house"] * 5
        names[game % 5] = "sharp"
        won += SECTORS.standings(play(names, f"sharp {game}").state)[0].seat == game % 5
    assert won >= least


def test_house_bots_float_companies_and_pay_dividends():
    state = play(["house"] * 4, "floats").state
    assert sum(company.status != "inactive" for company in state.companies.values()) >= 3
    assert mean(standing.score for standing in SECTORS.standings(state)) > 700


@pytest.mark.parametrize("name", ["house", "sharp"])
def test_a_bot_decides_alike_whatever_is_hidden_from_it(name):
    """Two tables that differ only in a rival's sealed order, the deck and the track's future give the same requests."""
    chance = Chance("hidden")
    position = referee.start(SECTORS, Options(), 3, chance).position
    position = step(SECTORS, position, [SECTORS.bots["house"]] * 3, chance)[1].position
    other_state = SECTORS.codec.copy(position.state)
    other_state.deck.reverse()
    other_state.track[5:] = other_state.track[5:][::-1]
    rival = SECTORS.parse(
        {
            "kind": "market_order",
            "company": next(iter(other_state.companies)),
            "side": "buy",
            "location": "ipo",
            "quantity": 3,
        },
        1,
    )
    other = type(position)(other_state, position.cursor, {1: {"order": rival}}, position.ready, position.reviews)
    same = type(position)(
        position.state,
        position.cursor,
        {1: {"order": rival.__class__(**{**_fields(rival), "quantity": 1})}},
        position.ready,
    )
    requests = [SECTORS.bots[name](SECTORS.view(p, 0), list, Chance("same")) for p in (same, other)]
    assert requests[0] == requests[1]
    assert referee.phase_of(SECTORS, position).mode is Mode.SEALED


def _fields(action: object) -> dict[str, object]:
    return {name: getattr(action, name) for name in action.__struct_fields__}
