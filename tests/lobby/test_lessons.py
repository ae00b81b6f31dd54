"""Lessons: each is played to its goal on the real board, remembered, and kept out of everything that is about games."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from game.boards.registry import BOARDS, board_of
from game.bots import playing
from game.lobby import showcase
from game.lobby.lists import lobby_context
from game.lobby.models import LearntLesson
from game.play import moves
from game.rulesets.registry import RULESETS
from game.store import log_notes, replay
from game.store.game import Game
from game.store.pending import Needs
from tests.tables import fresh, new_game, person

pytestmark = pytest.mark.django_db
READY = {"kind": "ready"}
FOUND = [{"kind": "play_tile", "tile": "I5", "found": "maniac"}]
# What a learner does, submission by submission.
PLAYED: dict[tuple[str, str], list[list[dict[str, Any]]]] = {
    ("sectors", "float"): [
        [{"kind": "market_order", "company": "ACME", "side": "buy", "location": "ipo", "quantity": 5}, READY]
    ],
    ("sectors", "dividend"): [[{"kind": "vote_revenue", "company": "ACME", "choice": "full"}, READY]],
    ("sectors", "short"): [
        [{"kind": "short_order", "company": "SOLAR", "quantity": 2}, READY],
        [{"kind": "cover_short", "order": 1}, READY],
    ],
    ("sectors", "option"): [
        [{"kind": "option_order", "contract": 2}, READY],
        [{"kind": "exercise_option", "contract": 1}, READY],
    ],
    ("sectors", "insolvency"): [[{"kind": "contribute", "cash": 200}, READY]],
    ("power_up", "merge"): [FOUND, [{"kind": "end_turn"}], [{"kind": "play_tile", "tile": "C4"}]],
}
EVERY = [(key, lesson.key) for key, board in BOARDS.items() for lesson in board.lessons]


def begin(client: Client, ruleset: str, key: str) -> Game:
    answer = client.post(f"/lessons/{ruleset}/{key}/")
    assert answer.status_code == 302
    return Game.objects.on_the_clock().get(pk=int(answer["Location"].split("/")[2]))


def let_bots_act(game: Game) -> Game:
    for _ in range(20):
        if not playing.play_bots(game_id=game.pk):
            break
    return fresh(game)


def play(client: Client, game: Game, requests: list[dict[str, Any]]) -> str:
    """Send them for the learner, let the others pass, and open the page."""
    let_bots_act(game)
    serial = fresh(game).phase_serial
    moves.submit(game_id=game.pk, seat_number=0, requests=requests, serial=serial)
    let_bots_act(game)
    return page_of(client, game)


def page_of(client: Client, game: Game) -> str:
    return client.get(game.get_absolute_url()).content.decode()


def learner() -> Client:
    client = Client()
    client.force_login(person("ada"))
    return client


@pytest.mark.parametrize(("ruleset", "key"), EVERY)
def test_each_lesson_is_taken_to_its_goal(ruleset: str, key: str) -> None:
    client = learner()
    game = begin(client, ruleset, key)
    lesson = next(each for each in board_of(ruleset).lessons if each.key == key)
    page = page_of(client, game)
    assert game.deadline_at is None
    assert all(goal.text in page for goal in lesson.goals)
    assert page.count('class="is-met"') == 0
    assert "Start again" in page
    for requests in PLAYED[ruleset, key]:
        assert not fresh(game).is_learnt
        page = play(client, game, requests)
    assert page.count('class="is-met"') == len(lesson.goals)
    assert "<b>Done.</b>" in page
    assert fresh(game).is_learnt
    assert LearntLesson.objects.get(user__username="ada").lesson == key
    assert "Done</p>" in client.get("/lessons/").content.decode()


@pytest.mark.parametrize(("ruleset", "key"), EVERY)
def test_doing_nothing_reaches_no_goal(ruleset: str, key: str) -> None:
    """A goal that is met by waiting would teach nothing."""
    client = learner()
    game = begin(client, ruleset, key)
    let_bots_act(game)
    now = fresh(game)
    if RULESETS[ruleset].flow(now.read_options()).rows[now.phase_row or 0].phase.mode.value != "turns":
        moves.submit(game_id=game.pk, seat_number=0, requests=[READY], serial=now.phase_serial)
        let_bots_act(game)
    assert "<b>Done.</b>" not in page_of(client, game)
    assert not LearntLesson.objects.exists()


def test_every_game_with_lessons_is_played_here() -> None:
    assert set(EVERY) == set(PLAYED)
    assert [key for ruleset, key in EVERY if ruleset == "sectors"] == [
        "float",
        "dividend",
        "short",
        "option",
        "insolvency",
    ]


def test_one_lesson_leads_to_the_next_and_the_last_to_a_game() -> None:
    client = learner()
    game = begin(client, "sectors", "float")
    page = play(client, game, PLAYED["sectors", "float"][0])
    assert "Next lesson: Vote on revenue" in page
    assert "/lessons/sectors/dividend/" in page
    following = begin(client, "sectors", "dividend")
    assert not Game.objects.filter(pk=game.pk).exists(), "one lesson at a time"
    assert LearntLesson.objects.filter(lesson="float").exists()
    last = begin(client, "sectors", "insolvency")
    assert following.pk != last.pk
    assert "Play against bots" in play(client, last, PLAYED["sectors", "insolvency"][0])


def test_what_is_learnt_stays_learnt() -> None:
    client = learner()
    game = begin(client, "sectors", "float")
    play(client, game, PLAYED["sectors", "float"][0])
    again = begin(client, "sectors", "float")
    assert not again.is_learnt
    list_page = client.get("/lessons/").content.decode()
    assert "1 of 5 done" in list_page
    assert "Continue" in list_page
    play(client, again, PLAYED["sectors", "float"][0])
    assert LearntLesson.objects.count() == 1


def test_lessons_stay_out_of_lists_and_limits(settings: Any) -> None:
    client, ada = learner(), person("ada")
    game = begin(client, "sectors", "float")
    context = lobby_context(user=ada)
    assert not any(context[name] for name in ("needs_you", "to_review", "waiting", "gathering", "finished"))
    assert Needs(ada).count == 0
    assert game.name not in Client().get("/").content.decode()
    assert showcase._longest() is None
    settings.LIMITS = {"games": 1}
    new_game("ada", bots=1)
    assert Client().get(game.get_absolute_url()).status_code == 404
    assert client.get("/games/next/")["Location"] != game.get_absolute_url()


def test_a_stranger_learns_as_a_guest_and_keeps_what_was_learnt(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    client = Client()
    assert "Float" in client.get("/lessons/").content.decode() or "float" in client.get("/lessons/").content.decode()
    game = begin(client, "sectors", "float")
    assert User.objects.get(is_guest=True)
    play(client, game, PLAYED["sectors", "float"][0])
    form = {"username": "Grace", "email": "grace@example.org", "password1": "correct horse battery"}
    client.post("/accounts/signup/", form)
    assert LearntLesson.objects.get().user.username == "Grace"
    assert fresh(game).seats.get(number=0).user == User.objects.get(username="Grace")


def test_a_guest_plays_beside_a_lesson(client: Client) -> None:
    begin(client, "sectors", "float")
    answer = client.post("/play/")
    assert Game.objects.get(pk=int(answer["Location"].split("/")[2])).lesson == ""
    assert User.objects.filter(is_guest=True).count() == 1


def test_unknown_lessons_and_addresses_typed_by_hand_lead_to_the_list(client: Client) -> None:
    assert client.get("/lessons/sectors/float/")["Location"] == "/lessons/"
    for path in ("sectors/nonsense", "chess/float", "toy/float"):
        page = client.post(f"/lessons/{path}/", follow=True)
        assert page.redirect_chain[-1][0] == "/lessons/"
        assert "There is no such lesson." in page.content.decode()
    assert not User.objects.filter(is_guest=True).exists()


def test_a_lesson_shows_no_notes_for_newcomers() -> None:
    client = learner()
    assert 'class="coach"' not in page_of(client, begin(client, "sectors", "float"))


def test_the_rows_of_a_lesson_can_be_rebuilt() -> None:
    client = learner()
    game = begin(client, "sectors", "float")
    play(client, game, PLAYED["sectors", "float"][0])
    before = fresh(game).course
    replay.rebuild_projections(game_id=game.pk)
    assert fresh(game).course[-1] == before[-1]


def test_a_lesson_begins_the_same_for_everybody() -> None:
    states = []
    for name in ("ada", "bob"):
        client = Client()
        client.force_login(person(name))
        game = begin(client, "power_up", "merge")
        states.append(bytes(game.state))
    assert states[0] == states[1]
    assert log_notes.LESSON_BEGINS in page_of(client, game)
