"""What is confirmed by a link or a code, by two browsers at once: between any two statements of the first browser's
request the second one has done the same. It happens once, and nobody meets an error of ours."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from threading import Barrier
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.emails import send_queued
from accounts.models import User
from game.lobby import lobby
from game.store import eyes
from tests.accounts.test_second_factor import PASSWORD, code_of
from tests.attacks.meanwhile import answer_while
from tests.scenes import person
from tests.tables import person as plain_person

pytestmark = pytest.mark.django_db
AT_ONCE = 6
ANY = ""  # any statement counts
Send = Callable[[], Any]


def confirmed_at_once(one: Send, other: Send, check: Callable[[], object]) -> None:
    """Whenever the other one is sent, both are answered, and `check` holds afterwards."""
    statuses: list[int] = []

    def both() -> None:
        statuses.append(one().status_code)
        check()

    def act() -> None:
        statuses.append(other().status_code)

    number = 1
    while number:
        _, following = answer_while(both, number, act, ANY, is_outside=True)
        assert max(statuses) < 500, number
        number = following


def browser(user: User | None = None) -> Client:
    client = Client(raise_request_exception=False)
    if user is not None:
        client.force_login(user)
    return client


def just_confirmed(user: User) -> Client:
    client = browser(user)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def link_in(mailoutbox: list[Any]) -> str:
    send_queued()
    link = re.search(r"http://testserver(\S+confirm-email\S+)", mailoutbox[-1].body)
    assert link
    return link[1]


def sign_up(client: Client, name: str = "Grace", email: str = "grace@example.org") -> Any:
    return client.post(reverse("account_signup"), {"username": name, "email": email, "password1": PASSWORD})


@pytest.mark.django_db(transaction=True)
def test_sign_ups_at_once_for_one_name_or_address_make_one_account() -> None:
    barrier = Barrier(AT_ONCE)

    def run(number: int) -> int:
        more = [{}, {"name": f"Grace{number}"}, {"email": f"grace{number}@example.org"}][number % 3]
        try:
            barrier.wait(60)
            return int(sign_up(browser(), **more).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        assert max(pool.map(run, range(AT_ONCE))) < 500
    assert User.objects.filter(username="Grace").count() <= 1
    assert User.objects.filter(email="grace@example.org").count() <= 1


def test_one_link_that_confirms_an_address_is_opened_by_two_browsers(mailoutbox: list[Any]) -> None:
    sign_up(browser())
    link = link_in(mailoutbox)

    def check() -> None:
        own = EmailAddress.objects.get(user__username="Grace")
        assert (own.verified, own.primary) == (True, True)

    confirmed_at_once(lambda: browser().post(link), lambda: browser().post(link), check)


def changed(user: User, address: str, mailoutbox: list[Any]) -> str:
    """The link that confirms a new address."""
    just_confirmed(user).post(reverse("account_email"), {"email": address, "action_add": ""})
    return link_in(mailoutbox)


def test_a_new_address_is_confirmed_by_two_browsers(mailoutbox: list[Any]) -> None:
    ada = person("Ada")
    link = changed(ada, "new@example.org", mailoutbox)

    def check() -> None:
        own = EmailAddress.objects.filter(user=ada).values_list("email", "verified", "primary").order_by("email")
        assert [*own] == [("ada@example.org", True, True), ("new@example.org", True, False)]

    confirmed_at_once(lambda: browser(ada).post(link), lambda: browser().post(link), check)


def test_an_address_that_two_accounts_confirm_is_one_s(mailoutbox: list[Any]) -> None:
    ada, ben = person("Ada"), person("Ben")
    links = [changed(who, "new@example.org", mailoutbox) for who in (ada, ben)]

    def check() -> None:
        assert EmailAddress.objects.filter(email="new@example.org", verified=True).count() == 1
        for who in (ada, ben):
            assert EmailAddress.objects.filter(user=who, verified=True, primary=True).count() == 1

    confirmed_at_once(lambda: browser(ada).post(links[0]), lambda: browser(ben).post(links[1]), check)


def test_two_new_addresses_are_asked_for_at_once() -> None:
    ada = person("Ada")
    one, other = just_confirmed(ada), just_confirmed(ada)

    def ask(client: Client, name: str) -> Any:
        return client.post(reverse("account_email"), {"email": f"{name}@example.org", "action_add": ""})

    def check() -> None:
        assert EmailAddress.objects.filter(user=ada, verified=True, primary=True).count() == 1

    confirmed_at_once(lambda: ask(one, "one"), lambda: ask(other, "one"), check)
    confirmed_at_once(lambda: ask(one, "one"), lambda: ask(other, "other"), check)


def test_an_app_is_set_up_by_two_browsers() -> None:
    ada = person("Ada")

    def ready() -> Send:
        client = just_confirmed(ada)
        page = client.get(reverse("mfa_activate_totp"))
        secret, cookies = page.context["form"].secret, deepcopy(client.cookies)

        def send() -> Any:
            client.cookies = deepcopy(cookies)  # whoever is signed out by the other one begins anew
            return client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})

        return send

    def check() -> None:
        assert sorted(Authenticator.objects.filter(user=ada).values_list("type", flat=True)) == [
            "recovery_codes",
            "totp",
        ]

    confirmed_at_once(ready(), ready(), check)


def test_recovery_codes_are_made_anew_by_two_browsers() -> None:
    ada = person("Ada")
    client = just_confirmed(ada)
    secret = client.get(reverse("mfa_activate_totp")).context["form"].secret
    client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})

    def check() -> None:
        assert Authenticator.objects.filter(user=ada, type="recovery_codes").count() == 1

    def anew() -> Any:
        return client.post(reverse("mfa_generate_recovery_codes"))

    confirmed_at_once(anew, anew, check)

    def removed() -> Any:
        return client.post(reverse("mfa_deactivate_totp"))

    confirmed_at_once(removed, removed, lambda: None)
    confirmed_at_once(removed, anew, lambda: None)


def test_a_new_password_is_set_by_one_link_in_two_browsers(mailoutbox: list[Any]) -> None:
    person("Ada")
    browser().post(reverse("account_reset_password"), {"email": "ada@example.org"})
    send_queued()
    link = re.search(r"http://testserver(\S+password/reset/key\S+)", mailoutbox[-1].body)
    assert link

    def ready() -> tuple[Client, str]:
        client = browser()
        return client, client.get(link[1])["Location"]

    (one, here), (other, there) = ready(), ready()
    send = [
        lambda client=client, path=path, word=word: client.post(path, {"password1": word, "password2": word})
        for client, path, word in ((one, here, "first battery staple"), (other, there, "second battery staple"))
    ]

    def check() -> None:
        ada = User.objects.get(username="Ada")
        assert ada.check_password("first battery staple") or ada.check_password("second battery staple")

    confirmed_at_once(send[0], send[1], check)


@pytest.mark.parametrize("other", ["ben", "carla"])
def test_the_last_seat_is_taken_by_a_link_in_two_browsers(other: str) -> None:
    """By one person twice, or by two."""
    host = plain_person("ada")
    game = lobby.create_game(host=host, name="Ours", seats=2, pace="daily", ruleset="toy", is_open=False)
    link = eyes.link_to(game.pk).removeprefix("http://testserver")
    ben, beside = (plain_person(name) for name in ("ben", other))

    def check() -> None:
        assert game.seats.count() == 2
        assert game.seats.exclude(user=host).count() == 1

    confirmed_at_once(lambda: browser(ben).post(link), lambda: browser(beside).post(link), check)
