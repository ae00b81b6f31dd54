"""Guessers are slowed and owners are not; a stolen session changes neither address nor password."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account import app_settings
from allauth.account.models import EmailAddress
from allauth.core.internal.ratelimit import get_rates
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from sectors_site.settings import ACCOUNT_RATE_LIMITS
from tests.site.tables import person

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

PASSWORD, WRONG = "correct horse battery", "wrong horse battery"
HERE, ELSEWHERE = "192.0.2.1", "198.51.100.7"


@pytest.fixture(autouse=True)
def limits(settings: Any) -> Iterator[None]:
    """As the site has them; tests elsewhere sign in more often than people do."""
    settings.ACCOUNT_RATE_LIMITS = ACCOUNT_RATE_LIMITS
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def ada() -> User:
    return person("Ada")


def sign_in(password: str, where: str, login: str = "Ada", client: Client | None = None) -> Any:
    return (client or Client()).post(
        reverse("account_login"), {"login": login, "password": password}, REMOTE_ADDR=where
    )


def guess(times: int, where: str = HERE, login: str = "Ada") -> list[int]:
    return [sign_in(WRONG, where, login).status_code for _ in range(times)]


@pytest.mark.parametrize("login", ["Ada", "ada@example.org"])
def test_a14_wrong_passwords_from_one_address_keep_the_owner_out_nowhere_else(ada: User, login: str) -> None:
    assert guess(7, login=login) == [200] * 5 + [429] * 2
    assert sign_in(PASSWORD, HERE, login).status_code == 429, "the guesser cannot go on"
    assert sign_in(PASSWORD, ELSEWHERE, login).status_code == 302


def test_a_guesser_is_slowed_over_all_accounts_together(ada: User) -> None:
    answers = [code for number in range(8) for code in guess(3, login=f"Player {number}")]
    assert answers == [200] * 20 + [429] * 4
    assert sign_in(PASSWORD, ELSEWHERE).status_code == 302


def test_a_guesser_does_not_slip_by_in_the_same_network(ada: User) -> None:
    """Whoever has one IPv6 address has a whole /64 of them."""
    assert [guess(1, where=f"2001:db8::{number}")[0] for number in range(1, 7)] == [200] * 5 + [429]


def test_after_the_time_named_one_may_try_again_and_not_long_before(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    guess(5)
    refused = sign_in(PASSWORD, HERE)
    wait = int(refused["Retry-After"])
    assert f"Wait {wait // 60} minutes" in refused.content.decode()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + wait - 10)
    assert sign_in(PASSWORD, HERE).status_code == 429
    monkeypatch.setattr(time, "time", lambda: now + wait)
    assert sign_in(PASSWORD, HERE).status_code == 302


def test_no_limit_reaches_further_back_than_the_answer_says(settings: Any) -> None:
    rates = [rate for action in app_settings.RATE_LIMITS for rate in get_rates(app="allauth.account", action=action)]
    assert len(rates) > 10
    assert max(rate.duration for rate in rates) == settings.ATTEMPTS_WINDOW == 300


def test_a_right_password_is_not_counted(ada: User) -> None:
    assert {sign_in(PASSWORD, HERE).status_code for _ in range(25)} == {302}


@pytest.fixture
def stolen(ada: User) -> Client:
    """Somebody else has the cookie of a session that has only just begun."""
    client = Client()
    assert sign_in(PASSWORD, HERE, client=client).status_code == 302
    return client


ATTEMPTS = {
    "add": {"email": "eve@example.org", "action_add": ""},
    "remove": {"email": "old@example.org", "action_remove": ""},
}


@pytest.mark.parametrize("attempt", [*ATTEMPTS, "primary"])
def test_a_stolen_session_changes_no_address_without_the_password(
    stolen: Client, ada: User, mailoutbox: list[Any], attempt: str
) -> None:
    EmailAddress.objects.create(user=ada, email="old@example.org", verified=True)
    before = list(ada.emailaddress_set.order_by("pk").values_list("email", "primary"))
    form = ATTEMPTS.get(attempt, {"email": "old@example.org", "action_primary": ""})
    answer = stolen.post(reverse("account_email"), form)
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert stolen.post(answer["Location"], {"password": WRONG}).status_code == 200
    ada.refresh_from_db()
    assert (ada.email, list(ada.emailaddress_set.order_by("pk").values_list("email", "primary"))) == (
        "ada@example.org",
        before,
    )
    assert not mailoutbox


def test_a_stolen_session_does_not_guess_the_password(stolen: Client, ada: User) -> None:
    where = stolen.post(reverse("account_email"), ATTEMPTS["add"])["Location"]
    assert [stolen.post(where, {"password": WRONG}).status_code for _ in range(7)] == [200] * 5 + [429] * 2
    old = {"password1": "another horse 42", "password2": "another horse 42"}
    tries = [
        stolen.post(reverse("account_change_password"), {"oldpassword": WRONG, **old}).status_code for _ in range(12)
    ]
    assert tries == [200] * 10 + [429] * 2
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)
    assert sign_in(PASSWORD, ELSEWHERE).status_code == 302


def test_the_owner_changes_the_address_and_the_old_one_is_told(
    stolen: Client, ada: User, mailoutbox: list[Any]
) -> None:
    where = stolen.post(reverse("account_email"), {"email": "new@example.org", "action_add": ""})["Location"]
    assert stolen.post(where, {"password": PASSWORD}).status_code == 302
    link = re.search(r"http://testserver(\S+confirm-email\S+)", mailoutbox[0].body)
    assert link
    stolen.post(link[1])
    stolen.post(reverse("account_email"), {"email": "new@example.org", "action_primary": ""})
    ada.refresh_from_db()
    assert ada.email == "new@example.org"
    assert [
        (letter.to, "changed from ada@example.org to new@example.org" in letter.body) for letter in mailoutbox[1:]
    ] == [(["ada@example.org"], True)]


def test_the_owner_is_told_of_a_new_password(stolen: Client, ada: User, mailoutbox: list[Any]) -> None:
    new = {"oldpassword": PASSWORD, "password1": "another horse 42", "password2": "another horse 42"}
    assert stolen.post(reverse("account_change_password"), new).status_code == 302
    assert [(letter.to, "password has been changed" in letter.body) for letter in mailoutbox] == [
        (["ada@example.org"], True)
    ]
