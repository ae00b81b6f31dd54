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

from accounts.guests import merge_guests
from accounts.models import User
from game.lobby import lobby
from game.people.account_deletion import delete_account
from game.store.game import Game, Pace
from tests.api.clients import Program
from tests.api.operations import Place, every_operation, path_of
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
    "a move": ("/games/{game}/actions/", {"serial": "1", "f_0_coins": "3", "do": "submit", "token": "t"}),
    "a draft": ("/games/{game}/drafts/", {"serial": "1", "f_0_coins": "3", "token": "t"}),
    "a message": ("/games/{game}/chat/say/", {"text": "Hello", "token": "t"}),
    "a note": ("/games/{game}/notes/", {"text": "Hm"}),
    "notifications": ("/notifications/", {"quiet_from": "22", "quiet_until": "8", "digest_hour": "8"}),
    "preferences": ("/accounts/preferences/", {"timezone": "Europe/Berlin", "theme": "auto", "language": "en"}),
    "a shared home": ("/accounts/households/", {"name": "bob"}),
    "a report": ("/people/bob/report/", {"kind": "chat", "words": "He swore."}),
    "a theme": ("/theme/", {"theme": "dark"}),
    "resigning": ("/games/{game}/seat/resign/", {"sure": "yes"}),
}


def operation_name(place: Place) -> str:
    return place.operation.name


@contextmanager
def deleted_after(name: str, is_then: Callable[[str], bool], becomes: User | None = None) -> Iterator[None]:
    """Delete an account between the first statement of this thread that is meant and its next one; a guest is taken
    over by the account that they become."""
    gone: list[int] = []

    def delete() -> None:
        try:
            user = User.objects.get(username=name)
            delete_account(user=user) if becomes is None else merge_guests(user, becomes)
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
    return table(ada, bob, bots=0, pace=Pace.DAILY, ruleset="toy"), lobby.create_game(host=bob, name="Room", seats=4)


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


AS_GUEST: dict[str, tuple[str, dict[str, Any]]] = {
    "a move": ("/games/{game}/actions/", {"serial": "1", "points": "3", "do": "submit", "token": "t"}),
    "a draft": ("/games/{game}/drafts/", {"serial": "1", "points": "3", "token": "t"}),
    "a game": ("/play/", {}),
    "a lesson": ("/lessons/sectors/short/", {}),
    "preferences": OWN["preferences"],
    "a theme": OWN["a theme"],
    "resigning": OWN["resigning"],
}


@pytest.mark.parametrize("what", AS_GUEST)
def test_a_request_of_a_guest_who_becomes_an_account_meanwhile_is_no_error(what: str) -> None:
    client, grace = Client(raise_request_exception=False), person("grace")
    game_path = client.post("/play/", {})["Location"]
    game = Game.objects.get(pk=game_path.split("/")[2])
    guest = User.objects.get(is_guest=True)
    path, sent = AS_GUEST[what]
    with deleted_after(guest.username, reads_the_account, grace):
        answer = client.post(path.format(game=game.pk), sent)
    assert answer.status_code < 500
    assert game.seats.get(number=0).user == grace
    assert client.get(game_path).status_code < 500
    assert not User.objects.filter(is_guest=True, pk=guest.pk).exists()


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


BODIES: dict[str, dict[str, Any]] = {
    "create_game": {"ruleset": "sectors", "seats": 3, "options": {"max_turns": 8}},
    "say": {"text": "Hello"},
    "make_move": {"phase_serial": 1, "actions": [{"kind": "bid", "coins": 3}]},
    "save_draft": {"phase_serial": 1, "actions": [{"kind": "bid", "coins": 3}]},
    "add_webhook": {"url": "https://hooks.example.org/x"},
    "declare_vacation": {"first": str(TODAY + timedelta(days=2)), "last": str(TODAY + timedelta(days=3))},
    "save_notes": {"text": "Hm", "revision": 0},
    "choose_hours": {"hours": [1, 2]},
    "switch_chat": {"is_on": False},
}
"""What else than an empty body an operation takes."""
assert {*BODIES} <= {place.operation.name for place in every_operation()}
IN_THE_ROOM = ("take_seat", "take_over_seat", "leave_seat")


@pytest.mark.parametrize("place", [each for each in every_operation() if each.method != "GET"], ids=operation_name)
def test_so_does_a_program_of_theirs(place: Place) -> None:
    game, room = laid()
    program = Program("ada")
    program.client.raise_request_exception = False
    where = room if place.operation.name in IN_THE_ROOM else game
    given = {"game_id": where.pk, "number": 1, "serial": 1, "webhook": 1, "delivery": 1}
    path, body = path_of(place.pattern, **given), BODIES.get(place.operation.name, {})
    send = getattr(program, place.method.lower())
    with deleted_after("ada", lambda sql: sql.startswith("SELECT") and "accounts_apitoken" in sql):
        answer = send(path) if place.method == "DELETE" else send(path, body)
    assert answer.status_code < 500
    if place.operation.name in BODIES:
        assert answer.status_code in {401, 404}, answer.content
    assert program.get("me").status_code == 401


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
