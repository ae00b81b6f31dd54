"""PU 5, 6: how a game ends, the final sale, and who stands where."""

from __future__ import annotations

import pytest

from game.engine.ledger import hand_of
from game.rulesets.power_up import events as told
from game.rulesets.power_up.ruleset import POWER_UP
from tests.rulesets.power_up.table import Table


def places(table: Table) -> list[tuple[int, int, int]]:
    return [(s.seat, s.place, s.score) for s in POWER_UP.standings(table.now)]


def test_example_23_end_by_fifty() -> None:
    """The victim is paid, then the game ends with two actions unused."""
    columns = {name: " ".join(f"{name}{row}" for row in range(10)) for name in "ABG"}
    table = Table(3, actions=3).board(
        eclipse=f"{columns['A']} {columns['B']} C0 C1 C5 C7 C8 C9 D0 D1",
        maniac=f"E5 F5 {columns['G']} H0 H1 H2 H3 H4 H5 H6 H7",
        neutral="D4",
    )
    assert (table.size("eclipse"), table.size("maniac")) == (28, 20)
    table.shares("maniac", bob=1).hands(ada="D5").plays("D5")
    assert table.position.is_over
    assert table.size("eclipse") == 50
    assert table.now.end == "giant"
    assert table.money("bob") == 6000 + 16 * 1100
    kinds = [type(event) for event in table.told]
    assert kinds.index(told.HolderPaid) < kinds.index(told.GameEnded)


def test_example_23_final_sale() -> None:
    table = Table(3, actions=3).block("eclipse", 49, 0).hands(ada="E9").shares("eclipse", ada=9, bob=7, cid=2)
    table.cash(ada=2350, bob=4100, cid=9000).plays("E9")
    paid = {e.seat: (e.bonus, e.shares * e.price) for e in table.events(told.HolderPaid)}
    assert paid == {0: (26000, 23400), 1: (13000, 18200), 2: (0, 5200)}
    assert places(table) == [(0, 1, 51750), (1, 2, 35300), (2, 3, 14200)]
    assert [(e.seat, e.place, e.cash) for e in table.events(told.FinalCash)] == places(table)


@pytest.mark.parametrize(
    ("first", "second", "end"),
    [(30, 28, ""), (30, 29, "rivals"), (49, 28, ""), (48, 30, "rivals"), (29, 29, "")],
)
def test_example_24_end_by_two_of_thirty(first: int, second: int, end: str) -> None:
    """Whoops grows by one tile beside the other."""
    table = Table().block("rufus", first, 0).block("whoops", second, 6)
    column = "GHIJ"[second // 10] + str(second % 10)
    table.hands(ada=column, bob="F5").plays(column)
    assert table.size("whoops") == second + 1
    assert table.now.end == end
    assert table.position.is_over == bool(end)


def test_one_giant_comes_before_two_rivals() -> None:
    """PU 5: the first condition that holds is told."""
    table = Table().block("rufus", 49, 0).block("whoops", 30, 6).hands(ada="E9", bob="J9").plays("E9")
    assert table.now.end == "giant"


def test_example_25_end_by_exhaustion() -> None:
    """P-4: the actor's last tile with an empty bag; others keep theirs."""
    table = Table(3).hands(ada="E5", bob="A0 A9 J0", cid="J9").empty_bag()
    table.plays("E5")
    assert table.now.end == "exhausted"
    assert table.position.is_over
    assert len(table.now.hands[1]) == 3


def test_a_draw_can_end_the_game_before_a_tile_is_played() -> None:
    """P-3: another hand is empty, and the draw empties the bag."""
    table = Table(3).hands(ada="E5", bob="J9")
    table.state.hands[2] = []
    table.state.bag = ["A0", "A9"]
    table.asks("ada", "draw")
    assert table.now.end == "exhausted"
    assert not table.now.tile_played


def test_an_empty_hand_alone_ends_nothing() -> None:
    table = Table(actions=2).hands(ada="E5").plays("E5")
    assert table.now.end == ""


def test_after_the_end_nothing_is_asked_and_hands_are_public() -> None:
    """P-11: no shares remain; board, sizes and prices stay."""
    table = Table(doe=True).block("eclipse", 49, 0).hands(ada="E9 G0", bob="I5")
    table.shares("eclipse", ada=2, doe=3).plays("E9")
    table.refuses(r"The game is over\. \(Rule PU 5\)", "buy", company="eclipse")
    assert table.now.ledger.existing("eclipse") == 0
    for viewer in (None, "ada", "bob"):
        view = table.view(viewer)
        assert [player.hand for player in view.players] == [("G0",), ("I5",)]
        assert (view.company("eclipse").size, view.company("eclipse").price) == (50, 2600)
        assert view.end == "giant"
        assert view.ahead == ()
    assert table.money("doe") == 26000 + 7800


def test_equal_cash_shares_the_better_place() -> None:
    """P-10: 1, 1, 3."""
    table = Table(3).block("eclipse", 49, 0).hands(ada="E9").cash(ada=500, bob=900, cid=900).plays("E9")
    assert places(table) == [(1, 1, 900), (2, 1, 900), (0, 3, 500)]


def test_before_the_end_a_seat_stands_where_an_end_now_would_put_it() -> None:
    table = Table(doe=True).block("maniac", 4, 0).shares("maniac", ada=3, bob=1)
    assert places(table) == [(0, 1, 6000 + 3000 + 900), (1, 2, 6000 + 1500 + 300)]
    assert table.now.ledger.at("maniac", hand_of(0)) == 3


def test_the_end_reads_as_sentences() -> None:
    table = Table().block("eclipse", 49, 0).hands(ada="E9").cash(ada=500, bob=900).plays("E9")
    names = ["Ada", "Bob"].__getitem__
    lines = [event.sentence(names) for event in table.told]
    assert "The game is over: one company has 50 tiles or more." in lines
    assert lines[-2:] == ["Bob finished 1st.", "Ada finished 2nd."]
