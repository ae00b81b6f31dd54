"""What the site keeps about somebody, as they can download it."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from game.models import Game, Message, Sitting
from game.services import chat, notebooks
from tests.tables import new_game, person

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def game() -> Game:
    return new_game("ada", "bob")


def say(game: Game, name: str, text: str) -> Message:
    return chat.say(game_id=game.pk, user=person(name), text=text, token="")


def files_of(name: str) -> dict[str, Any]:
    client = Client()
    client.force_login(person(name))
    answer = client.get("/accounts/my-data.zip")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return {each: json.loads(archive.read(each)) for each in archive.namelist()}


def test_it_holds_what_was_written_and_nothing_of_others(game: Game) -> None:
    say(game, "bob", "Mine")
    theirs = say(game, "ada", "Not mine")
    notebooks.save_notes(game=game, user=person("bob"), text="My plan.", revision=0)
    chat.report(game_id=game.pk, user=person("bob"), number=theirs.number, reason="Too loud.")
    files = files_of("bob")
    assert [(said["game"], said["moment"], said["text"]) for said in files["messages.json"]] == [
        ("The table", "Turn 1, phase 1: Influence bid", "Mine")
    ]
    assert [book["text"] for book in files["notebooks.json"]] == ["My plan."]
    assert [each["reason"] for each in files["reports.json"]] == ["Too loud."]
    told = json.dumps(files)
    assert "Not mine" not in told
    assert "ada" not in told
    assert files_of("ada")["messages.json"][0]["text"] == "Not mine"


def test_it_holds_every_seat_with_its_decisions(game: Game) -> None:
    Sitting.objects.filter(game=game, user=person("bob")).update(decisions=7, missed=2)
    game.seats.filter(user=person("bob")).update(place=1, score=2100)
    (played,) = files_of("bob")["games.json"]
    assert (played["game"], played["seat"], played["decisions"], played["missed"]) == ("The table", 2, 7, 2)
    assert (played["place"], played["score"], played["until"]) == (1, 2100, None)


def test_it_holds_the_account_without_its_password_or_a_secret_of_a_game(game: Game) -> None:
    bob = person("bob")
    bob.set_password("correct horse battery")
    bob.save()
    files = files_of("bob")
    assert files["account.json"]["name"] == "bob"
    assert files["account.json"]["preferences"]["timezone"] == bob.timezone
    told = json.dumps(files)
    assert User.objects.get(pk=bob.pk).password not in told
    assert game.secret not in told


def test_a_visitor_is_asked_to_sign_in() -> None:
    answer = Client().get("/accounts/my-data.zip")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")


def test_it_costs_the_same_for_many_games(game: Game, django_assert_max_num_queries: Any) -> None:
    for _ in range(3):
        say(new_game("ada", "bob"), "bob", "Hello")
    client = Client()
    client.force_login(person("bob"))
    with django_assert_max_num_queries(21):
        client.get("/accounts/my-data.zip")
