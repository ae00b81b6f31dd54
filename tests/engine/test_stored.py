"""What was stored in an earlier shape is read by today's rules, converted step by step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from game.engine import referee
from game.engine.codec import Codec, Newer
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from game.engine.stored import Stored, restore
from tests.engine.toy import CHANCE, TOY, Say, ToyAction, ToyState, begin


class LouderToyState(ToyState):
    """The toy's state as its third version has it: what was heard is counted, and `passes` is called `rounds`."""

    volume: int = 0
    rounds: int = -1


def count_what_was_heard(plain: dict[str, Any]) -> dict[str, Any]:
    state = {**plain["state"], "volume": len(plain["state"]["heard"])}
    return {**plain, "state": state}


def call_passes_rounds(plain: dict[str, Any]) -> dict[str, Any]:
    """This version also has a phase more at the front: the rows behind it move up."""
    state = {**plain["state"], "rounds": plain["state"]["passes"]}
    return {**plain, "state": state, "cursor": {**plain["cursor"], "row": plain["cursor"]["row"] + 1}}


UPGRADES = {1: count_what_was_heard, 2: call_passes_rounds}
THIRD = replace(TOY, schema=3, upgrades=UPGRADES, codec=Codec(LouderToyState, ToyAction, msgspec.Raw))


def stored(rules: Ruleset, position: AnyPosition) -> Stored:
    codec, ready = rules.codec, sorted(position.ready)
    state, inputs = codec.encode(position.state), codec.encode(position.pending)
    return Stored(state, inputs, position.cursor, ready, position.reviews, rules.schema, rules.version)


def in_the_first_round() -> AnyPosition:
    return referee.apply(TOY, begin().position, Say(actor=1, number=4), CHANCE).position


def test_todays_shape_comes_back_as_it_was() -> None:
    position = in_the_first_round()
    assert restore(TOY, stored(TOY, position)) == position


def test_an_earlier_shape_is_converted_one_step_after_the_other() -> None:
    position = in_the_first_round()
    found = restore(THIRD, stored(TOY, position))
    assert (found.state.volume, found.state.rounds) == (len(position.state.heard), position.state.passes)
    assert found.state.ledger == position.state.ledger
    assert found.pending == position.pending
    assert found.cursor == msgspec.structs.replace(position.cursor, row=(position.cursor.row or 0) + 1)


def test_a_later_shape_is_refused_and_not_guessed_at() -> None:
    later = msgspec.structs.replace(stored(TOY, begin().position), schema=4)
    with pytest.raises(Newer, match="stored in shape 4; these rules know shapes up to 3"):
        restore(THIRD, later)


@pytest.mark.parametrize("upgrades", [{}, {2: call_passes_rounds}, {**UPGRADES, 3: call_passes_rounds}])
def test_rules_need_an_upgrade_from_every_shape_they_had(upgrades: dict[int, Any]) -> None:
    with pytest.raises(ValueError, match="needs one upgrade from each schema before it"):
        replace(TOY, schema=3, upgrades=upgrades)


@pytest.mark.parametrize("changes", [{}, {2: "Cards count double."}, {2: "", 3: "", 4: ""}])
def test_rules_need_words_for_what_every_version_changed(changes: dict[int, str]) -> None:
    with pytest.raises(ValueError, match="version 3 needs a text on what each version from 2 on changed"):
        replace(TOY, version=3, changes=changes)


def test_who_followed_an_earlier_version_is_told_of_all_since() -> None:
    rules = replace(TOY, version=3, changes={2: "Cards count double.", 3: "Passing ends the round."})
    lines = [event.sentence(str) for event in rules.changed_since(1)]
    assert lines == [
        "From here on the game follows version 3 of the rules (was 1): Cards count double. Passing ends the round."
    ]
    assert not rules.changed_since(3)
