"""Sessions and addresses: what a cookie or a header that somebody else chose is worth."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.scenes import person

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


def sign_in(client: Client, password: str = PASSWORD, **more: Any) -> Any:
    return client.post(reverse("account_login"), {"login": "ada", "password": password}, **more)


def test_a17_a_session_that_somebody_else_chose_is_not_signed_in() -> None:
    """Neither one that was made up nor one that the site gave a visitor, who then brings another to sign in with it."""
    person("ada")
    visitor = Client()
    visitor.post(reverse("play_now"))  # a guest: the session is known to the site
    for planted in ("a" * 32, visitor.cookies["sessionid"].value):
        victim, thief = Client(), Client()
        victim.cookies["sessionid"] = thief.cookies["sessionid"] = planted
        assert sign_in(victim).status_code == 302
        assert victim.cookies["sessionid"].value != planted
        assert "ada" not in thief.get("/games/").content.decode()
        assert thief.get(reverse("account_email")).status_code == 302


def test_a17_a_cookie_with_a_zero_byte_is_none() -> None:
    answer = Client().get("/", headers={"cookie": r'sessionid="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\000"'})
    assert answer.status_code == 200


@pytest.mark.parametrize("end", ["sign out", "new password"])
def test_a17_a_stolen_cookie_is_worth_nothing_after_signing_out_or_a_new_password(end: str) -> None:
    person("ada")
    owner, thief = Client(), Client()
    assert sign_in(owner).status_code == 302
    if end == "sign out":
        thief.cookies["sessionid"] = owner.cookies["sessionid"].value
        owner.post(reverse("account_logout"))
    else:
        assert sign_in(thief).status_code == 302
        new = {"oldpassword": PASSWORD, "password1": "another horse 42", "password2": "another horse 42"}
        assert owner.post(reverse("account_change_password"), new).status_code == 302
        assert owner.get("/accounts/preferences/").status_code == 200
    assert thief.get("/accounts/preferences/").status_code == 302


@pytest.mark.parametrize("proxies", [0, 1])
def test_a15_nobody_escapes_a_limit_by_naming_another_address(settings: Any, proxies: int) -> None:
    """Without a proxy the header counts for nothing; with one, only what the proxy itself has written into it."""
    settings.LIMITED = True
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    cache.clear()
    person("ada")
    answers = []
    for number in range(7):
        forged = f"203.0.113.{number}" + ", 192.0.2.7" * proxies
        answers.append(sign_in(Client(), "wrong horse", headers={"X-Forwarded-For": forged}).status_code)
    cache.clear()
    assert answers == [200] * 5 + [429] * 2


def test_a11_a_forged_host_is_refused() -> None:
    for headers in ({"Host": "evil.example"}, {"Host": "testserver:80@evil.example"}):
        assert Client(headers=headers).get("/accounts/login/").status_code == 400
    assert "evil" not in Client(headers={"X-Forwarded-Host": "evil.example"}).get("/").content.decode()
