"""Positions as earlier shapes stored them are read by today's rules, and play on.

`stored` holds them as they were written: their sealed inputs lie in the slots of their time."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from game.engine import referee
from game.engine.actions import Withdraw
from game.engine.chance import Chance
from game.engine.position import AnyPosition
from game.engine.stored import Stored, restore
from game.rulesets.sectors.ruleset import SECTORS

FOLDER = Path(__file__).parent / "stored"
SHAPES = sorted(file.stem for file in FOLDER.glob("*.json"))
CHANCE = Chance("stored")


def position(name: str) -> AnyPosition:
    return restore(SECTORS, msgspec.json.decode((FOLDER / f"{name}.json").read_bytes(), type=Stored))


@pytest.mark.parametrize("name", SHAPES)
def test_a_stored_position_is_found_with_every_sealed_input_under_todays_name(name: str) -> None:
    found = position(name)
    assert found.pending
    for held in found.pending.values():
        assert {slot: action.slot() for slot, action in held.items()} == {slot: slot for slot in held}


@pytest.mark.parametrize("name", SHAPES)
def test_a_stored_input_can_be_withdrawn_and_counts_otherwise(name: str) -> None:
    found = position(name)
    slot = next(iter(found.pending[0]))
    left = referee.apply(SECTORS, found, Withdraw(actor=0, of=slot), CHANCE).position
    assert slot not in left.pending[0]
    closed, without = (referee.close(SECTORS, each, CHANCE).position for each in (found, left))
    assert SECTORS.codec.encode([closed.state, closed.pending]) != SECTORS.codec.encode(
        [without.state, without.pending]
    )


def test_stored_inputs_keep_the_order_in_which_they_were_given() -> None:
    assert list(position("schema_1_company_vote").pending[0]) == ["vote_actions BETA", "vote_actions ACME"]
