"""A game by invitation is, for a stranger, a game that is not there: the same answer, by the same statements and
templates, on every address that names a game.

Work is counted and not timed: a busy machine changes no count. `./dev bench --only leak` times it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import api_tokens
from accounts.models import User
from game.chat import writing
from game.live import access
from game.store import eyes
from game.store.game import Game
from tests.attacks.walk import CHANCE, Address, addresses
from tests.scenes import person, table

pytestmark = pytest.mark.django_db
DRAWN = re.compile(r"'(?:[^']|'')*'|\b\d+\b")
UNCOUNTED = ("game_sitestate", "SAVEPOINT")  # asked for once a second; each has another name
PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")
GIVEN = {"serial": "9", "number": "9", "key": "sectors", "figure": "cash", "subject": "0", "what": "log", "form": "csv",
         "token": "canary", "name": "ada"}  # fmt: skip
ABOUT_GAMES = [each for each in addresses() if "game_id>" in each.pattern and not each.pattern.startswith("admin/")]


class Work(NamedTuple):
    """What a request cost and said."""

    status: int
    headers: dict[str, str]
    body: bytes
    templates: list[str]
    statements: list[str]


@pytest.fixture
def hidden() -> Game:
    game = table(person("Ada"), person("Ben"))
    Game.objects.filter(pk=game.pk).update(is_open=False)
    eyes.renew_link(game)
    return game


@pytest.fixture
def stranger() -> User:
    return person("Eve")


def path_of(address: Address, game_id: int) -> str:
    given = GIVEN | {"game_id": str(game_id)}
    return "/" + PARAMETER.sub(lambda found: given.get(found[2], "1"), address.pattern)


def work(client: Client, method: str, path: str, game_id: int, **more: Any) -> Work:
    cache.clear()
    with CaptureQueriesContext(connection) as asked:
        answer = client.generic(method, path, b"{}", content_type="application/json", **more)
    body = answer.content if not answer.streaming else b"".join(answer.streaming_content)
    headers = {name: value for name, value in answer.headers.items() if name not in {"X-Request-ID", "Expires"}}
    sent = [query["sql"] for query in asked.captured_queries]
    named = f"/{game_id}/"
    return Work(
        answer.status_code,
        {name: value.replace(named, "/?/") for name, value in headers.items() if name != "Content-Length"},
        CHANCE.sub(b"", body).replace(named.encode(), b"/?/"),
        [template.name for template in answer.templates],
        [DRAWN.sub("?", sql) for sql in sent if not any(each in sql for each in UNCOUNTED)],
    )


def first_difference(one: str, other: str) -> str:
    pairs = enumerate(zip(one, other, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    return f"…{one[max(0, at - 40) : at + 120]} and {other[at : at + 120]}"


def test_the_walk_finds_the_addresses() -> None:
    names = {address.name for address in ABOUT_GAMES}
    assert {"game", "invitation", "notes", "chat", "join_game", "submit_action", "api_game"} <= names
    assert len(ABOUT_GAMES) > 80


@pytest.mark.parametrize("who", ["visitor", "stranger", "program"])
def test_a16_a_hidden_game_and_none_cost_the_same(hidden: Game, stranger: User, who: str) -> None:
    writing.say(game_id=hidden.pk, user=User.objects.get(username="Ada"), text="hello")
    client, more = Client(), {}
    if who == "stranger":
        client.force_login(stranger)
    if who == "program":
        _, token = api_tokens.issue(user=stranger, name="x", scopes=list(api_tokens.SCOPES), days=1)
        more = {"HTTP_AUTHORIZATION": f"Bearer {token}"}
    differ = []
    for address in ABOUT_GAMES:
        if (who == "program") != address.pattern.startswith("api/"):
            continue
        for method in ("GET", "POST"):
            for _ in range(2):  # once more where something was compiled at its first use
                there, nowhere = (
                    work(client, method, path_of(address, game_id), game_id, **more)
                    for game_id in (hidden.pk, hidden.pk + 1000)
                )
                if there == nowhere:
                    break
            differ += [
                f"{method} {address.pattern}: {name}, {first_difference(str(one), str(other))}"
                for name, one, other in zip(Work._fields, there, nowhere, strict=True)
                if one != other
            ]
    assert not differ, "\n".join(differ)


def test_a_socket_asks_the_same_about_a_hidden_game_and_none(hidden: Game, stranger: User) -> None:
    client = Client()
    client.force_login(stranger)
    key = client.session.session_key or ""

    def asked(game_id: int) -> list[str]:
        with CaptureQueriesContext(connection) as found:
            assert access.admissions([access.AccessRequest(key, game_id)]) == [None]
        return [DRAWN.sub("?", query["sql"]) for query in found.captured_queries]

    asked(hidden.pk)
    assert asked(hidden.pk) == asked(hidden.pk + 1000)


def test_players_and_invited_people_find_it(hidden: Game, stranger: User) -> None:
    for name, status in (("Ada", 200), ("Ben", 200), ("Eve", 404)):
        client = Client()
        client.force_login(User.objects.get(username=name))
        assert client.get(f"/games/{hidden.pk}/").status_code == status
        assert client.get(f"/games/{hidden.pk}/notes/").status_code == status
