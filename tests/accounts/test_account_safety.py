"""Guessers are slowed and owners are not; a stolen session changes neither address nor password."""

import itertools
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from game import tasks
from tests.scenes import person

pytestmark = [pytest.mark.django_db]

PASSWORD, WRONG = "correct horse battery", "wrong horse battery"
HERE, ELSEWHERE = "192.0.2.1", "198.51.100.7"


@pytest.fixture(autouse=True)
def limits(settings: Any) -> Iterator[None]:
    """As the site has them; tests elsewhere sign in more often than people do."""
    settings.LIMITED = True
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


def test_a_guesser_is_slowed_over_all_accounts_together(ada: User, logged: list[Any]) -> None:
    answers = [code for number in range(8) for code in guess(3, login=f"Player {number}")]
    assert answers == [200] * 20 + [429] * 4
    assert [line["address"] for line in logged if line["event"] == "sign_in_slowed"] == [HERE] * 4
    assert sign_in(PASSWORD, ELSEWHERE).status_code == 302


def test_a_guesser_does_not_slip_by_in_the_same_network(ada: User) -> None:
    """Whoever has one IPv6 address has a whole /64 of them."""
    assert [guess(1, where=f"2001:db8::{number}")[0] for number in range(1, 7)] == [200] * 5 + [429]


def test_after_the_time_named_one_may_try_again_and_not_long_before(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    guess(5)
    refused = sign_in(PASSWORD, HERE)
    wait = int(refused["Retry-After"])
    assert f"Try again in {-(-wait // 60)} minutes." in refused.content.decode()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + wait - 10)
    assert sign_in(PASSWORD, HERE).status_code == 429
    monkeypatch.setattr(time, "time", lambda: now + wait)
    assert sign_in(PASSWORD, HERE).status_code == 302


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
    form = stolen.get(where).content.decode()
    assert '<input type="hidden" name="next" value="/accounts/email/">' in form
    assert stolen.post(where, {"password": PASSWORD, "next": "/accounts/email/"}).status_code == 302
    link = re.search(r"http://testserver(\S+confirm-email\S+)", mailoutbox[0].body)
    assert link
    stolen.post(link[1])
    stolen.post(reverse("account_email"), {"email": "new@example.org", "action_primary": ""})
    ada.refresh_from_db()
    assert ada.email == "new@example.org"
    text = "Emails go to new@example.org now, no longer to ada@example.org."
    assert [(letter.to, text in letter.body) for letter in mailoutbox[1:]] == [(["ada@example.org"], True)]


def test_the_owner_is_told_of_a_new_password(stolen: Client, ada: User, mailoutbox: list[Any]) -> None:
    page = stolen.get(reverse("account_change_password")).content.decode()
    assert all(f"{name}</label>" in page for name in ("Current password", "New password", "New password again"))
    assert "placeholder" not in page
    new = {"oldpassword": PASSWORD, "password1": "another horse 42", "password2": "another horse 42"}
    assert stolen.post(reverse("account_change_password"), new).status_code == 302
    assert [(letter.to, "The password was changed." in letter.body) for letter in mailoutbox] == [
        (["ada@example.org"], True)
    ]


def test_a14_one_account_is_guessed_from_many_addresses_only_so_often(ada: User) -> None:
    """By name and by email together; the owner comes in on the device they use, and anywhere with a new password."""
    known = Client()
    assert sign_in(PASSWORD, ELSEWHERE, client=known).status_code == 302
    known.post(reverse("account_logout"))
    logins = itertools.cycle(["Ada", "ada@example.org", "ADA"])
    answers = [guess(1, f"203.0.113.{number}", next(logins))[0] for number in range(110)]
    assert answers == [200] * 100 + [429] * 10
    refused = sign_in(PASSWORD, "198.51.100.99")
    assert refused.status_code == 429
    assert "is 100 an hour, and it has been reached" in refused.content.decode()
    assert "Devices that signed in to the account before can still sign in." in refused.content.decode()
    assert sign_in(PASSWORD, "203.0.113.1", client=known).status_code == 302, "the device is known"


def test_a_known_device_is_kept_out_by_nobody_else_at_its_address(ada: User) -> None:
    known = Client()
    assert sign_in(PASSWORD, HERE, client=known).status_code == 302
    known.post(reverse("account_logout"))
    assert guess(7) == [200] * 5 + [429] * 2
    assert [guess(3, login=f"Player {number}")[-1] for number in range(8)][-1] == 429, "the address is used up"
    assert sign_in(PASSWORD, HERE, client=known).status_code == 302


def test_a_known_device_does_not_guess_for_ever(ada: User) -> None:
    known = Client()
    assert sign_in(PASSWORD, HERE, client=known).status_code == 302
    known.post(reverse("account_logout"))
    assert [sign_in(WRONG, HERE, client=known).status_code for _ in range(7)] == [200] * 5 + [429] * 2
    person("Bob")
    other = [sign_in(WRONG, HERE, "Bob", known).status_code for _ in range(7)]
    assert other == [200] * 5 + [429] * 2, "of another account it knows nothing"


def test_a_forged_cookie_makes_no_device_known(ada: User) -> None:
    for number in range(7):
        forger = Client()
        forger.cookies["devices"] = f"[{ada.pk}]:{number}"
        code = sign_in(WRONG, HERE, client=forger).status_code
    assert code == 429


def test_a_new_password_by_mail_ends_the_wait(ada: User, mailoutbox: list[Any], settings: Any) -> None:
    settings.LIMITS = {"guess_account": 3}
    assert [guess(1, f"203.0.113.{number}")[0] for number in range(4)] == [200] * 3 + [429]
    client, new = Client(), "a quite new password"
    client.post(reverse("account_reset_password"), {"email": ada.email})
    path = re.search(r"http://testserver(/accounts/password/reset/key/\S+/)", str(mailoutbox[0].body))
    assert path
    page: Any = client.get(path[1], follow=True)
    assert "New password again</label>" in page.content.decode()
    form = page.redirect_chain[-1][0]
    client.post(form, {"password1": new, "password2": new})
    assert sign_in(new, ELSEWHERE).status_code == 302


def test_where_a_session_came_from_is_forgotten_when_it_has_ended(ada: User) -> None:
    clients = {address: Client(REMOTE_ADDR=address) for address in ("203.0.113.7", "198.51.100.8", "192.0.2.9")}
    for address, client in clients.items():
        assert sign_in(PASSWORD, address, client=client).status_code == 302
    expired = clients["203.0.113.7"].session.session_key
    Session.objects.filter(pk=expired).update(expire_date=timezone.now())
    clients["192.0.2.9"].session.flush()
    assert UserSession.objects.filter(user=ada).count() == 3
    tasks.forget_old_traces()
    assert [session.ip for session in UserSession.objects.filter(user=ada)] == ["198.51.100.8"]
    assert "198.51.100.8" in clients["198.51.100.8"].get(reverse("usersessions_list")).content.decode()


def test_a_mailbox_is_not_filled_with_confirmations(settings: Any, mailoutbox: list[Any]) -> None:
    """From as many networks as they like, for an address that has an account and for one that has none."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    person("Bob")
    for email in ("victim@example.org", "bob@example.org"):
        for number in range(3):
            form = {"username": f"{email[:3]} {number}", "email": email, "password1": PASSWORD}
            answer = Client().post(reverse("account_signup"), form, REMOTE_ADDR=f"203.0.113.{number}")
            assert answer.status_code == 302
        assert [letter.to for letter in mailoutbox].count([email]) == 1
