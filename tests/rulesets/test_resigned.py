"""Seats that were given up, in every game: below all others, later ones above earlier ones, their money as usual.
(P-16)"""

from __future__ import annotations

from typing import Any

import pytest

from game.engine import leaving, referee
from game.engine.chance import Chance
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from game.engine.selfplay import play_out
from game.rulesets.registry import RULESETS

CHANCE = Chance("resigned")
GAMES = sorted(RULESETS)


def begun(rules: Ruleset, seats: int = 3) -> AnyPosition:
    position: AnyPosition = referee.start(rules, rules.parse_options({}), seats, CHANCE).position
    return position


def ended(rules: Ruleset, position: AnyPosition) -> AnyPosition:
    """Played to its end by nobody: every clock runs out."""
    for _ in range(4000):
        if position.is_over:
            return position
        position = referee.close(rules, position, CHANCE).position
    raise AssertionError("The game does not end.")


def places(rules: Ruleset, position: AnyPosition) -> dict[int, int]:
    return {row.seat: row.place for row in rules.standings(position.state)}


@pytest.mark.parametrize("key", GAMES)
def test_who_resigned_is_below_all_others_and_later_ones_above_earlier_ones(key: str) -> None:
    rules = RULESETS[key]
    position = leaving.resigned(leaving.resigned(begun(rules), 2), 0)
    end = ended(rules, position)
    assert places(rules, end) == {1: 1, 0: 2, 2: 3}
    scores = {row.seat: row.score for row in rules.standings(end.state)}
    assert scores == {row.seat: row.score for row in rules.standings(ended(rules, begun(rules)).state)}, "as usual"


@pytest.mark.parametrize("key", GAMES)
def test_the_result_that_everybody_sees_says_the_same(key: str) -> None:
    rules = RULESETS[key]
    end = ended(rules, leaving.resigned(begun(rules), 0))
    for seat in (None, 0, 1):
        assert [row.seat for row in rules.view(end, seat).standings][-1] == 0


@pytest.mark.parametrize("key", GAMES)
def test_a_substitute_is_placed_as_everybody_else(key: str) -> None:
    rules = RULESETS[key]
    position = leaving.handed_over(leaving.resigned(begun(rules), 0), 0)
    assert position.state.left == ()
    assert places(rules, ended(rules, position)) == places(rules, ended(rules, begun(rules)))


@pytest.mark.parametrize("key", GAMES)
def test_everybody_may_resign(key: str) -> None:
    rules = RULESETS[key]
    position = begun(rules)
    for seat in (1, 2, 0):
        position = leaving.resigned(position, seat)
    assert places(rules, ended(rules, position)) == {0: 1, 2: 2, 1: 3}


@pytest.mark.parametrize("key", GAMES)
def test_what_is_stored_does_not_change_while_nobody_has_resigned(key: str) -> None:
    rules = RULESETS[key]
    position = begun(rules)
    assert b"resigned" not in rules.codec.encode(position.state)
    left = leaving.resigned(position, 1)
    assert rules.codec.decode_state(rules.codec.encode(left.state)).left == (1,)
    assert rules.codec.encode(leaving.handed_over(left, 1).state) == rules.codec.encode(position.state)


def test_taking_back_an_action_does_not_bring_a_seat_back() -> None:
    rules = RULESETS["power_up"]
    position = begun(rules)
    seat = position.state.acting
    position = referee.apply(rules, position, _public_action(rules, position, seat), CHANCE).position
    assert position.earlier
    position = leaving.resigned(position, (seat + 1) % 3)
    undone = referee.apply(rules, position, rules.parse({"kind": "undo"}, seat), CHANCE).position
    assert undone.state.left == ((seat + 1) % 3,)


def _public_action(rules: Ruleset, position: AnyPosition, seat: int) -> Any:
    """A tile that founds nothing: it can be taken back."""
    for offer in referee.offers(rules, position, seat):
        if offer.kind == "play_tile" and not offer.refused:
            tile = offer.fields[0].values[0][0]  # type: ignore[union-attr]
            return rules.parse({"kind": "play_tile", "tile": tile}, seat)
    raise AssertionError("No tile can be played.")


@pytest.mark.parametrize("key", GAMES)
def test_bots_play_on_at_a_table_where_somebody_resigned(key: str) -> None:
    rules = RULESETS[key]
    house = rules.bots["house"]
    outcome = play_out(rules, rules.parse_options({}), [house] * 3, CHANCE)
    assert outcome.position.is_over
    assert rules.standings(leaving.resigned(outcome.position, 2).state)[-1].seat == 2
