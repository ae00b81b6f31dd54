"""What every page says of the games that need its reader: the number, the icon, and the next of them."""

from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from game.lobby import lobby
from game.store.game import Game, Keeper, Seat, Status
from game.store.pending import MOST_SHOWN, PendingDecisions, icon_of
from tests.tables import new_game, person, send

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
BID = {"kind": "bid_influence", "points": 7}


def signed_in(client: Client, name: str = "ada") -> Client:
    client.force_login(person(name))
    return client


def due_in(days: int, name: str, *people: str) -> Game:
    """A game of these people whose open phase closes in so many days."""
    game = new_game(*people, pace="daily")
    Game.objects.filter(pk=game.pk).update(name=name, deadline_at=timezone.now() + timedelta(days=days, hours=1))
    return game


def names_of(user: User) -> list[str]:
    return [need.name for need in PendingDecisions(user).games]


def test_only_games_in_which_the_reader_has_sent_nothing_count() -> None:
    """Not what was submitted, what others must do, what stands still, and what the caretaker plays."""
    due_in(2, "Later", "ada", "bob")
    due_in(1, "Sooner", "bob", "ada")
    send(due_in(1, "Sent", "ada", "bob"), 0, BID)
    due_in(1, "Of others", "bob", "cid")
    kept, held = due_in(1, "Kept", "ada", "bob"), due_in(1, "On hold", "ada", "bob")
    Seat.objects.filter(game=kept, number=0).update(keeper=Keeper.AWAY)
    Game.objects.filter(pk=held.pk).update(status=Status.HELD, deadline_at=None)
    lobby.create_game(host=person("ada"), name="Not begun", seats=3)
    assert names_of(person("ada")) == ["Sooner", "Later"]
    assert names_of(person("cid")) == ["Of others"]
    assert PendingDecisions(None).count == 0


@pytest.mark.parametrize("path", ["/games/", "/games/new/", "/rules/", "/accounts/preferences/", "{other}"])
def test_every_page_has_the_number_in_title_icon_and_head(client: Client, path: str) -> None:
    due_in(1, "Ironworks", "ada", "bob")
    other = due_in(2, "Long Harbour", "bob", "cid")
    page = signed_in(client).get(path.format(other=other.get_absolute_url())).content.decode()
    assert "<title>(1) " in page
    assert f'id="icon" type="image/svg+xml" href="{icon_of(1)}"' in page
    assert 'data-count="1">' in page
    assert "<b>Ironworks</b>" in page
    assert 'class="nextgame-due" data-left="' in page


def test_nothing_is_counted_for_those_without_such_a_game(client: Client) -> None:
    for page in (Client().get("/"), signed_in(client).get("/games/")):
        html = page.content.decode()
        assert "<title>(" not in html
        assert 'rel="icon" id="icon" type="image/svg+xml" href="/static/favicon' in html
        assert "nextgame" not in html


def test_the_icon_shows_one_digit_or_nine_and_more() -> None:
    assert ">3</text>" in unquote(icon_of(3))
    assert ">9+</text>" in unquote(icon_of(MOST_SHOWN + 1))
    assert icon_of(60) == icon_of(MOST_SHOWN + 1)
    assert "data:" not in icon_of(0)


def test_after_submitting_the_board_names_the_next_game(client: Client) -> None:
    game = due_in(1, "Here", "ada", "bob")
    due_in(2, "Second <Thursday>", "ada", "bob")
    page = signed_in(client)
    assert "sendbar-next" not in page.get(game.get_absolute_url()).content.decode()
    send(game, 0, BID)
    html = page.get(game.get_absolute_url()).content.decode().split('<p class="sendbar-next">')[1].split("</p>")[0]
    assert f'href="/games/next/?after={game.pk}">Second &lt;Thursday&gt;</a>' in html
    assert "data-left" in html


def test_the_script_s_question_is_answered_for_its_reader_alone(client: Client) -> None:
    here, there = due_in(1, "Here", "ada", "bob"), due_in(2, "There", "ada", "bob")
    assert Client().get("/games/needs/").status_code == 403
    answer = signed_in(client).get("/games/needs/", {"after": here.pk})
    html = answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert 'data-count="2"' in html
    assert "<b>There</b>" in html
    assert "<b>Here</b>" in client.get("/games/needs/", {"after": there.pk}).content.decode()
    for nonsense in ("x", "-1", "9" * 40):
        assert "<b>Here</b>" in client.get("/games/needs/", {"after": nonsense}).content.decode()
    assert 'data-count="0"' in signed_in(Client(), "cid").get("/games/needs/").content.decode()


def test_one_statement_tells_it_for_any_number_of_games(client: Client, django_assert_num_queries: Any) -> None:
    for day in range(1, 5):
        due_in(day, f"Game {day}", "ada", "bob")
    ada = person("ada")
    with django_assert_num_queries(1):
        needs = PendingDecisions(ada)
        assert (needs.count, needs.prefix) == (4, "(4) ")
        assert [need.name for need in (needs.after(0), needs.after(needs.games[3].game_id)) if need] == ["Game 1"] * 2
