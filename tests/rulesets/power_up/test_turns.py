"""PU 3, 4.1, 4.6: the turn, its actions, drawing, buying, taking back, and what is done for who is absent."""

from __future__ import annotations

import pytest

from game.engine import referee
from game.engine.events import PhaseOpened
from game.rulesets.power_up import events as told
from game.rulesets.power_up.forecast import NEUTRAL
from game.rulesets.power_up.ruleset import POWER_UP
from tests.rulesets.power_up.table import Table


def test_the_roll_is_public_and_comes_before_the_first_action() -> None:
    """PU 3."""
    table = Table(actions=1).hands(ada="E5").draws("actions", 4).plays("E5")
    assert (table.now.acting, table.now.rolled, table.now.actions_left) == (1, 4, 4)
    assert [(e.seat, e.actions, e.audience) for e in table.events(told.ActionsRolled)] == [(1, 4, None)]
    assert [(e.seat, e.turn) for e in table.events(PhaseOpened)] == [(1, 2)]


def test_the_turn_passes_with_its_last_action_round_and_round() -> None:
    """P-1, PU 3."""
    table = Table(3, actions=1).hands(ada="E5 A0", bob="G5", cid="I5").draws("actions", 2, 2, 2)
    table.plays("E5")
    table.plays("G5", by="bob").asks("bob", "end_turn")
    table.plays("I5", by="cid").asks("cid", "end_turn")
    assert table.now.acting == 0
    assert table.now.turn == 4
    assert (table.now.tile_played, table.now.tile_lock) == (False, False)


def test_example_14_turn_with_two_actions() -> None:
    """DRAW and a tile: nothing is left to buy with."""
    table = Table(actions=2).board(rufus="D4 D5").hands(ada="A0 A9 J0 F9").draws("tiles", ["G5"])
    table.asks("ada", "draw")
    assert sorted(table.now.hands[0]) == ["A0", "A9", "F9", "G5", "J0"]
    table.plays("G5")
    assert table.now.acting == 1
    table.refuses("It is not your turn", "buy", company="rufus")


def test_example_15_turn_with_four_actions() -> None:
    table = Table(actions=4).board(neutral="D5").hands(ada="E5")
    table.plays("E5", found="superslick").buys("superslick", 3)
    assert table.money("ada") == 4800
    assert (table.held("ada", "superslick"), table.now.unsold("superslick")) == (4, 21)
    assert table.now.acting == 1


def test_example_16_buying() -> None:
    """PU 3, 4.6: not before a tile, and not beyond one's cash; a refusal costs no action."""
    table = Table().board(superslick="A0 A1").hands(ada="E5").cash(ada=350)
    table.refuses(r"before you have played a tile this turn\. \(Rule PU 3\)", "buy", company="superslick")
    table.plays("E5")
    table.refuses(r"a share costs 400, and you have 350\. \(Rule PU 4\.6\)", "buy", company="superslick")
    assert table.now.actions_left == 2
    table.refuses("Rufus Geothermal: it is not active", "buy", company="rufus")


def test_example_16_the_last_dollar() -> None:
    table = Table().board(superslick="A0 A1").hands(ada="E5").cash(ada=400).plays("E5").buys("superslick")
    assert table.money("ada") == 0


def test_example_28_after_an_expansion() -> None:
    """PU 3: no more tiles; drawing, buying and ending go on."""
    table = Table(actions=3).board(rufus="D4 D5").hands(ada="D6 J0 A0").plays("D6")
    assert table.now.actions_left == 2
    table.refuses(r"You cannot play another tile.*Rule PU 3", "play_tile", tile="J0")
    offered = referee.offers(POWER_UP, table.position, 0)
    refused = {offer.kind: bool(offer.refused) for offer in offered if offer.kind != "buy"}
    assert refused == {"play_tile": True, "draw": False, "end_turn": False}
    assert [offer.fixed["company"] for offer in table.offers("buy") if not offer.refused] == ["rufus"]


def test_several_tiles_may_be_played_while_they_stay_neutral() -> None:
    """PU 3."""
    table = Table(actions=4).hands(ada="A0 C0 E0").plays("A0").plays("C0").plays("E0")
    assert set(table.now.board.values()) == {NEUTRAL}
    assert table.now.actions_left == 1


def test_a_turn_cannot_end_before_a_tile() -> None:
    """PU 3."""
    table = Table().hands(ada="E5")
    table.refuses(r"cannot end your turn before you have played a tile\. \(Rule PU 3\)", "end_turn")
    table.plays("E5").asks("ada", "end_turn")
    assert table.now.acting == 1
    assert [event.unused for event in table.events(told.TurnEnded)] == [2]


def test_a_draw_fills_the_hand_or_empties_the_bag() -> None:
    """PU 4.1, P-13."""
    table = Table().hands(ada="E5").asks("ada", "draw")
    assert len(table.now.hands[0]) == 5
    table.refuses(r"You hold 5 of 5 tiles\. Play a tile before you draw\. \(Rule PU 4\.1\)", "draw")
    short = Table(3).hands(ada="E5")
    short.state.bag = ["A0", "A9"]
    short.asks("ada", "draw")
    assert (short.now.hands[0], short.now.bag) == (["A0", "A9", "E5"], [])
    short.refuses("the bag is empty", "draw")


def test_who_holds_no_tile_draws_first() -> None:
    """PU 3."""
    table = Table()
    table.refuses("You hold no tiles: draw first", "play_tile", tile="E5")
    assert [offer.kind for offer in referee.offers(POWER_UP, table.position, 0) if not offer.refused] == ["draw"]


def test_nobody_else_acts() -> None:
    words = r"It is not your turn in phase 1, Turn\. \(Rule PU 3\)"
    Table().hands(ada="E5").refuses(words, "play_tile", by="bob", tile="J9")


@pytest.mark.parametrize("kind", ["ready", "pass"])
def test_a_turn_knows_neither_ready_nor_pass(kind: str) -> None:
    Table().hands(ada="E5").refuses("is not possible in phase 1", kind)


# Taking back. (P-18)


def test_actions_are_taken_back_one_by_one_to_the_start_of_the_turn() -> None:
    table = Table(actions=4).board(rufus="D4 D5").hands(ada="D6 A0").shares("rufus", bob=2)
    before = POWER_UP.codec.encode(table.now)
    table.plays("D6").buys("rufus")
    table.asks("ada", "undo").asks("ada", "undo")
    assert POWER_UP.codec.encode(table.now) == before
    table.refuses(r"nothing to take back.*Rule P-18", "undo")


def test_a_founding_without_the_department_can_be_taken_back() -> None:
    table = Table().board(neutral="D5").hands(ada="E5").plays("E5", found="rufus").asks("ada", "undo")
    assert table.size("rufus") == 0
    assert table.now.hands[0] == ["E5"]


def test_a_grant_ends_what_can_be_taken_back() -> None:
    table = Table(doe=True, actions=4).board(neutral="D5").hands(ada="E5").plays("E5", found="rufus")
    table.refuses("nothing to take back", "undo")
    table.buys("rufus").asks("ada", "undo")
    assert table.held("ada", "rufus") == 1


def test_a_draw_ends_what_can_be_taken_back() -> None:
    Table().hands(ada="E5 A0").plays("E5").asks("ada", "draw").refuses("nothing to take back", "undo")


def test_the_passing_of_the_turn_ends_what_can_be_taken_back() -> None:
    table = Table(actions=1).hands(ada="E5").plays("E5")
    table.refuses("It is not your turn", "undo")
    table.refuses("nothing to take back", "undo", by="bob")


# Absent players. (PU 8, P-19)


def test_the_autopilot_plays_the_lowest_tile_that_stays_alone_draws_and_ends() -> None:
    table = Table(actions=4).board(rufus="A0 A1").hands(ada="A2 H5 F5").clock_runs_out()
    assert table.now.board["F5"] == NEUTRAL
    assert len(table.now.hands[0]) == 5
    assert table.now.acting == 1
    assert [event.unused for event in table.events(told.TurnEnded)] == [2]


def test_the_autopilot_prefers_an_expansion_to_a_founding() -> None:
    table = Table(actions=2).board(rufus="A0 A1", neutral="C5").hands(ada="B5 A2").clock_runs_out()
    assert table.size("rufus") == 3
    assert not table.events(told.TurnEnded)


def test_the_autopilot_founds_the_first_inactive_company() -> None:
    table = Table().board(eclipse="A0 A1", neutral="C5").hands(ada="B5").clock_runs_out()
    assert table.size("maniac") == 2


def test_the_autopilot_lets_the_first_of_tied_companies_survive() -> None:
    table = Table().board(rufus="A0 A1", cortex="A3 A4").hands(ada="A2").clock_runs_out()
    assert table.size("cortex") == 5


def test_the_autopilot_draws_with_an_empty_hand() -> None:
    table = Table(actions=2).draws("tiles", ["A0", "C0", "E0", "G0", "I0"]).clock_runs_out()
    assert table.now.board == {"A0": NEUTRAL}


def test_the_autopilot_goes_on_from_where_the_turn_stands() -> None:
    """P-19: a tile was played, the hand is full, nothing is bought."""
    table = Table(actions=4).board(rufus="A0 A1").hands(ada="A2 C9 E9 G9 I9").plays("A2").asks("ada", "draw")
    table.clock_runs_out()
    assert table.money("ada") == 6000
    assert table.size("rufus") == 3
    assert table.now.acting == 1


def test_the_autopilot_ends_a_turn_that_has_nothing_to_play() -> None:
    """P-4: hand-made positions come to an end too."""
    table = Table(3).empty_bag().clock_runs_out()
    assert table.now.acting == 1
