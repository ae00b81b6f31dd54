"""A game that nobody drew a board for is played in the site from its rules alone, from its first bid to its
standings."""

import re
from typing import Any

import pytest
from django.test import Client

from game.bots import playing
from game.play import drafts
from game.play.moves import TurnMoved
from game.rulesets.registry import RULESETS
from game.store import replay
from game.store.game import Game, Seat, Status
from game.store.log import Kind, LoggedAction
from tests.attacks.laying import lay
from tests.attacks.secrets import exchanging
from tests.scenes import play_on
from tests.tables import READY, clock_runs_out, everything, fresh, new_game, send, stored_rows
from tests.toy_scenes import HTMX, at_turns, bid, board, form_of, hand, page_of, place, post, sits, story_of, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def game() -> Game:
    """Ada's turn; ben is the next."""
    return at_turns()


@pytest.fixture
def ada(game: Game) -> Client:
    return sits("ada")


@pytest.fixture
def ben(game: Game) -> Client:
    return sits("ben")


def placing(form: dict[str, Any], card: int, cell: str) -> dict[str, Any]:
    """The form with the first offer, to place a card, filled in."""
    return {**form, "offer_turn": "0", "f_0_card": str(card), "f_0_cell": cell}


def may_undo(page: str) -> bool:
    """Whether the button is there to be pressed."""
    button = re.search(r'<button[^>]*value="undo"[^>]*>', page)
    assert button
    return "disabled" not in button[0]


def test_bids_are_sealed_and_opened_together() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada, ben = sits("ada"), sits("ben")
    form = form_of(game, ada)
    assert (form["offer_0"], form["f_0_coins"]) == (["0"], ["0"])
    assert post(game, ada, {**form, "f_0_coins": "4", "ready": "on"}).status_code == 302
    assert "Bid: coins 4" in words_of(page_of(game, ada))
    assert "coins 4" not in page_of(game, ben)
    assert post(game, ben, {**form_of(game, ben), "ready": "on"}).status_code == 302
    assert fresh(game).phase_name == "take_turn"
    assert ("Turn 1, phase 1: Bidding", "A ada bid for an early turn. 4") in [
        (title, line) for title, told in story_of(game, ben) for line in told
    ]


def test_a_form_that_was_just_opened_is_not_complained_about(game: Game, ada: Client) -> None:
    text = words_of(page_of(game, ada))
    assert "nothing is chosen" not in text
    assert "is empty" not in text


def test_a_card_is_placed_by_a_plain_form_and_the_turn_goes_on(game: Game, ada: Client) -> None:
    card = hand(game, 0)[0]
    answer = post(game, ada, placing(form_of(game, ada), card, "A1"))
    assert (answer.status_code, board(game)) == (302, {"A1": (0, card)})
    html = words_of(ada.get(answer["Location"]).content.decode())
    assert "Done." in html
    assert f"A1 {card} You" in html
    assert (fresh(game).phase_serial, fresh(game).phase_step) == (game.phase_serial, 1)


@pytest.mark.parametrize("more", [{}, HTMX])
def test_what_cannot_be_read_or_done_is_refused_with_its_rule(game: Game, ada: Client, more: dict[str, str]) -> None:
    before, form = everything(game), form_of(game, ada)
    for values, words in (
        ({"f_0_card": str(hand(game, 1)[0]), "f_0_cell": "A1"}, "is not on offer; it is one of"),
        ({"f_0_card": str(hand(game, 0)[0])}, "Cell: choose one of A1"),
        ({"f_0_card": str(hand(game, 0)[0]), "f_0_cell": "Z9"}, "“Z9” is not on offer"),
        ({"offer_turn": "7"}, "from 0 to 2, not 7"),
        ({"offer_turn": "0", "hand": "3"}, "This form has no field “hand”"),
    ):
        answer = post(game, ada, {**form, **values}, **more)
        assert answer.status_code == 422, values
        assert words in words_of(answer.content.decode())
    assert everything(game) == before


@pytest.mark.parametrize(("edition", "cells"), [(1, []), (2, ["A1"])])
def test_at_the_deadline_of_a_turn_its_draft_is_played_where_the_rules_say_so(edition: int, cells: list[str]) -> None:
    """Before the turn is ended for the absent; not what is drafted for later by who is not asked."""
    game = new_game("ada", "ben", ruleset="toy", edition=edition)
    send(game, 0, bid(4), READY)
    send(game, 1, bid(0), READY)
    game = fresh(game)
    for number, cell in enumerate(("A1", "B1")):
        seat = Seat.objects.get(game=game, number=number)
        drafts.save_draft(seat=seat, serial=game.phase_serial, requests=[place(game, number, cell)])
    clock_runs_out(game)
    assert list(board(game)) == cells
    assert [(entry.kind, entry.seat) for entry in game.log.filter(kind="draft")] == [("draft", 0) for _ in cells]
    assert fresh(game).load_position().state.acting == 1


def test_a27_a_placement_is_taken_back_and_a_draw_is_not(game: Game, ada: Client) -> None:
    held = hand(game, 0)
    post(game, ada, placing(form_of(game, ada), held[0], "B2"))
    assert may_undo(page_of(game, ada))
    answer = post(game, ada, form_of(game, ada), do="undo")
    assert (answer.status_code, board(game), hand(game, 0)) == (302, {}, held)
    assert "Undone." in ada.get(answer["Location"]).content.decode()
    post(game, ada, {**form_of(game, ada), "offer_turn": "1"})
    assert len(hand(game, 0)) == 4
    assert not may_undo(page_of(game, ada))
    before = everything(game)
    answer = post(game, ada, form_of(game, ada), do="undo")
    assert answer.status_code == 422
    assert "There is nothing to take back" in words_of(answer.content.decode())
    assert everything(game) == before


@pytest.mark.parametrize("more", [{}, HTMX])
def test_a_form_of_an_earlier_step_of_the_same_turn_is_refused_kindly(
    game: Game, ada: Client, more: dict[str, str]
) -> None:
    """It shows the turn as it stands now, and does nothing."""
    old, (first, second) = form_of(game, ada), hand(game, 0)[:2]
    post(game, ada, placing(old, first, "A1"))
    before = everything(game)
    answer = post(game, ada, placing(old, second, "A2") | {"token": "another"}, **more)
    assert answer.status_code == 422
    assert TurnMoved().text in words_of(answer.content.decode())
    assert 'name="step" value="1"' in answer.content.decode()
    assert everything(game) == before
    repeated = post(game, ada, placing(old, first, "A1"), **more)
    assert repeated.status_code == (200 if more else 302), "the same form sent twice is one action"
    assert everything(game) == before


def test_who_is_not_acting_leaves_a_card_for_their_own_turn(game: Game, ada: Client, ben: Client) -> None:
    text = words_of(page_of(game, ben))
    assert "It is ada’s turn." in text
    assert "Nothing is saved for your turn" in text
    card = min(hand(game, 1))
    answer = post(game, ben, placing(form_of(game, ben), card, "C3"))
    text = words_of(ben.get(answer["Location"]).content.decode())
    assert "Saved for your turn. You can change it until your turn comes." in text
    assert "Saved for your turn" in text
    assert f"Place: card {card}, cell C3" in text
    assert board(game) == {}
    assert "C3" not in words_of(page_of(game, ada)).split("Story")[0].split("The table")[-1]
    post(game, ada, {**form_of(game, ada), "offer_turn": "2"})
    assert board(game) == {"C3": (1, card)}
    assert fresh(game).waiting_seats == [1]


def test_what_was_left_is_withdrawn(game: Game, ada: Client, ben: Client) -> None:
    post(game, ben, placing(form_of(game, ben), min(hand(game, 1)), "C3"))
    answer = post(game, ben, form_of(game, ben), do="withdraw")
    assert "Withdrawn." in ben.get(answer["Location"]).content.decode()
    post(game, ada, {**form_of(game, ada), "offer_turn": "2"})
    assert (board(game), fresh(game).waiting_seats) == ({}, [1])


def test_who_is_not_acting_is_offered_and_allowed_nothing_else(game: Game, ben: Client) -> None:
    before = everything(game)
    answer = post(game, ben, {**form_of(game, ben), "offer_turn": "1"})
    assert answer.status_code == 422
    assert post(game, ben, form_of(game, ben), do="undo").status_code == 422
    assert everything(game) == before


def test_at_the_deadline_the_turn_is_finished_for_who_is_absent(game: Game, ada: Client) -> None:
    send(game, 0, place(game, 0, "A1"))
    now = clock_runs_out(game)
    assert (now.waiting_seats, now.phase_serial) == ([1], game.phase_serial + 1)
    assert now.deadline_at != game.deadline_at
    entry = LoggedAction.objects.get(game=game, kind=Kind.CLOSE)
    assert (entry.seat, entry.serial) == (0, game.phase_serial)
    assert story_of(game, ada)[0] == (
        "Turn 1, phase 2: Turn (You)",
        ["A You placed the " + str(board(game)["A1"][1]) + " on A1.", "A You ended the turn."],
    )


@pytest.mark.parametrize("bot", ["house", "random"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_play_it_to_its_end(bot: str, seats: int) -> None:
    game = new_game("ada", bots=seats - 1, ruleset="toy")
    Seat.objects.filter(game=game).exclude(bot="").update(bot=bot)
    Game.objects.filter(pk=game.pk).update(bots={str(seat): bot for seat in range(1, seats)})
    now = play_on(game)
    assert (now.status, now.turn) == (Status.FINISHED, 2)
    acted = set(now.log.filter(kind=Kind.SUBMIT, phase_name="take_turn").values_list("seat", flat=True))
    assert acted == set(range(1, seats))
    assert all(check.is_equal for check in replay.replay_game(game=now))


@pytest.mark.parametrize("seats", [2, 3])
def test_bots_play_the_long_edition_to_its_end(seats: int) -> None:
    """Their turns end although they seal inputs for later phases in them."""
    game = new_game("ada", bots=seats - 1, ruleset="toy", edition=2)
    Seat.objects.filter(game=game).exclude(bot="").update(bot="random")
    Game.objects.filter(pk=game.pk).update(bots={str(seat): "random" for seat in range(1, seats)})
    now = play_on(game)
    assert now.status == Status.FINISHED
    assert all(check.is_equal for check in replay.replay_game(game=now))


def test_a_phase_that_asks_in_secret_shows_to_each_their_own_state_alone() -> None:
    game = lay(new_game("ada", "ben", "cid", ruleset="toy"), exchanging())
    assert game.waiting_seats == [0, 1, 2]
    assert (game.shown_waiting(1), game.shown_waiting(None)) == ([1], [])
    text = words_of(page_of(game, sits("ben")))
    assert "Exchange: choose what to do." in text
    assert text.count("Not shown") == 2
    assert words_of(page_of(game, Client())).count("Not shown") == 3
    version = game.version
    send(game, 0, {"kind": "exchange", "card": 1})
    assert fresh(game).version == version, "nobody else is told that anything was sealed"


def test_whoever_is_alone_with_bots_closes_a_phase_that_asks_in_secret_by_one_press() -> None:
    game = lay(new_game("ada", bots=2, ruleset="toy"), exchanging())
    html = page_of(game, sits("ada"))
    assert "Only bots are still deciding" in words_of(html)
    assert re.search(r'name="ready"[^>]* checked', html)
    game = lay(new_game("ada", "ben", bots=1, ruleset="toy"), exchanging())
    assert "still deciding" not in words_of(page_of(game, sits("ada")))


def test_the_end_is_shown_with_its_reason_and_standings(game: Game, ada: Client) -> None:
    send(game, 0, place(game, 0, "A1"))
    now = play_on(game)
    assert now.status == Status.FINISHED
    standings = RULESETS["toy"].standings(now.load_position().state)
    rows = {seat.number: (seat.place, seat.score) for seat in now.seats.all()}
    assert rows == {row.seat: (row.place, row.score) for row in standings}
    text = words_of(page_of(game, ada))
    assert f"You win with {standings[0].score}." in text
    assert "The last round was played." in text
    assert "Net worth" not in text
    assert "Place Player Score 1" in text
    assert "Submit" not in text


def test_ones_own_hand_is_in_a_box_of_its_own_until_the_end(game: Game, ada: Client) -> None:
    cards = ", ".join(map(str, sorted(hand(game, 0))))
    assert f"Only you see Hand {cards} Players" in words_of(page_of(game, ada))
    assert "Only you see" not in page_of(game, Client())
    play_on(game)
    text = words_of(page_of(game, ada))
    assert "Only you see" not in text
    assert "Cards Hand" in text


def test_a_stranger_follows_it_and_can_do_nothing(game: Game) -> None:
    html = page_of(game, Client())
    assert "It is ada’s turn." in words_of(html)
    assert "<form" not in html.split('class="table"')[1]
    assert Client().post(f"/games/{game.pk}/actions/").status_code == 302


def test_the_log_leads_to_what_is_stored_also_over_what_was_taken_back(game: Game) -> None:
    card = min(hand(game, 1))
    send(game, 1, place(game, 1, "C3"))
    send(game, 0, place(game, 0, "A1"))
    send(game, 0, {"kind": "undo"})
    send(game, 0, {"kind": "draw"})
    send(game, 0, place(game, 0, "A2"))
    assert board(game)["C3"] == (1, card)
    send(game, 1, {"kind": "undo"})
    assert "C3" not in board(game), "what the site carried out for ben can be taken back in his turn"
    checks = list(replay.replay_game(game=fresh(game)))
    assert len(checks) >= 3
    assert all(check.is_equal for check in checks)
    now = play_on(game)
    assert all(check.is_equal for check in replay.replay_game(game=now))


def test_rows_are_written_afresh_as_they_were(game: Game) -> None:
    send(game, 0, place(game, 0, "A1"))
    now = play_on(game)
    before = (now.course, stored_rows(now))
    replay.rebuild_projections(game_id=game.pk)
    assert (fresh(game).course, stored_rows(game)) == before
    assert [point["worth"] for point in now.course][-1] == [seat.score for seat in now.seats.all()]


def test_a_bot_takes_its_whole_turn_in_one_go() -> None:
    game = new_game("ada", bots=1, ruleset="toy")
    send(game, 0, {"kind": "bid", "coins": 0}, READY)
    playing.play_bots(game_id=game.pk)
    while fresh(game).bots_due:
        serial = fresh(game).phase_serial
        assert playing.play_bots(game_id=game.pk)
        assert fresh(game).phase_serial > serial


def test_a_form_that_is_being_filled_in_is_not_complained_about(game: Game, ada: Client) -> None:
    """The script asks for a preview after every click, and without script a button does; what is still to be chosen is
    wrong only once it is submitted."""
    half = {**form_of(game, ada), "f_0_card": str(hand(game, 0)[0]), "touched": "yes"}
    for headers in (HTMX, {}):
        answer = ada.post(f"/games/{game.pk}/drafts/", half, **headers)
        assert answer.status_code == 200
        assert 'id="refusal"' not in answer.content.decode()
        assert 'role="alert"' not in answer.content.decode()
    wrong = {**half, "f_0_cell": "Z9"}
    assert ada.post(f"/games/{game.pk}/drafts/", wrong, **HTMX).status_code == 422
