"""A copy shares nothing that may change, whatever the state is made of."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.engine.copying import copier_of
from game.rulesets.registry import RULESETS


class Card(msgspec.Struct, frozen=True):
    """Never changes, so copies share it."""

    name: str


class Hand(msgspec.Struct):
    """Changes."""

    cards: list[Card] = []
    points: int = 0


class Table(msgspec.Struct):
    """Nests what changes in every way a state may."""

    hands: dict[int, Hand] = {}
    piles: list[list[Card]] = []
    guest: Hand | None = None
    notes: Any = None
    best: Card | None = None
    seats: tuple[int, ...] = ()


def full_table() -> Table:
    card = Card("ace")
    return Table({1: Hand([card], 3)}, [[card], []], Hand([card]), {"by": ["ada"]}, card, (1, 2))


def test_a_copy_is_equal_and_a_change_of_it_stays_in_it() -> None:
    table = full_table()
    copied = copier_of(Table)(table)
    assert copied == table
    copied.hands[1].cards.clear()
    copied.hands[2] = Hand()
    copied.piles[1].append(Card("king"))
    copied.guest.points = 5
    copied.notes["by"].append("bob")
    assert table == full_table()


def test_what_is_frozen_is_shared() -> None:
    table = full_table()
    copied = copier_of(Table)(table)
    assert copied.best is table.best
    assert copied.guest.cards[0] is table.guest.cards[0]
    assert copier_of(Table)(Table()).guest is None
    assert copier_of(Card)(table.best) is table.best


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_a_state_is_copied_as_it_would_be_stored_and_read(rules: Any) -> None:
    state = rules.setup(rules.options_type(), rules.seats.start)
    copied = rules.codec.copy(state)
    assert copied == rules.codec.decode_state(rules.codec.encode(state))
    assert rules.codec.encode(copied) == rules.codec.encode(state)
