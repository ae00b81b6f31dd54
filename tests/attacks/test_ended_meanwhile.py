"""A session that its owner ends from another browser while its request is under way changes nothing of the account, and
nobody signs in with what was changed meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import ApiToken, User
from game.outbox.models import PushSubscription, Webhook
from tests.accounts.test_second_factor import PASSWORD, code_of, is_in
from tests.attacks.meanwhile import After, answer_while
from tests.attacks.passkeys import Passkey
from tests.attacks.test_confirmed_twice import ANY, browser
from tests.outbox.test_push import KEY, Browser
from tests.scenes import person

pytestmark = pytest.mark.django_db
NEW, FOREIGN = "another battery staple", "a stranger's battery staple"
Send = Callable[[Client], Any]


def just_confirmed() -> Client:
    client = browser()
    signed_in(client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def signed_in(client: Client) -> Any:
    return client.post(reverse("account_login"), {"login": "Ada", "password": PASSWORD})


@pytest.fixture(autouse=True)
def offered(settings: Any) -> None:
    settings.PUSH_KEY = KEY


def changed(client: Client, new: str) -> Any:
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new, "revoke_tokens": "on"}
    return client.post(reverse("account_change_password"), form)


def set_up(client: Client) -> Any:
    page = client.get(reverse("mfa_activate_totp"))
    if page.status_code != 200:  # signed out by now, or with an address to confirm first
        return page
    return client.post(reverse("mfa_activate_totp"), {"code": code_of(page.context["form"].secret)})


def token(client: Client) -> Any:
    return client.post(reverse("new_token"), {"name": "x", "scopes": ["read"], "days": "30"})


def webhook(client: Client) -> Any:
    return client.post(reverse("new_webhook"), {"url": "https://hooks.example.org/x", "types": ["turn"]})


def shown(client: Client) -> Any:
    return client.post("/notifications/browser/allow/", Browser().told, content_type="application/json")


def address(client: Client) -> Any:
    return client.post(reverse("account_email"), {"email": "stranger@example.org", "action_add": ""})


ENDS: dict[str, Send] = {
    "a new password": lambda client: changed(client, NEW),
    "signing out elsewhere": lambda client: client.post(reverse("usersessions_list"), {"revoke_tokens": "on"}),
    "a first factor": set_up,
}
ACTS: dict[str, Send] = {
    "a token": token,
    "a webhook": webhook,
    "a browser": shown,
    "an address": address,
    "a new password": lambda client: changed(client, FOREIGN),
    "an app": set_up,
    "the end of the account": lambda client: client.post(reverse("delete_account"), {"name": "Ada"}),
}


def of_account(user: User) -> dict[str, Any]:
    """All that gives access to an account, or tells of it."""
    rows = (ApiToken, Webhook, PushSubscription, EmailAddress, Authenticator)
    rows_by_model = {row.__name__: [*row._default_manager.filter(user=user).values()] for row in rows}
    return rows_by_model | {"password": User.objects.filter(pk=user.pk).values_list("password", flat=True).first()}


class Moments:
    """What a browser sends, with what another one does between any two of its statements."""

    def __init__(self, user: User, first: Send, other: Client, second: Send) -> None:
        self.user, self.first, self.other, self.second = user, first, other, second
        self.cookies = deepcopy(other.cookies)
        self.is_under_way = self.is_done = False
        self.after_second: dict[str, Any] = {}

    def happen(self, client: Client, check: Callable[[Any], object]) -> int:
        """After how many statements at most the other browser was answered."""
        cookies, number = deepcopy(client.cookies), 1
        while True:
            client.cookies, self.other.cookies = deepcopy(cookies), deepcopy(self.cookies)
            self.is_done = False
            _, following = answer_while(
                lambda: self._send(client, check), number, self._interrupt, ANY, is_outside=True
            )
            if not self.is_done:
                return number - 1
            number = following

    def _send(self, client: Client, check: Callable[[Any], object]) -> None:
        self.is_under_way = True
        answer = self.first(client)
        self.is_under_way = False
        assert answer.status_code < 500
        check(answer)

    def _interrupt(self) -> None:
        if self.is_under_way:
            self.is_under_way, self.is_done = False, True
            assert self.second(self.other).status_code < 500
            self.after_second, self.is_under_way = of_account(self.user), True


PAIRS = [
    *((act, "a new password") for act in ACTS),
    ("a token", "a first factor"),
    ("a browser", "signing out elsewhere"),
]


@pytest.mark.parametrize(("act", "end"), PAIRS)
def test_a36_a_session_that_is_ended_meanwhile_changes_nothing(act: str, end: str) -> None:
    ada = person("Ada")
    stranger, own = just_confirmed(), just_confirmed()
    moments = Moments(ada, ACTS[act], own, ENDS[end])

    def check(_: Any) -> None:
        assert not moments.is_done or of_account(ada) == moments.after_second

    assert moments.happen(stranger, check) > 3


def test_a36_of_two_new_passwords_at_once_one_counts() -> None:
    """Also for two of one browser, as after a double click."""
    ada = person("Ada")
    one = just_confirmed()
    other = just_confirmed()
    double = Client()
    double.cookies = deepcopy(one.cookies)
    for client in (other, double):
        moments = Moments(ada, lambda client: changed(client, FOREIGN), client, lambda client: changed(client, NEW))

        def check(answer: Any, moments: Moments = moments) -> None:
            assert answer.status_code == 302
            assert not moments.is_done or User.objects.get(pk=ada.pk).password == moments.after_second["password"]

        assert moments.happen(one, check) > 1


def test_a36_nobody_signs_in_without_the_factor_that_is_set_up_meanwhile() -> None:
    ada = person("Ada")
    moments = Moments(ada, signed_in, just_confirmed(), set_up)

    def check(answer: Any) -> None:
        assert not moments.is_done or not is_in(answer.client)

    assert moments.happen(browser(), check) > 3


def test_a36_nobody_signs_in_with_the_password_that_is_changed_meanwhile() -> None:
    ada = person("Ada")
    moments = Moments(ada, signed_in, just_confirmed(), ENDS["a new password"])

    def check(answer: Any) -> None:
        assert not moments.is_done or not is_in(answer.client)

    assert moments.happen(browser(), check) > 3


def with_passkey(client: Client) -> Passkey:
    """An account's only factor, which its owner has just added."""
    passkey = Passkey()
    assert passkey.add(client)["Location"] == reverse("mfa_view_recovery_codes")
    return passkey


def removed(client: Client) -> Any:
    key = Authenticator.objects.filter(type="webauthn").first()
    return client.post(reverse("mfa_remove_webauthn", args=[key.pk if key else 0]))


def test_a_passkey_is_added_by_two_browsers_at_once() -> None:
    """Two keys: each has its own recovery codes or finds those of the other, and the second browser is signed out."""
    ada = person("Ada")
    one, other = just_confirmed(), just_confirmed()
    keys = Passkey(), Passkey(b"another passkey.")
    moments = Moments(ada, keys[0].add, other, keys[1].add)

    def check(_: Any) -> None:
        types = [*Authenticator.objects.filter(user=ada).order_by("type").values_list("type", flat=True)]
        assert types.count("recovery_codes") == 1
        assert not moments.is_done or of_account(ada) == moments.after_second

    assert moments.happen(one, check) > 3


def with_code(client: Client, secret: str) -> Any:
    """The password, and the code of the app."""
    signed_in(client)
    return client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["webauthn", "totp"])
def test_a_factor_is_removed_while_it_signs_in(kind: str) -> None:
    """Between any two statements about factors. Each time it is a new one: nothing is taken back here. Nobody meets an
    error of ours."""
    ada, number = person("Ada"), 1
    while True:
        secret, passkey = generate_totp_secret(), Passkey()
        if kind == "totp":
            TOTP.activate(ada, secret)
        else:
            own = just_confirmed()
            passkey.add(own)
        client = browser()
        change = After(number, Authenticator.objects.all().delete, Authenticator._meta.db_table, is_outside=True)
        with connection.execute_wrapper(change):
            answer = with_code(client, secret) if kind == "totp" else passkey.sign_in(client)
        assert answer.status_code < 500, number
        if not change.is_done:
            assert number > 3
            assert is_in(client)
            return
        Authenticator.objects.all().delete()
        number = change.acted_at + 1


def test_a_passkey_signs_in_two_browsers_at_once_and_is_removed_once() -> None:
    ada = person("Ada")
    own = just_confirmed()
    passkey = with_passkey(own)
    moments = Moments(ada, passkey.sign_in, browser(), passkey.sign_in)
    assert moments.happen(browser(), lambda answer: None) > 3
    again = Client()
    again.cookies = deepcopy(own.cookies)
    moments = Moments(ada, removed, again, removed)

    def check(answer: Any) -> None:
        assert not Authenticator.objects.filter(user=ada).exists()

    assert moments.happen(own, check) > 1
