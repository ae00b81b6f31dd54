"""Addresses that are keys are in no log and no Referer, and no cache keeps their pages."""

import io
import json
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client, override_settings

from accounts.models import User
from game.lobby import lobby
from sectors_site import logs, secret_addresses
from tests.tables import person

pytestmark = pytest.mark.django_db
KEY = "Zq3-canary_9"
PATHS = [
    f"/games/7/invite/{KEY}/",
    f"/sign-in/{KEY}/",
    f"/accounts/confirm-email/{KEY}/",
    f"/accounts/password/reset/key/1f-{KEY}/",
    f"/look/{KEY}/",
    f"/look/copy/{KEY}/",
    f"/mail/unsubscribe/{KEY}/",
    f"/moderation/closed/{KEY}/",
]


def encoded(words: str) -> str:
    """Every character as %XX, in capitals and small letters by turns."""
    return "".join(f"%{ord(each):02{'Xx'[place % 2]}}" for place, each in enumerate(words))


SPELLINGS = (str, encoded, lambda words: encoded(words).replace("%", "%2525"), lambda words: quote(words, safe=""))


@pytest.mark.parametrize("path", PATHS)
def test_browsers_name_no_more_than_the_site(path: str) -> None:
    answer = Client().get(path)
    assert answer["Referrer-Policy"] == "strict-origin"
    assert answer["Cache-Control"] == "private, no-store"
    assert "noindex" in answer["X-Robots-Tag"]


def test_an_invitation_can_still_be_accepted() -> None:
    """A browser that names only the origin is let in by the check for forms of other sites."""
    game = lobby.create_game(host=person("ada"), name="Ours", seats=3, is_open=False)
    client, link = Client(enforce_csrf_checks=True), f"{game.get_absolute_url()}invite/{game.invitation.token}/"
    client.force_login(person("bob"))
    assert client.get(link)["Referrer-Policy"] == "strict-origin"
    form = {"csrfmiddlewaretoken": client.cookies["csrftoken"].value, "rated": "no"}
    with override_settings(ALLOWED_HOSTS=["sectors.example"], CSRF_TRUSTED_ORIGINS=[]):
        named = {"Host": "sectors.example", "Origin": "https://sectors.example", "Referer": "https://sectors.example/"}
        assert client.post(link, form, secure=True, headers=named).status_code == 302
    assert game.seats.filter(user=User.objects.get(username="bob")).exists()


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("spell", SPELLINGS)
def test_no_line_of_the_log_has_one(path: str, spell: Callable[[str], str], plain: bool) -> None:
    """As Django says at which address something went wrong, with the traceback."""
    prefix = secret_addresses.PATH.match(path)[0]  # type: ignore[index]
    path = spell(prefix) + path.removeprefix(prefix)
    config: dict[str, Any] = logs.logging_config(plain=plain, level=logging.DEBUG)
    formatter = config["formatters"]["line"]
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter["()"](**{name: given for name, given in formatter.items() if name != "()"}))
    record = logging.getLogger("django.request").makeRecord(
        "django.request", logging.ERROR, __file__, 1, "Internal Server Error: %s", (path,), None
    )
    try:
        raise ValueError(f'from https://sectors.example{path}?x=1 and {path}\nand on, in quotes: "{path}"')
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    handler.handle(record)
    assert "Internal Server Error" in written.getvalue()
    assert prefix in written.getvalue()
    assert KEY not in written.getvalue()
    assert plain or "and on" in json.loads(written.getvalue())["exception"]
