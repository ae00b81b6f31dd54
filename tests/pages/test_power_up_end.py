"""A turn that ends the game: said loudly, with the final standings, and asked once. (PU 5, 6, P-18)"""

from __future__ import annotations

from typing import Any

import pytest

from game.boards.decision import BadField, Filled
from game.boards.shapes import Preview
from game.engine import referee
from game.rulesets.power_up.ruleset import POWER_UP as RULES
from tests.pages.panels import page_engine
from tests.pages.test_power_up import TURN, drawn, panel, random_game
from tests.rulesets.power_up.table import Table


def form(position: Any, **filled: str) -> Any:
    ticket = panel(position, position.state.acting, filled=Filled({name: [it] for name, it in filled.items()})).ticket
    assert ticket is not None
    return ticket


def preview(position: Any, **filled: str) -> Preview:
    found: Preview = form(position, **filled).preview
    return found


def said(shown: Preview) -> str:
    return " ".join(f"{say.lead} {say.text}" for say in shown.says)


def standings_in(shown: Preview) -> list[tuple[str, str]]:
    """The final standings of a preview: place with name, and cash."""
    labels = [row.label for row in shown.rows]
    return [(row.label, row.now) for row in shown.rows[labels.index("Final standings") + 1 :]]


def giant() -> Table:
    """Rufus has 49 tiles; E9 would be the 50th. Ada holds 3 of its shares, Bob 1."""
    return Table().block("rufus", 49, at=0).hands(ada="E9 J0").shares("rufus", ada=3, bob=1)


def test_the_tile_that_ends_the_game_shows_what_everybody_would_have() -> None:
    """Price 300 + 50 × 48 = 2,700: bonuses 27,000 and 13,500, shares 8,100 and 2,700."""
    table = giant()
    result = preview(table.position, move="E9")
    assert "This ends the game at once: one company has 50 tiles or more" in said(result)
    assert "ends" in result.caption
    assert "your last action" not in said(result)
    assert standings_in(result) == [("1. You", "41,100"), ("2. <Player 1>", "22,200")]
    table.plays("E9")
    assert table.position.is_over
    assert [place.score for place in RULES.standings(table.now)] == [41_100, 22_200]


def test_it_is_asked_once() -> None:
    ticket = form(giant().position, move="E9")
    assert ticket.form.ending == ("E9",)
    sent = Filled({"move": ["E9"], "ending": [" ".join(ticket.form.ending)]})
    request = TURN.read(sent, referee.offers(RULES, giant().position, 0))
    with pytest.raises(BadField, match=r"This ends the game and cannot be taken back.*Yes, end the game"):
        TURN.confirm(request, sent)
    TURN.confirm(request, sent.with_(sure_end="on"))


def test_the_box_is_on_the_page_and_the_tile_is_marked() -> None:
    page = drawn(page_engine(), giant().position, 0)
    assert page.count(" data-ends") == 2, "in the hand and on the map"
    assert page.count("Ends the game</strong>") == 1
    assert 'id="sure_end-ask"' in page
    assert 'name="ending" value="E9"' in page


def test_a_merger_that_ends_the_game_pays_the_company_that_ceases_first() -> None:
    table = Table().block("rufus", 40, at=0).board(cortex="F0 F1 F2 F3 F4 F5 F6 F7 F8").hands(ada="E0")
    table.shares("cortex", bob=2).shares("rufus", ada=1)
    result = preview(table.position, move="E0")
    table.plays("E0")
    assert table.position.is_over
    scores = {place.seat: f"{place.score:,}" for place in RULES.standings(table.now)}
    assert dict(standings_in(result)) == {"1. You": scores[0], "2. <Player 1>": scores[1]}


def test_equal_cash_shares_the_place_in_it() -> None:
    """P-10."""
    table = Table().block("rufus", 49, at=0).hands(ada="E9")
    assert [label for label, _ in standings_in(preview(table.position, move="E9"))] == ["1. You", "1. <Player 1>"]


def test_a_draw_that_empties_the_bag_beside_an_empty_hand_ends_the_game() -> None:
    """P-3: the end is tested after a draw too."""
    table = Table(3).board(rufus="A0 A1").hands(ada="J0 J2", bob="", cid="J5").shares("rufus", ada=1).empty_bag()
    table.state.bag = ["H0", "H2"]
    ticket = form(table.position, move="draw")
    assert "draw" in ticket.form.ending
    assert "the bag and a hand are empty" in said(ticket.preview)
    assert standings_in(ticket.preview)[0] == ("1. You", "10,800")
    table.asks("ada", "draw")
    assert table.position.is_over


def test_a_tile_that_brings_the_end_within_reach_says_which_tile_ends_it() -> None:
    table = Table().block("rufus", 48, at=0).hands(ada="E8 J0")
    result = preview(table.position, move="E8")
    assert "can end the game" in said(result)
    assert "E9" in said(result)
    assert form(table.position, move="E8").form.ending == ()
    assert "end the game" not in said(preview(table.position, move="J0"))


def test_a_founding_that_ends_the_game_leaves_out_what_is_drawn_then() -> None:
    """The Department's new shares are drawn when the company is founded: nobody can know them."""
    table = Table(doe=True).board(neutral="C4").hands(ada="C5").empty_bag()
    result = preview(table.position, move="C5", found="rufus")
    assert "the bag and a hand are empty" in said(result)
    head = next(row for row in result.rows if row.label == "Final standings")
    assert "without the Department" in head.note
    assert standings_in(result)[0] == ("1. You", "10,800")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_end_and_its_standings_come_as_they_were_foreseen(seats: int) -> None:
    """Whole games of house bots: the moves listed as ending are those that do."""
    for number in range(2):
        before = None
        for position in random_game(f"ends {seats} {number}", seats, "house", doe=False):
            before = before if position.is_over else position
        assert before is not None
        seat = before.state.acting
        view = RULES.view(before, seat)
        ticket = form(before)
        for ahead in view.ahead:
            named = {ahead.choice: ahead.companies[0]} if ahead.choice else {}
            request = {"kind": "play_tile", "tile": ahead.tile, **named}
            after = referee.apply(RULES, before, RULES.parse(request, seat), referee.Chance("end")).position
            assert (ahead.tile in ticket.form.ending) == after.is_over
            if after.is_over:
                result = standings_in(preview(before, move=ahead.tile, **named))
                assert [now for _, now in result] == [f"{place.score:,}" for place in RULES.standings(after.state)]
        assert ticket.form.ending


def test_the_course_is_drawn_and_told_in_a_table() -> None:
    """Every company by its letter and its name, every player, and the last turn."""
    *_, last = random_game("course", 2, "house")
    keys = list(RULES.registries["companies"])
    history = {
        "labels": ["Start", *(str(turn) for turn in range(1, 25))],
        "prices": {key: [200 + 50 * turn for turn in range(25)] for key in keys},
        "worth": {seat: [6000 + 100 * turn * (seat + 1) for turn in range(25)] for seat in range(2)},
        "opening": {},
    }
    page = drawn(page_engine(), last, None, history=history)
    assert page.count('class="ln pu-') == len(keys)
    assert "Eclipse Solar 200 to 1,400" in page
    table = page[page.index("As a table") : page.index("A company that is not active")]
    assert table.count('<th class="stick" scope="row">') <= 9
    assert '<th class="stick" scope="row">24</th>' in table
    assert "10,800" in table
