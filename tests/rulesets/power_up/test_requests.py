"""Bad input: a malformed, foreign, stale or impossible request is refused under a rule's number and changes nothing."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.engine import referee
from game.engine.actions import Refused
from game.engine.chance import Chance
from game.rulesets.power_up.ruleset import POWER_UP
from tests.rulesets.power_up.table import Table


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({}, "The request names no action. The actions are ready, pass, withdraw, undo, draw, play_tile, buy"),
        ({"kind": "sell"}, "There is no action “sell”"),
        ({"kind": "play_tile"}, "Tile is missing: it must be text of 2 to 2 characters"),
        ({"kind": "play_tile", "tile": 5}, "Tile must be text"),
        ({"kind": "play_tile", "tile": "E5", "survivor": 1}, "Survivor must be"),
        ({"kind": "buy"}, "Company is missing"),
        ({"kind": "buy", "company": "acme"}, "Company must be cortex or eclipse or maniac"),
        ({"kind": "buy", "company": "rufus", "quantity": 3}, "Buy a share has no field “quantity”: it takes company"),
        ({"kind": "draw", "count": 2}, "Draw tiles has no field “count”: it takes none"),
        ({"kind": "draw", "actor": 1}, "does not say who asks"),
    ],
)
def test_a_malformed_request_is_refused_with_what_is_wrong(raw: dict[str, Any], words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        POWER_UP.parse(raw, 0)
    assert refused.value.rule == "PU 3"


JUNK = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=3), st.sampled_from(["E5", "rufus", "J9"]))


@given(
    st.integers(0, 1),
    st.fixed_dictionaries(
        {"kind": st.sampled_from(sorted(POWER_UP.actions))},
        optional=dict.fromkeys(("tile", "found", "survivor", "company", "of", "on"), JUNK),
    ),
)
def test_whatever_is_asked_is_carried_out_or_refused(seat: int, raw: dict[str, Any]) -> None:
    """Nothing but `Refused` comes out of any request, and the position given in is never changed."""
    position = Table().board(rufus="D4 D5", eclipse="F5 F4").hands(ada="E5 A0").position
    before = POWER_UP.codec.encode(position.state)
    with suppress(Refused):
        referee.apply(POWER_UP, position, POWER_UP.parse(raw, seat), Chance("junk"))
    assert POWER_UP.codec.encode(position.state) == before


def test_a_choice_made_for_another_position_is_refused() -> None:
    """P-7: the company that was to be founded is active by now, or the tile has become an expansion."""
    table = Table().board(neutral="D5", rufus="A0 A1").hands(ada="E5")
    table.refuses("Rufus Geothermal has 2 tiles", "play_tile", tile="E5", found="rufus")
    table = Table().board(rufus="D5 D6").hands(ada="E5")
    table.refuses("founds no company now", "play_tile", tile="E5", found="maniac")


def test_nothing_is_asked_of_a_seat_that_is_not_at_the_table() -> None:
    position = Table().hands(ada="E5").position
    with pytest.raises(Refused, match="There is no seat 5 in this game of 2"):
        referee.apply(POWER_UP, position, POWER_UP.parse({"kind": "draw"}, 5), Chance("x"))
