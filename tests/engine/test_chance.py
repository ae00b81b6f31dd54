"""Named draws: repeatable, independent of each other, even, and scriptable."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.engine.chance import Chance, ScriptedChance


@given(st.text(), st.integers(0, 5), st.integers(0, 5))
def test_the_same_place_gives_the_same_draws(secret: str, branch: int, serial: int) -> None:
    one, two = (Chance(secret).at(branch=branch, serial=serial) for _ in range(2))
    assert [one.below("a", 1000) for _ in range(5)] == [two.below("a", 1000) for _ in range(5)]


def test_secret_branch_serial_label_and_counter_each_change_the_draw() -> None:
    base = Chance("s", 0, 1)
    others = [Chance("t", 0, 1), Chance("s", 1, 1), Chance("s", 0, 2)]
    first = base.below("a", 2**60)
    assert (
        len({first, base.below("a", 2**60), base.below("b", 2**60), *(other.below("a", 2**60) for other in others)})
        == 6
    )


def test_an_extra_draw_elsewhere_changes_nothing() -> None:
    one, two = Chance("s"), Chance("s")
    one.below("elsewhere", 7)
    assert one.order("deck", range(20)) == two.order("deck", range(20))


@given(st.integers(-20, 20), st.integers(0, 30), st.integers(0, 99))
def test_integers_stay_in_their_range(low: int, width: int, serial: int) -> None:
    assert low <= Chance("s", 0, serial).integer("a", low, low + width) <= low + width


def test_draws_are_even_and_orders_are_whole() -> None:
    chance = Chance("even")
    counts = Counter(chance.pick("coin", "ab") for _ in range(4000))
    assert 1850 < counts["a"] < 2150
    weighted = Counter(chance.weighted("space", {"rare": 1, "often": 3}) for _ in range(4000))
    assert 850 < weighted["rare"] < 1150
    firsts = Counter(chance.order("deck", "abc")[0] for _ in range(3000))
    assert min(firsts.values()) > 880
    assert sorted(chance.order("deck", [1, 1, 2])) == [1, 1, 2]


def test_written_draws_are_used_up_in_turn_and_then_drawn() -> None:
    chance = ScriptedChance("s", {"roll": [6, 1], "card": ["b"], "row": [["c", "a", "b"]], "space": ["rare"]}).at(
        branch=0, serial=3
    )
    assert [chance.integer("roll", 1, 6) for _ in range(2)] == [6, 1]
    assert chance.pick("card", "ab") == "b"
    assert chance.order("row", "abc") == ["c", "a", "b"]
    assert chance.weighted("space", {"rare": 1, "often": 9}) == "rare"
    assert chance.integer("roll", 1, 6) == Chance("s", 0, 3).integer("roll", 1, 6)


@pytest.mark.parametrize(("label", "written"), [("roll", 7), ("card", "c"), ("row", ["a", "b"]), ("space", "none")])
def test_a_written_draw_that_is_not_possible_is_a_mistake(label: str, written: object) -> None:
    chance = ScriptedChance("s", {label: [written]})
    draws = {
        "roll": lambda: chance.integer("roll", 1, 6),
        "card": lambda: chance.pick("card", "ab"),
        "row": lambda: chance.order("row", "abc"),
        "space": lambda: chance.weighted("space", {"rare": 1}),
    }
    with pytest.raises(ValueError, match=label):
        draws[label]()


def test_a_sample_is_drawn_without_anything_twice() -> None:
    chance = Chance("sample")
    firsts = Counter(chance.sample("bag", "abcd", 2)[0] for _ in range(4000))
    assert min(firsts.values()) > 900
    assert all(len(set(chance.sample("bag", range(9), 5))) == 5 for _ in range(50))
    assert chance.sample("bag", "ab", 0) == []


def test_a_written_sample_holds_as_many_of_the_options() -> None:
    chance = ScriptedChance("s", {"bag": [["d", "a"], ["a"], ["a", "a"], ["a", "z"]]})
    assert chance.sample("bag", "abcd", 2) == ["d", "a"]
    for _ in range(3):
        with pytest.raises(ValueError, match="bag"):
            chance.sample("bag", "abcd", 2)
    assert len(chance.sample("bag", "abcd", 2)) == 2
