"""Lasting effects: what they add up to, and when they go."""

from __future__ import annotations

from game.engine.modifiers import Modifier, spend, still_to_come, total, without_source

ALWAYS = Modifier("cost", -20, "card")
ONCE = Modifier("cost", -5, "veto", once=True)
IN_TURN_4 = Modifier("freeze", 1, "price_freeze", turn=4)


def test_modifiers_of_one_number_add_up_in_their_turn_only() -> None:
    assert total([ALWAYS, ONCE, IN_TURN_4], "cost", 3) == -25
    assert [total([IN_TURN_4], "freeze", turn) for turn in (3, 4, 5)] == [0, 1, 0]
    assert total([], "cost", 1) == 0


def test_a_one_time_effect_goes_with_the_step_that_used_its_number() -> None:
    assert spend([ALWAYS, ONCE, IN_TURN_4], frozenset({"cost"})) == [ALWAYS, IN_TURN_4]
    assert spend([ONCE], frozenset({"revenue"})) == [ONCE]


def test_effects_go_with_their_source_or_their_turn() -> None:
    assert without_source([ALWAYS, ONCE], "card") == [ONCE]
    assert still_to_come([ALWAYS, IN_TURN_4], 4) == [ALWAYS, IN_TURN_4]
    assert still_to_come([ALWAYS, IN_TURN_4], 5) == [ALWAYS]
