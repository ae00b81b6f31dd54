"""What is decided about an account while a form of its owner is under way stays decided: the form writes what it
changes, and nothing else of the account."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.hashers import get_hasher, make_password
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from tests.attacks.laying import undone
from tests.attacks.meanwhile import answer_while
from tests.scenes import person

pytestmark = pytest.mark.django_db
ANY = ""  # what every statement contains
MOST_STATEMENTS = 90
PASSWORD, NEW = "correct horse battery", "another battery staple"
OWN_PASSWORD = ("a forgotten password", "a new password")  # the form sets a password itself
Send = Callable[[Client, User], Any]


def choose_hours(client: Client, _: User) -> Any:
    hours = {"quiet_from": "3", "quiet_until": "4", "digest_hour": "5"}
    return client.post("/notifications/", dict.fromkeys(topics(), "now") | hours)


@cache
def topics() -> list[str]:
    """The fields of the form."""
    with undone():
        client = Client()
        client.force_login(person("Bea"))
        return re.findall(r'<select name="(\w+-\w+)"', client.get("/notifications/").content.decode())


def reset_password(client: Client, ada: User) -> Any:
    key = f"{user_pk_to_url_str(ada)}-{default_token_generator.make_token(ada)}"
    page = client.get(f"/accounts/password/reset/key/{key}/")
    return client.post(page["Location"], {"password1": NEW, "password2": NEW}) if page.has_header("Location") else page


FORMS: dict[str, Send] = {
    "preferences": lambda client, _: client.post(
        "/accounts/preferences/", {"timezone": "Europe/Berlin", "theme": "dark", "language": "en"}
    ),
    "notifications": choose_hours,
    "a forgotten password": reset_password,
    "signing in": lambda client, _: client.post(reverse("account_login"), {"login": "Ada", "password": PASSWORD}),
}
DECISIONS: dict[str, Callable[[], dict[str, Any]]] = {
    "a ban": lambda: {"banned_until": timezone.now() + timedelta(days=3)},
    "a closing": lambda: {"is_active": False},
    "powers taken": lambda: {"is_staff": False, "is_superuser": False},
    "a new address": lambda: {"email": "other@example.org"},
    "a new password": lambda: {"password": make_password(NEW)},
}
PAIRS = [(form, decision) for form in FORMS for decision in DECISIONS if (form, decision) != OWN_PASSWORD]


@pytest.mark.parametrize(("form", "decision"), PAIRS)
def test_a36_no_form_takes_back_what_is_decided_about_its_account_meanwhile(form: str, decision: str) -> None:
    ada = person("Ada", is_superuser=True, is_staff=True)
    client = Client(raise_request_exception=False)
    if form in {"preferences", "notifications"}:
        client.force_login(ada)
    if form == "signing in":  # its digest is of an earlier kind, and is replaced
        User.objects.filter(pk=ada.pk).update(password=get_hasher().encode(PASSWORD, "salt"))
    decided = DECISIONS[decision]()
    assert topics()
    moment, cookies = Moment(ada, decided), deepcopy(client.cookies)

    def send() -> None:
        client.cookies = deepcopy(cookies)
        moment.is_decided, moment.is_under_way = False, True
        assert FORMS[form](client, ada).status_code < 500
        moment.is_under_way = False
        assert not moment.is_decided or User.objects.filter(pk=ada.pk).values(*decided).get() == decided

    for number in range(1, MOST_STATEMENTS):
        answer_while(send, number, moment.decide, ANY, is_outside=True)
        if not moment.is_decided:
            assert number > 5
            return
    raise AssertionError("there are more statements")


class Moment:
    """When something is decided about somebody: between two statements of their request, or not at all."""

    def __init__(self, person: User, decided: dict[str, Any]) -> None:
        self.person, self.decided = person, decided
        self.is_under_way = self.is_decided = False

    def decide(self) -> None:
        if self.is_under_way:
            self.is_decided = True
            User.objects.filter(pk=self.person.pk).update(**self.decided)
