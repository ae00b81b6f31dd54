"""PU 4.2–4.4: what a tile does that merges nothing."""

from __future__ import annotations

import pytest

from game.rulesets.power_up import events as told
from game.rulesets.power_up.forecast import EXPANSION, FAILED, FOUNDING, ISOLATED, NEUTRAL
from tests.rulesets.power_up.table import Table

ALL_ACTIVE = {
    "eclipse": "A0 A1",
    "maniac": "C0 C1",
    "cortex": "E0 E1",
    "rufus": "G0 G1",
    "superslick": "I0 I1",
    "whoops": "A8 A9",
}
NO_MANIAC = {key: tiles for key, tiles in ALL_ACTIVE.items() if key != "maniac"}


def two_neutrals(**options: bool) -> Table:
    """Example 2: D5 and E4 are neutral, and Ada holds E5."""
    return Table(**options).board(neutral="D5 E4").hands(ada="E5 J0")


def test_a_tile_that_touches_nothing_stays_neutral() -> None:
    """PU 4.2."""
    table = Table().hands(ada="E5 J0").plays("E5")
    assert table.now.board == {"E5": NEUTRAL}
    assert table.now.hands[0] == ["J0"]
    assert (table.now.tile_played, table.now.tile_lock) == (True, False)
    assert table.events(told.TileIsolated)


def test_example_2_founding() -> None:
    """PU 4.3: the price counts all tiles at once."""
    table = two_neutrals().plays("E5", found="superslick")
    assert table.now.board == dict.fromkeys(["E5", "D5", "E4"], "superslick")
    assert (table.size("superslick"), table.now.price("superslick")) == (3, 450)
    assert (table.held("ada", "superslick"), table.now.unsold("superslick")) == (1, 24)
    assert table.now.headquarters == {"superslick": "E5"}
    assert table.money("ada") == 6000
    assert table.now.tile_lock


def test_example_2_founding_with_the_department() -> None:
    table = two_neutrals(doe=True).draws("doe", 6).plays("E5", found="superslick")
    assert (table.held("doe", "superslick"), table.now.unsold("superslick")) == (6, 18)
    assert [event.shares for event in table.events(told.SharesGranted)] == [6]


def test_a_founding_names_an_inactive_company() -> None:
    """PU 4.3, P-12."""
    table = two_neutrals().board(eclipse="A0 A1")
    words = r"E5 founds a company\. Choose Maniac Timber, .* or Whoops Uranium\. \(Rule PU 4\.3\)"
    table.refuses(words, "play_tile", tile="E5")
    table.refuses(r"Eclipse Solar has 2 tiles\. Choose", "play_tile", tile="E5", found="eclipse")
    table.refuses("Found must be", "play_tile", tile="E5", found="acme")


def test_a_founding_names_its_company_even_when_one_is_left() -> None:
    """P-12."""
    table = Table().board(**NO_MANIAC, neutral="H3").hands(ada="H4")
    table.refuses(r"Choose Maniac Timber\.", "play_tile", tile="H4")
    assert table.plays("H4", found="maniac").size("maniac") == 2


@pytest.mark.parametrize("named", [{"found": "rufus"}, {"survivor": "rufus"}, {"found": "rufus", "survivor": "rufus"}])
def test_a_company_is_named_only_where_the_tile_calls_for_it(named: dict[str, str]) -> None:
    """P-7."""
    words = r"Look at the board and choose again\. \(Rule P-7\)"
    Table().hands(ada="E5").refuses(words, "play_tile", tile="E5", **named)


def test_a_founding_takes_no_survivor_and_an_expansion_no_company() -> None:
    """P-7."""
    two_neutrals().refuses("P-7", "play_tile", tile="E5", found="rufus", survivor="rufus")
    Table().board(rufus="D4 D5").hands(ada="D6").refuses("P-7", "play_tile", tile="D6", survivor="rufus")


def test_only_a_tile_of_the_own_hand_can_be_played() -> None:
    """PU 4.2."""
    table = Table().hands(ada="E5 A1", bob="J9")
    table.refuses(r"You do not hold that tile\. You hold A1 and E5|You hold E5 and A1", "play_tile", tile="J9")
    table.refuses("There is no tile Z0", "play_tile", tile="Z0")
    table.refuses("Tile must be text of 2 to 2 characters", "play_tile", tile="E55")


def test_example_3_expansion_with_one_neutral() -> None:
    """PU 4.4."""
    table = Table().board(rufus="D4 D5 D6", neutral="F5").hands(ada="E5")
    assert table.now.price("rufus") == 350
    assert table.ahead("E5").case == EXPANSION
    table.plays("E5")
    assert (table.size("rufus"), table.now.price("rufus")) == (5, 450)
    assert table.money("ada") == 6000
    assert table.held("ada", "rufus") == 0
    assert [(e.joined, e.size, e.price) for e in table.events(told.CompanyExpanded)] == [(2, 5, 450)]


def test_example_4_expansion_with_three_neutrals() -> None:
    table = Table().board(rufus="D4 D5 D6", neutral="C7 E7 D8").hands(ada="D7").plays("D7")
    assert (table.size("rufus"), table.now.price("rufus")) == (7, 550)


def test_neutrals_that_hang_together_join_as_a_whole() -> None:
    """P-2: also those that the tile does not touch itself."""
    table = Table().board(rufus="D4 D5", neutral="E6 E7 F7").hands(ada="E5").plays("E5")
    assert table.size("rufus") == 6
    assert NEUTRAL not in table.now.board.values()


def test_example_17_failed_founding() -> None:
    """PU 4.2: all six are active; the tile stays neutral and another may follow."""
    table = Table().board(**ALL_ACTIVE, neutral="H3").hands(ada="H4 J5")
    assert table.ahead("H4").case == FAILED
    table.plays("H4")
    assert [table.now.board[tile] for tile in ("H3", "H4")] == [NEUTRAL, NEUTRAL]
    assert (table.now.tile_lock, table.now.tile_played) == (False, True)
    assert table.events(told.FoundingFailed)
    assert table.plays("J5").now.board["J5"] == NEUTRAL


def test_example_17_a_later_founding_takes_the_whole_cluster() -> None:
    table = Table().board(**NO_MANIAC, neutral="H3 H4").hands(ada="H5")
    assert table.ahead("H5").case == FOUNDING
    table.plays("H5", found="maniac")
    assert (table.size("maniac"), table.now.price("maniac")) == (3, 250)


def test_example_18_sold_out() -> None:
    """PU 4.6: with eight shares granted, sixteen are left to buy."""
    table = two_neutrals(doe=True).cash(ada=20_000).draws("doe", 8).plays("E5", found="maniac")
    assert table.now.unsold("maniac") == 16
    table.state = table.now
    table.now.actions_left = 20
    table.buys("maniac", 16)
    table.refuses(r"all its shares are sold\. \(Rule PU 4\.6\)", "buy", company="maniac")


def test_example_27_refounding() -> None:
    """PU 4.3: a company that was taken over begins anew with 25 shares."""
    table = Table(actions=4).board(superslick="A0 A1 A2 B0 C0 D0", eclipse="C2 D2 E2 F2", neutral="B3 H8")
    table.hands(ada="B2", bob="H9").shares("eclipse", bob=3).plays("B2").asks("ada", "end_turn").draws("actions", 3)
    table.plays("H9", by="bob", found="eclipse")
    assert (table.now.price("eclipse"), table.now.unsold("eclipse"), table.held("bob", "eclipse")) == (200, 24, 1)
    assert table.now.headquarters["eclipse"] == "H9"


def test_what_a_tile_would_do_is_said_before() -> None:
    """Forecasts use what is public: case, tiles, and size and price after."""
    table = two_neutrals()
    assert table.ahead("J0").case == ISOLATED
    ahead = table.ahead("E5")
    assert (ahead.case, ahead.tiles, ahead.choice) == (FOUNDING, ("D5", "E4", "E5"), "found")
    assert [(one.company, one.size, one.price) for one in ahead.results] == [
        ("eclipse", 3, 250),
        ("maniac", 3, 250),
        ("cortex", 3, 350),
        ("rufus", 3, 350),
        ("superslick", 3, 450),
        ("whoops", 3, 450),
    ]
