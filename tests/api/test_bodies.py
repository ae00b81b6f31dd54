"""What cannot be taken is refused in the API's own form, wherever it is stopped; cookies count for nothing."""

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from game.store.game import Game
from tests.api.clients import Program
from tests.moderation.test_sanctions import decide
from tests.tables import person

TABLE = '"ruleset": "toy", "seats": 2, "pace": "demo"'


def answered(
    path: str, *received: MutableMapping[str, Any], length: int = 0, **said: str
) -> tuple[int, dict[str, str], bytes]:
    """What the site's ASGI application says to a body that comes in these messages, and then no further."""
    from sectors_site.asgi import application  # here: it needs a set-up Django

    sent: list[MutableMapping[str, Any]] = []
    coming = iter(received)

    async def receive() -> MutableMapping[str, Any]:
        if sent:
            return {"type": "http.disconnect"}
        if (message := next(coming, None)) is None:
            await asyncio.Event().wait()
        assert message is not None
        return message

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    headers = [(b"host", b"testserver"), (b"content-length", str(length).encode())]
    headers += [(name.encode(), value.encode()) for name, value in said.items()]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
    asyncio.run(application(scope, receive, send))
    values_by_key = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], values_by_key, b"".join(each["body"] for each in sent[1:])


@pytest.mark.parametrize(("status", "kind"), [(408, "too-slow"), (413, "too-large")])
def test_a_body_that_is_too_slow_or_too_large_is_a_problem_that_every_site_may_read(
    status: int, kind: str, settings: Any
) -> None:
    settings.BODY_SECONDS = 0.1
    length = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1 if status == 413 else 10
    begun = {"type": "http.request", "body": b"{", "more_body": True}
    found, headers, body = answered("/api/v1/games", begun, length=length)
    result = json.loads(body)
    assert (found, result["status"], result["type"].rpartition("/")[2]) == (status, status, kind)
    assert result["title"]
    assert result["detail"]
    assert headers["content-type"] == "application/problem+json"
    assert (headers["access-control-allow-origin"], headers["connection"]) == ("*", "close")
    found, headers, body = answered("/accounts/login/", begun, length=length)
    assert (found, headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert b"<html" in body
    assert "access-control-allow-origin" not in headers


def test_what_refuses_a_body_is_told_in_the_reader_s_language() -> None:
    begun, length = {"type": "http.request", "body": b"{", "more_body": True}, settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1
    german = {"accept-language": "de-AT,en;q=0.5"}
    _, headers, body = answered("/api/v1/games", begun, length=length, **german)
    assert (headers["content-language"], json.loads(body)["title"]) == ("de", "Der Inhalt ist zu groß")
    _, headers, body = answered("/accounts/login/", begun, length=length, **german)
    assert headers["content-language"] == "de"
    assert "Die Anfrage ist zu groß" in body.decode()
    _, headers, body = answered("/accounts/login/", begun, length=length, cookie="language=en", **german)
    assert headers["content-language"] == "en"
    assert b"That request is too large" in body


@pytest.mark.django_db
def test_another_host_is_told_what_is_wrong_and_not_that_its_json_is() -> None:
    answer = Client().get("/api/v1/rulesets", headers={"Host": "elsewhere.example"})
    assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (400, "bad-request")
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.django_db
def test_the_cookie_of_somebody_who_is_banned_is_not_looked_at() -> None:
    mal, ada = person("mal"), Program("ada")
    own = Program("mal")
    decide("ban", 30)
    ada.client.force_login(User.objects.get(pk=mal.pk))
    assert ada.client.get("/people/ada/").status_code == 403
    assert ada.get("me/decisions").status_code == 200
    assert ada.client.get("/api/v1/rulesets").status_code == 200
    assert own.get("me/decisions").status_code in {401, 403}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "key"),
    [
        (f'{{{TABLE}, "seats": 3}}', "seats"),
        (f'{{{TABLE}, "options": {{"rounds": 3, "rounds": 2}}}}', "rounds"),
    ],
)
def test_a_key_that_stands_twice_is_refused_by_name_wherever_it_stands(body: str, key: str) -> None:
    response = Program("ada").post("games", body).json()
    (error,) = response["errors"]
    assert (response["status"], error["code"], error["field"]) == (422, "repeated_key", key)
    assert key in response["detail"]
    assert not Game.objects.exists()
