"""The page of a game: whole, in part, unchanged, for strangers, and in a constant number of queries."""

import re
from typing import Any

import pytest
from django.test import Client

from game.history.game_log import tell
from game.lobby import lobby
from game.play import drafts
from game.store.board_rows import history_of
from game.store.game import Game, Seat
from game.store.readers import get_game
from game.table.board import board_context, read_log
from tests.browser.positions import lay
from tests.rulesets.sectors.table import Table
from tests.tables import (
    READY,
    at_phase,
    clock_runs_out,
    fresh,
    new_game,
    person,
    send,
    steps_to_the_end,
    without_chance,
)

pytestmark = pytest.mark.django_db

LIVE = {"HX-Request": "true"}


def page(client: Client, game: Game, **headers: str) -> Any:
    return client.get(f"/games/{game.pk}/", headers={**headers})


def test_the_page_says_where_the_game_stands(client: Client) -> None:
    game = at_phase(new_game("ada", bots=3), "stock_orders")
    client.force_login(person("ada"))
    answer = page(client, game)
    assert answer.status_code == 200
    assert "Place stock orders" in answer.content.decode()
    assert answer["Cache-Control"] == "private, no-store"


def test_a_review_shows_beside_the_board_what_its_phase_brought(client: Client) -> None:
    game = at_phase(new_game("ada", "bob", pace="live"), "influence_resolve")
    client.force_login(person("ada"))
    html = page(client, game).content.decode().partition('class="told"')[2].partition("</ol>")[0]
    assert (html.count("You bid 0 influence"), html.count("bob bid 0 influence"), html.count("is-mine")) == (1, 1, 1)


@pytest.mark.parametrize("before", [1, 2])
def test_an_older_page_of_the_log_takes_nothing_for_the_review_s_result(client: Client, before: int) -> None:
    """The first of these pages has no line at all."""
    game = at_phase(new_game("ada", "bob", pace="live"), "influence_resolve")
    answer = client.get(f"/games/{game.pk}/", {"before": before})
    assert answer.status_code == 200
    assert 'class="told"' not in answer.content.decode()


def test_strangers_see_the_public_board(client: Client) -> None:
    game = new_game("ada", "bob")
    answer = page(client, game)
    assert answer.status_code == 200
    assert "data-version" in answer.content.decode()


def test_there_is_no_game_there(client: Client) -> None:
    assert client.get("/games/999999/").status_code == 404
    assert client.get("/games/999999/version/").status_code == 404


def test_the_part_for_live_js_is_sent_once_a_version(client: Client) -> None:
    game = new_game("ada", "bob")
    client.force_login(person("ada"))
    first = page(client, game, **LIVE)
    assert b"<html" not in first.content
    assert b"data-version" in first.content
    assert page(client, game, **LIVE, **{"If-None-Match": first["ETag"]}).status_code == 304
    send(game, 1, {"kind": "bid_influence", "points": 3})
    assert page(client, game, **LIVE, **{"If-None-Match": first["ETag"]}).status_code == 200


@pytest.mark.parametrize("reader", ["ada", "eve", ""])
def test_no_cache_keeps_any_part_of_a_game(client: Client, reader: str) -> None:
    """The back button's neither: who signs out leaves nothing behind."""
    game = new_game("ada", "bob")
    if reader:
        client.force_login(person(reader))
    part = page(client, game, **LIVE)
    answers = [
        part,
        page(client, game),
        page(client, game, **LIVE, **{"If-None-Match": part["ETag"]}),
        client.get(f"/games/{game.pk}/version/"),
    ]
    answers += [
        client.post(f"/games/{game.pk}/{where}/", {"serial": "1"}, headers=LIVE)
        for where in ("actions", "drafts")
        if reader
    ]
    assert [answer["Cache-Control"] for answer in answers] == ["private, no-store"] * len(answers)


def test_a_rivals_page_does_not_change_with_a_sealed_revision(client: Client) -> None:
    game = new_game("ada", "bob")
    send(game, 1, {"kind": "bid_influence", "points": 3})
    client.force_login(person("ada"))
    tag = page(client, game, **LIVE)["ETag"]
    send(game, 1, {"kind": "bid_influence", "points": 44})
    assert page(client, game, **LIVE, **{"If-None-Match": tag}).status_code == 304
    client.force_login(person("bob"))
    own = page(client, game, **LIVE)["ETag"]
    drafts.save_draft(seat=Seat.objects.get(game=game, number=1), serial=game.phase_serial, requests=[{"kind": "pass"}])
    assert page(client, game, **LIVE, **{"If-None-Match": own}).status_code == 200


def test_one_readers_tag_is_no_other_readers(client: Client) -> None:
    game = new_game("ada", "bob")
    client.force_login(person("ada"))
    tag = page(client, game, **LIVE)["ETag"]
    client.force_login(person("bob"))
    assert page(client, game, **LIVE, **{"If-None-Match": tag}).status_code == 200


def test_the_version_is_two_numbers(client: Client) -> None:
    game = new_game("ada", "bob")
    client.force_login(person("ada"))
    send(game, 0, {"kind": "bid_influence", "points": 3})
    send(game, 0, {"kind": "bid_influence", "points": 4})
    response = client.get(f"/games/{game.pk}/version/").json()
    assert response == {"version": game.version + 1, "seat_version": 1, "unread": 0}


def test_a_sealed_bid_and_a_draft_are_on_no_other_page(client: Client) -> None:
    game, bid = new_game("ada", "bob"), {"kind": "bid_influence", "points": 37}
    send(game, 0, bid)
    client.force_login(person("bob"))
    before = without_chance(page(client, game).content.decode())
    send(game, 0, bid | {"points": 12})
    drafts.save_draft(
        seat=Seat.objects.get(game=game, number=0), serial=game.phase_serial, requests=[bid | {"points": 44}]
    )
    assert without_chance(page(client, game).content.decode()) == before
    context = board_context(game=get_game(game_id=game.pk), user=person("bob"))
    assert context["view"].mine == {}
    assert context["draft"] is None


@pytest.mark.parametrize(("people", "bots", "turns"), [(2, 0, 1), (2, 6, 1), (2, 3, 3)])
def test_the_page_asks_a_constant_number_of_questions(
    client: Client, settings: Any, django_assert_max_num_queries: Any, people: int, bots: int, turns: int
) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (4,)}
    game = new_game(*"ab"[:people], bots=bots, max_turns=4)
    next(now for now in steps_to_the_end(game) if now.turn == turns and now.phase_name == "stock_orders")
    client.force_login(person("a"))
    with django_assert_max_num_queries(15):
        page(client, game)  # what is new to its reader and the turn before are looked up, the visit is noted
    with django_assert_max_num_queries(9):
        assert page(client, game).status_code == 200


def test_the_log_is_told_newest_first_in_sentences() -> None:
    game = at_phase(new_game("ada", bots=3), "revenue_vote")
    context = board_context(game=get_game(game_id=game.pk), user=person("ada"))
    times = [chapter.at for chapter in context["log"]]
    assert times == sorted(times, reverse=True)
    assert "phase 12: Resolve market orders" in " ".join(chapter.title for chapter in context["log"])
    assert all(len(line.text) > 5 for chapter in context["log"] for line in chapter.entries)
    assert any(line.mine for chapter in context["log"] for line in chapter.entries)


def news(game: Game, name: str) -> str:
    context = board_context(game=get_game(game_id=game.pk), user=person(name))
    return context["push"].text


def test_the_news_is_the_readers_own(client: Client) -> None:
    """Of everything the last step told; who is not in it gets its first line."""
    game = new_game("ada", "bob")
    assert "was founded in" in news(game, "ada")
    send(game, 0, {"kind": "bid_influence", "points": 7}, READY)
    send(game, 1, {"kind": "bid_influence", "points": 9}, READY)
    assert (news(game, "ada"), news(game, "bob")) == (
        "You bid 7 influence points and are number 2 in player priority.",
        "You bid 9 influence points and are number 1 in player priority.",
    )
    assert news(game, "cid") == "bob bid 9 influence points and is number 1 in player priority."


def test_the_news_of_the_end_is_who_has_won(client: Client, settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (4,)}
    game = new_game("ada", bots=1, max_turns=4)
    for _ in steps_to_the_end(game):
        pass
    html = page(client, fresh(game)).content.decode().partition('id="push"')[2].partition("</p>")[0]
    assert re.search(r"wins? with [0-9,]+\.", html)


def test_the_fingerprint_of_the_draws_is_whole_below_the_log_and_short_in_it(client: Client) -> None:
    game = new_game("ada", "bob")
    shown, digest = page(client, game).content.decode(), game.secret_hash
    assert shown.count(digest) == 1
    assert f"the fingerprint that proves it starts {digest[:4]} {digest[4:8]}." in shown
    assert digest[:4] not in shown.partition('id="push"')[2].partition("</div>")[0]


def test_long_logs_come_in_pages(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (8,)}
    game = new_game("ada", bots=1)
    for number, _ in enumerate(steps_to_the_end(game)):
        if number > 150:
            break
    found = get_game(game_id=game.pk)
    assert found
    newest = board_context(game=found, user=None)
    assert newest["older"]
    older = board_context(game=found, user=None, log_before=newest["older"])
    assert older["log"][0].at <= newest["log"][-1].at


def played(revisions: int) -> Game:
    """A table that plays some turns by everybody's word, always with the same draws; bob revises his sealed bid
    before."""
    game = lobby.create_game(host=person("ada"), name="The table", seats=2, pace="demo", options={"max_turns": 12})
    Game.objects.filter(pk=game.pk).update(secret="always the same", fixed_sum=b"")
    lobby.join_game(game_id=game.pk, user=person("bob"))
    if fresh(game).status == "waiting":
        lobby.start_game(game_id=game.pk, user=person("ada"))
    for points in range(revisions):
        send(game, 1, {"kind": "bid_influence", "points": points})
    send(game, 1, {"kind": "bid_influence", "points": 3})
    for number, _ in enumerate(steps_to_the_end(game)):
        if number > 60:
            break
    return fresh(game)


def test_the_address_of_the_older_log_does_not_count_what_rivals_revise(settings: Any, client: Client) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (12,)}
    calm, busy = played(0), played(30)
    assert busy.log.count() == calm.log.count() + 30
    links = [re.findall(r"\?before=([^#\"]+)#log", page(client, game).content.decode()) for game in (calm, busy)]
    assert links[0]
    assert links[0] == links[1]
    assert [str(game.log.last()).partition("/")[2] for game in (calm, busy)] == [f"{fresh(calm).version} submit"] * 2


def test_the_pages_of_a_log_show_every_entry_once() -> None:
    """Also where one commit told more than a page holds."""
    table = (
        Table()
        .company("ACME", status="insolvent", treasury=0)
        .holdings("ACME", ada=3)
        .at("contributions", acting="ACME")
    )
    game = lay(table)
    for count in (3, 30, 2, 9, 8):
        send(game, 0, *[{"kind": "contribute", "cash": 1}] * count)
    places = board_context(game=fresh(game), user=None)["seats"]
    told, before = [], None
    for _ in range(20):
        chapters, before = read_log(game=fresh(game), places=places, seat=None, before=before)
        told += [line.text for chapter in chapters for line in chapter.entries]
        if before is None:
            break
    whole = tell(
        game.log.all(), flow=game.rules.flow(game.read_options()), names=[place.name for place in places], seat=None
    )
    assert sorted(told) == sorted(line.text for chapter in whole for line in chapter.entries)
    assert told.count("ada gave ACME 1 in cash.") == 52


def test_a_game_that_stands_still_says_so() -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(status="held", deadline_at=None)
    context = board_context(game=get_game(game_id=game.pk), user=person("ada"))
    assert "on hold" in context["standstill"]
    assert context["offers"] == []
    assert not context["is_asked"]


def test_the_charts_begin_with_the_start() -> None:
    game = at_phase(new_game("ada", bots=2), "revenue_vote")
    history = history_of(fresh(game))
    assert history.labels == ["Start", *(str(turn) for turn in range(1, fresh(game).turn + 1))]
    assert set(history.opening) <= set(history.prices)
    assert len(history.worth) == 3


def test_after_a_deadline_the_page_shows_what_was_missed(client: Client) -> None:
    game = clock_runs_out(new_game("ada", "bob"))
    client.force_login(person("ada"))
    assert "bid 0 influence" in page(client, game).content.decode()


def receipt(client: Client, game: Game) -> str:
    found = re.search(r"Received \d\d:\d\d:\d\d, no\. [0-9A-F]{4}", page(client, game).content.decode())
    return found[0] if found else ""


def test_what_was_sent_has_a_receipt_that_stays(client: Client, django_assert_max_num_queries: Any) -> None:
    """A new one comes with what is sent anew, none for being ready, and nobody else sees it."""
    game, address = new_game("ada", "bob"), ""
    client.force_login(person("ada"))
    address = f"/games/{game.pk}/actions/"
    assert not receipt(client, game)
    form = {"serial": game.phase_serial, "phase": "influence_bid", "token": "one", "points": 7, "do": "submit"}
    first = re.search(r"no\. ([0-9A-F]{4})", client.post(address, form, headers=LIVE).content.decode())
    assert first
    with django_assert_max_num_queries(9):
        result = receipt(client, game)
    assert result.endswith(first[1])
    assert receipt(client, game) == result
    client.post(address, form | {"token": "two", "do": "ready"})
    assert receipt(client, game) == result
    client.post(address, form | {"token": "three", "points": 8})
    assert receipt(client, game) not in {"", result}
    client.post(address, form | {"token": "four", "do": "withdraw"})
    assert not receipt(client, game)
    client.post(address, form | {"token": "five"})
    client.force_login(person("bob"))
    assert not receipt(client, game)


def test_a_draft_beside_what_was_sent_is_still_found() -> None:
    game, bid = new_game("ada", "bob"), {"kind": "bid_influence", "points": 7}
    send(game, 0, bid)
    drafts.save_draft(
        seat=Seat.objects.get(game=game, number=0), serial=game.phase_serial, requests=[bid | {"points": 9}]
    )
    context = board_context(game=get_game(game_id=game.pk), user=person("ada"))
    assert context["draft"].content == [bid | {"points": 9}]


@pytest.mark.parametrize(
    ("status", "words"),
    [("held", "On hold: nobody needs to do anything."), ("paused", "Paused: nobody needs to do anything.")],
)
@pytest.mark.parametrize("ruleset", ["sectors", "power_up"])
def test_the_first_word_about_a_game_that_stands_still_is_that_it_does(
    client: Client, ruleset: str, status: str, words: str
) -> None:
    """Whoever's turn it was: nobody is waited for, and no button is there to press."""
    game = new_game("ada", "bob", ruleset=ruleset)
    Game.objects.filter(pk=game.pk).update(status=status, deadline_at=None)
    for name in ("ada", "bob"):
        client.force_login(person(name))
        text = page(client, game).content.decode()
        assert f'<h1 id="brief-t">{words}</h1>' in text
        assert 'data-state="none"' in text
        assert 'id="who"' not in text
        assert "their turn" not in text
        assert "your turn." not in text
