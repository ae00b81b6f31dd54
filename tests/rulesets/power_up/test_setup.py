"""PU 1, 2: the components, the options and the table before the first turn."""

from __future__ import annotations

from collections import Counter

import pytest

from game.engine import referee
from game.engine.actions import Refused
from game.engine.chance import Chance, ScriptedChance
from game.engine.events import read_events
from game.rulesets.power_up.events import TilesDrawn, TilesSeen
from game.rulesets.power_up.forecast import NEUTRAL
from game.rulesets.power_up.numbers import CELLS, NEIGHBOURS, price_at
from game.rulesets.power_up.options import Options, parse_options
from game.rulesets.power_up.ruleset import POWER_UP
from game.rulesets.power_up.state import PowerUpState
from game.rulesets.power_up.tables import ACTION_WEIGHTS, largest_grant


def begun(seats: int, secret: str = "set-up", **script: list[object]) -> PowerUpState:
    state: PowerUpState = referee.start(POWER_UP, Options(), seats, ScriptedChance(secret, script)).position.state
    return state


def test_the_board_has_a_hundred_cells_and_only_straight_neighbours() -> None:
    assert len(set(CELLS)) == 100
    assert list(CELLS) == sorted(CELLS)
    assert Counter(len(near) for near in NEIGHBOURS.values()) == {4: 64, 3: 32, 2: 4}
    assert set(NEIGHBOURS["E5"]) == {"E4", "F5", "E6", "D5"}


@pytest.mark.parametrize(
    ("company", "size", "price"),
    [
        ("eclipse", 2, 200),
        ("eclipse", 4, 300),
        ("rufus", 2, 300),
        ("whoops", 5, 550),
        ("eclipse", 50, 2600),
        ("whoops", 30, 1800),
        ("cortex", 0, 300),
    ],
)
def test_example_1_price_table(company: str, size: int, price: int) -> None:
    """PU 1."""
    assert price_at(company, size) == price


def test_example_19_action_die() -> None:
    """PU 1: one face gives two actions, three give three, two give four."""
    faces = [actions for actions, count in ACTION_WEIGHTS.items() for _ in range(count)]
    assert faces == [2, 3, 3, 3, 4, 4]
    rolls = Counter(Chance("die", 0, serial).weighted("actions", ACTION_WEIGHTS) for serial in range(6000))
    assert abs(rolls[2] - 1000) < 120
    assert abs(rolls[3] - 3000) < 150
    assert abs(rolls[4] - 2000) < 140


def test_example_20_doe_range() -> None:
    """PU 4.3, P-17."""
    assert {seats: largest_grant(seats) for seats in POWER_UP.seats} == {2: 8, 3: 7, 4: 6}


@pytest.mark.parametrize(
    ("tiles", "order"),
    [
        (["I0", "E2", "D0", "C1"], ["C1", "D0", "E2", "I0"]),
        (["C7", "C1"], ["C1", "C7"]),
    ],
)
def test_example_21_start_order(tiles: list[object], order: list[str]) -> None:
    """PU 2: by column first, then by row."""
    state = begun(len(tiles), start_tile=tiles)
    assert [state.start_tiles[seat] for seat in state.order] == order
    assert state.acting == state.order[0]


def test_example_21_a_start_tile_touches_no_earlier_one() -> None:
    """PU 2, P-5: C2 beside C1 cannot be drawn, the diagonal D2 can."""
    with pytest.raises(ValueError, match="start_tile"):
        begun(2, start_tile=["C1", "C2"])
    assert begun(2, start_tile=["C1", "D2"]).board == {"C1": NEUTRAL, "D2": NEUTRAL}


@pytest.mark.parametrize(("seats", "left"), [(2, 88), (3, 82), (4, 76)])
def test_example_22_bag_size(seats: int, left: int) -> None:
    state = begun(seats)
    assert len(state.bag) == left
    assert [len(hand) for hand in state.hands] == [5] * seats
    assert set(state.board.values()) == {NEUTRAL}
    assert [state.cash(seat) for seat in range(seats)] == [6000] * seats
    assert state.sizes() == {}
    assert state.turn == 1


def test_hands_are_dealt_in_turn_order_and_only_their_owner_sees_them() -> None:
    """PU 2, 7."""
    script: dict[str, list[object]] = {
        "start_tile": ["E5", "A0"],
        "tiles": [["B0", "B1", "B2", "B3", "B4"], ["C5", "C6", "C7", "C8", "C9"]],
    }
    out = referee.start(POWER_UP, Options(), 2, ScriptedChance("s", script))
    assert out.position.state.hands == [["C5", "C6", "C7", "C8", "C9"], ["B0", "B1", "B2", "B3", "B4"]]
    assert [event.seat for event in out.events if isinstance(event, TilesDrawn)] == [1, 0]
    seen = [event.tiles for event in read_events(out.events, 0) if isinstance(event, TilesSeen)]
    assert seen == [("C5", "C6", "C7", "C8", "C9")]
    assert not [event for event in read_events(out.events, None) if isinstance(event, TilesSeen)]


@pytest.mark.parametrize("seats", [1, 5])
def test_a_table_has_two_to_four_seats(seats: int) -> None:
    with pytest.raises(Refused, match=r"for 2 to 4 players, not for .*Rule PU 1"):
        referee.start(POWER_UP, Options(), seats, Chance("s"))


@pytest.mark.parametrize("raw", [{}, {"doe": True}, {"doe": False}])
def test_options_come_from_their_menus(raw: dict[str, bool]) -> None:
    assert parse_options(raw) == Options(**raw)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"doe": 1}, "Department of Energy cannot be 1; it is one of true, false"),
        ({"doe": "yes"}, "cannot be 'yes'"),
        ({"doe": None}, "cannot be None"),
        ({"players": 2}, "There is no such option; the options are doe"),
    ],
)
def test_other_options_are_refused(raw: dict[str, object], words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        parse_options(raw)
    assert refused.value.rule == "PU 2"
