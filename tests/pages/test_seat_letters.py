"""The letters by which seats are known on pieces and bars: people have theirs first, and keep them."""

from __future__ import annotations

import pytest

from game.boards.registry import BOARDS
from game.store.badges import letters_of
from game.store.readers import BOT_NAMES

PIECES = BOARDS["power_up"].letters


def letters(*names: str, pieces: frozenset[str] = frozenset()) -> list[str]:
    """Names of bots are theirs alone."""
    return letters_of(names, [name in BOT_NAMES for name in names], pieces)


def test_people_have_their_initials_whatever_the_bots_are_called() -> None:
    assert letters("Bramble", "Bo", "Abacus", "Ada") == ["β", "B", "α", "A"]


def test_no_letter_of_others_changes_when_a_guest_signs_up_or_somebody_takes_a_bots_seat() -> None:
    before = letters("Guest 8358", "Abacus", "Bramble", "Garnet")
    assert letters("Ada", "Abacus", "Bramble", "Garnet")[1:] == before[1:]
    assert letters("Guest 8358", "Ada", "Bramble", "Garnet")[2:] == before[2:]


def test_two_people_with_one_initial_differ() -> None:
    assert letters("Ada", "Abe", "Aa", "4711") == ["A", "B", "C", "D"]


def test_every_bot_has_a_letter_of_its_own_that_no_person_can_have() -> None:
    of_bots = letters(*BOT_NAMES)
    assert len(set(of_bots)) == len(BOT_NAMES)
    assert not {letter.upper() for letter in of_bots} & {letter.upper() for letter in letters("Ada", "Bo", "Eve")}


@pytest.mark.parametrize("name", ["Cora", "Max", "Eve", "Rob", "Sam", "Wim", "Ecrw"])
def test_nobody_at_the_table_has_the_letter_of_a_company(name: str) -> None:
    assert {"E", "M", "C", "R", "S", "W"} == PIECES
    for table in ((name, "Abacus", "Clover", "Ember"), ("Ada", name, "Mo", "Ed")):
        found = letters(*table, pieces=PIECES)
        assert not set(found) & PIECES
        assert len(set(found)) == len(table)
