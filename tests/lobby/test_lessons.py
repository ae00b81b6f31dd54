"""Lessons: each is played to its goal on the real board, remembered, and kept out of everything that is about games."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from game.boards.lessons import lesson_of
from game.boards.registry import BOARDS, board_of
from game.bots import playing
from game.lobby import showcase
from game.lobby.lobby_page import lobby_context
from game.lobby.models import LearntLesson
from game.play import moves
from game.store import replay
from game.store.game import Game
from game.store.log_notes import Sentence
from game.store.pending import PendingDecisions
from tests.tables import fresh, new_game, person

pytestmark = pytest.mark.django_db
READY = {"kind": "ready"}
# What a learner does, submission by submission.
PLAYED: dict[tuple[str, str], list[list[dict[str, Any]]]] = {
    ("sectors", "float"): [
        [{"kind": "market_order", "company": "ACME", "side": "buy", "location": "ipo", "quantity": 5}, READY],
        [{"kind": "vote_revenue", "company": "ACME", "choice": "full"}, READY],
    ],
    ("sectors", "company"): [[{"kind": "vote_actions", "company": "ACME", "actions": ["small_marketing"]}, READY]],
    ("sectors", "headline"): [[{"kind": "pledge_headline", "headline": 2}, READY]],
    ("sectors", "tranche"): [
        [{"kind": "vote_tranche", "tranche": 2}, READY],
        [{"kind": "distribute_tranche", "cash": {}, "prestige_to": "ACME", "ability_to": "ACME"}, READY],
    ],
    ("sectors", "short"): [
        [{"kind": "short_order", "company": "SOLAR", "quantity": 2}, READY],
        [{"kind": "cover_short", "order": 1}, READY],
    ],
    ("sectors", "option"): [
        [{"kind": "option_order", "contract": 2}, READY],
        [{"kind": "exercise_option", "contract": 1}, READY],
    ],
    ("sectors", "insolvency"): [[{"kind": "contribute", "cash": 200}], [READY]],
    ("power_up", "found"): [
        [{"kind": "play_tile", "tile": "I5", "found": "maniac"}],
        [{"kind": "buy", "company": "maniac"}],
    ],
    ("power_up", "merge"): [[{"kind": "play_tile", "tile": "C4"}]],
    ("big_shoulders", "sale"): [[{"kind": "sell", "certificates": {"libby:C": 2}}]],
    ("big_shoulders", "place"): [
        [{"kind": "place", "company": "libby", "space": "advertising"}],
        [{"kind": "bonus", "take": True, "factory": 1}],
    ],
    ("big_shoulders", "operation"): [
        [{"kind": "run", "factory": 1}, {"kind": "stop"}, {"kind": "sell_goods", "goods": {"20": 3}}, {"kind": "pay"}]
    ],
    ("big_shoulders", "dividend"): [[{"kind": "pay"}]],
    ("stock_market_tycoon", "year"): [
        [{"kind": "buy", "company": "NT", "shares": 2_000}],
        [{"kind": "play_loan"}],
        [{"kind": "sell", "company": "OE", "shares": 4_000}],
    ],
    ("stock_market_tycoon", "short"): [[{"kind": "sell_short", "company": "NT", "shares": 3_000}]],
    ("stock_market_tycoon", "buyback"): [
        [{"kind": "announce_buyback", "company": "OE", "shares": 20_000, "price": 60}]
    ],
}
IDLENESS: dict[str, list[list[dict[str, Any]]]] = {
    "sectors": [[READY]],
    "power_up": [[{"kind": "draw"}], [{"kind": "play_tile", "tile": "A9"}]],
    "stock_market_tycoon": [[{"kind": "end_turn"}]],
    "big_shoulders/sale": [[{"kind": "pass_turn"}]],
    "big_shoulders/place": [[{"kind": "place", "company": "libby", "space": "fund_40"}]],
    "big_shoulders/operation": [[{"kind": "stop"}], [{"kind": "withhold"}]],
    "big_shoulders/dividend": [[{"kind": "withhold"}]],
}
FIVE = {"kind": "market_order", "company": "ACME", "side": "buy", "location": "ipo", "quantity": 5}
# Mistakes, submission by submission, with a part of what the page says about them.
MISTAKES: list[tuple[str, str, list[list[dict[str, Any]]], str]] = [
    ("sectors", "float", [[FIVE | {"quantity": 3}, READY]], "fewer than five shares"),
    (
        "sectors",
        "float",
        [[FIVE | {"company": "SOLAR", "location": "market", "quantity": 1}, READY]],
        "You bought SOLAR",
    ),
    (
        "sectors",
        "float",
        [[FIVE, READY], [{"kind": "vote_revenue", "company": "ACME", "choice": "half"}, READY]],
        "ACME kept revenue",
    ),
    ("sectors", "headline", [[{"kind": "pledge_headline", "headline": 1}, READY]], "Industrial is still second"),
    ("power_up", "found", [[{"kind": "play_tile", "tile": "A9"}]], "A9 touches nothing"),
    ("stock_market_tycoon", "year", [[{"kind": "buy", "company": "AB", "shares": 1_000}]], "say nothing about"),
    ("stock_market_tycoon", "year", [[{"kind": "end_turn"}]], "did something else"),
    (
        "stock_market_tycoon",
        "buyback",
        [[{"kind": "announce_buyback", "company": "OE", "shares": 20_000, "price": 40}]],
        "Nobody sold",
    ),
]
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


def play_all(client: Client, game: Game) -> str:
    """Take a lesson to its goal."""
    for requests in PLAYED[game.ruleset, game.lesson]:
        page = play(client, game, requests)
    return page


def is_asked(page: str) -> bool:
    """True if the page has a form for a decision."""
    return '<form class="ticket' in page and 'form="ticket"' in page


def page_of(client: Client, game: Game) -> str:
    return client.get(game.get_absolute_url()).content.decode()


def learner() -> Client:
    client = Client()
    client.force_login(person("ada"))
    return client


@pytest.mark.parametrize(("ruleset", "key"), EVERY)
def test_each_lesson_is_taken_to_its_goal_and_stops_there(ruleset: str, key: str) -> None:
    client = learner()
    game = begin(client, ruleset, key)
    lesson = lesson_of(board_of(ruleset).lessons, key)
    assert lesson is not None
    page = page_of(client, game)
    assert game.deadline_at is None
    for goal, requests in zip(lesson.goals, PLAYED[ruleset, key], strict=True):
        assert not fresh(game).is_learnt
        assert f'<h1 id="brief-t">{goal.text}</h1>' in page
        assert is_asked(page)
        page = play(client, game, requests)
    assert page.count('class="is-met"') == len(lesson.goals)
    assert "Done.</h1>" in page
    assert not is_asked(page)
    assert fresh(game).is_learnt
    assert LearntLesson.objects.get(user__username="ada").lesson == key
    assert "Done</p>" in client.get("/lessons/").content.decode()


@pytest.mark.parametrize(("ruleset", "key"), EVERY)
def test_doing_nothing_ends_a_lesson_and_says_what_went_wrong(ruleset: str, key: str) -> None:
    client = learner()
    game = begin(client, ruleset, key)
    for requests in IDLENESS.get(f"{ruleset}/{key}") or IDLENESS[ruleset]:
        page = play(client, game, requests)
    assert "Not quite.</h1>" in page
    assert not is_asked(page)
    assert not LearntLesson.objects.exists()


@pytest.mark.parametrize(("ruleset", "key", "requests", "what"), MISTAKES)
def test_a_mistake_is_named(ruleset: str, key: str, requests: list[list[dict[str, Any]]], what: str) -> None:
    client = learner()
    game = begin(client, ruleset, key)
    for submission in requests:
        page = play(client, game, submission)
    assert "Not quite.</h1>" in page
    assert what in page
    assert "Start again" in page


def test_the_form_names_the_company_of_the_goal() -> None:
    client = learner()
    page = page_of(client, begin(client, "sectors", "float"))
    assert re.search(r'<option value="ACME"[^>]* selected', page)
    assert re.search(r'name="location"[^>]*value="ipo"[^>]*checked', page)
    page = page_of(client, begin(client, "stock_market_tycoon", "year"))
    assert re.search(r'name="act"[^>]*value="buy"[^>]*checked', page)
    assert re.search(r'name="company"[^>]*value="NT"[^>]*checked', page)


def test_every_game_with_lessons_is_played_here() -> None:
    assert set(EVERY) == set(PLAYED)
    assert len(EVERY) == len(PLAYED)


def test_one_lesson_leads_to_the_next_and_the_last_to_a_game() -> None:
    client = learner()
    game = begin(client, "sectors", "float")
    page = play_all(client, game)
    assert "Next lesson: Vote on a company action" in page
    assert "/lessons/sectors/company/" in page
    following = begin(client, "sectors", "company")
    assert not Game.objects.filter(pk=game.pk).exists(), "one lesson at a time"
    assert LearntLesson.objects.filter(lesson="float").exists()
    last = begin(client, "sectors", "insolvency")
    assert following.pk != last.pk
    assert "Play against bots" in play_all(client, last)


def test_what_is_learnt_stays_learnt() -> None:
    client = learner()
    game = begin(client, "sectors", "float")
    play_all(client, game)
    again = begin(client, "sectors", "float")
    assert not again.is_learnt
    list_page = client.get("/lessons/").content.decode()
    assert "1 of 7 done" in list_page
    assert "Continue" in list_page
    play_all(client, again)
    assert LearntLesson.objects.count() == 1


def test_lessons_stay_out_of_lists_and_limits(settings: Any) -> None:
    client, ada = learner(), person("ada")
    game = begin(client, "sectors", "float")
    context = lobby_context(user=ada)
    assert not any(context[name] for name in ("needs_you", "to_review", "waiting", "gathering", "finished"))
    assert PendingDecisions(ada).count == 0
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
    play_all(client, game)
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
    play_all(client, game)
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
    assert Sentence.LESSON_BEGINS.value in page_of(client, game)
