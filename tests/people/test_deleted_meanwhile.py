"""An account is deleted while requests of its owner, and of others about it, are under way: none ends in a mistake of
ours."""

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from game.lobby import lobby
from game.people.account_deletion import delete_account
from game.store.game import Game, Pace
from tests.api.clients import Program
from tests.scenes import person, table

pytestmark = pytest.mark.django_db(transaction=True)
TODAY = timezone.now().date()
OWN: dict[str, tuple[str, dict[str, Any]]] = {
    "a vacation": (
        "/accounts/vacation/",
        {"first": str(TODAY + timedelta(days=2)), "last": str(TODAY + timedelta(days=3))},
    ),
    "a game": ("/games/new/", {"pace": "demo", "name": "Mine", "seats": "3", "bots": "0", "preset": "standard"}),
    "a seat": ("/games/{room}/join/", {}),
    "a move": ("/games/{game}/actions/", {"serial": "1", "points": "3", "do": "submit", "token": "t"}),
    "a draft": ("/games/{game}/drafts/", {"serial": "1", "points": "3", "token": "t"}),
    "a message": ("/games/{game}/chat/say/", {"text": "Hello", "token": "t"}),
    "a note": ("/games/{game}/notes/", {"text": "Hm"}),
    "notifications": ("/notifications/", {"quiet_from": "22", "quiet_until": "8", "digest_hour": "8"}),
    "preferences": ("/accounts/preferences/", {"timezone": "Europe/Berlin", "theme": "auto", "language": "en"}),
    "a shared home": ("/accounts/households/", {"name": "bob"}),
    "a report": ("/people/bob/report/", {"kind": "chat", "words": "He swore."}),
    "a theme": ("/theme/", {"theme": "dark"}),
    "resigning": ("/games/{game}/seat/resign/", {"sure": "yes"}),
}


@contextmanager
def deleted_after(name: str, is_then: Callable[[str], bool]) -> Iterator[None]:
    """Delete an account between the first statement of this thread that is meant and its next one."""
    gone: list[int] = []

    def delete() -> None:
        try:
            delete_account(user=User.objects.get(username=name))
        finally:
            connection.close()

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found = execute(sql, params, many, context)
        if not gone and is_then(sql):
            gone.append(1)
            other = threading.Thread(target=delete)
            other.start()
            other.join()
        return found

    with connection.execute_wrapper(watch):
        yield
    assert gone, "nothing was deleted meanwhile"
    assert not User.objects.filter(username=name).exists()


def reads_the_account(sql: str) -> bool:
    """Who sends the request is known now."""
    return sql.startswith("SELECT") and 'FROM "accounts_user"' in sql


def laid() -> tuple[Game, Game]:
    """A game that ada plays with bob, and a room of bob's."""
    ada, bob = person("ada"), person("bob")
    return table(ada, bob, bots=1, pace=Pace.DAILY), lobby.create_game(host=bob, name="Room", seats=4)


@pytest.mark.parametrize("what", OWN)
def test_a_request_of_somebody_who_is_gone_leads_to_signing_in(what: str) -> None:
    game, room = laid()
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="ada"))
    path, sent = OWN[what]
    with deleted_after("ada", reads_the_account):
        answer = client.post(path.format(game=game.pk, room=room.pk), sent)
    assert answer.status_code < 500
    assert client.get("/accounts/households/")["Location"] == "/accounts/login/"


HALF = 5  # statements of these pages, of nine


@pytest.mark.parametrize("path", ["/games/", "/games/{game}/"])
def test_so_does_a_page_of_theirs_that_was_half_read(path: str) -> None:
    game, _ = laid()
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="ada"))
    statements = itertools.count(1)
    with deleted_after("ada", lambda sql: next(statements) == HALF):
        answer = client.get(path.format(game=game.pk))
    assert answer.status_code < 500
    assert client.get("/accounts/households/")["Location"] == "/accounts/login/"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("games", {"ruleset": "sectors", "seats": 3, "options": {"max_turns": 8}}),
        ("games/{room}/seats", {}),
        ("games/{game}/chat", {"text": "Hello"}),
        ("webhooks", {"url": "https://hooks.example.org/x"}),
        (
            "me/vacations",
            {"first": str(TODAY + timedelta(days=2)), "last": str(TODAY + timedelta(days=3))},
        ),
    ],
)
def test_so_does_a_program_of_theirs(path: str, body: dict[str, Any]) -> None:
    game, room = laid()
    program = Program("ada")
    program.client.raise_request_exception = False
    with deleted_after("ada", lambda sql: sql.startswith("SELECT") and "accounts_apitoken" in sql):
        answer = program.post(path.format(game=game.pk, room=room.pk), body)
    assert 400 <= answer.status_code < 500


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/games/{room}/invitees/", {"name": "ada"}),
        ("/accounts/households/", {"name": "ada"}),
        ("/people/ada/report/", {"kind": "chat", "words": "She swore."}),
    ],
)
def test_what_others_store_about_them_finds_nobody(path: str, sent: dict[str, str]) -> None:
    _, room = laid()
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="bob"))
    found = []

    def reads_ada(sql: str) -> bool:
        found.extend([1] if reads_the_account(sql) else [])
        return len(found) == 2

    with deleted_after("ada", reads_ada):
        answer = client.post(path.format(room=room.pk), sent)
    assert answer.status_code < 500


def test_two_deletions_at_once_are_one() -> None:
    laid()
    clients = [Client(raise_request_exception=False) for _ in range(2)]
    for client in clients:
        client.force_login(User.objects.get(username="ada"))
        client.post("/accounts/reauthenticate/", {"password": "correct horse battery"})
    with deleted_after("ada", reads_the_account):
        answer = clients[0].post("/accounts/delete/", {"name": "ada"})
    assert answer.status_code < 500
