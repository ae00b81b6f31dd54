"""Sign-ups that nobody confirms are not kept."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import update_last_login
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from game import tasks
from tests.scenes import moderator, person

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def asks_to_confirm(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def sign_up(name: str) -> User:
    fields = {"username": name, "email": f"{name}@example.org", "password1": "correct horse battery"}
    Client().post(reverse("account_signup"), fields)
    return User.objects.get(username=name)


def days_pass(days: float) -> None:
    for user in User.objects.all():
        User.objects.filter(pk=user.pk).update(date_joined=user.date_joined - timedelta(days=days))


def those_left() -> set[str]:
    tasks.remove_idle_guests()
    return set(User.objects.values_list("username", flat=True))


def test_a_sign_up_that_nobody_confirms_is_deleted_after_seven_days() -> None:
    sign_up("grace")
    days_pass(6.9)
    assert those_left() == {"grace"}
    days_pass(0.2)
    assert those_left() == set()
    assert not EmailAddress.objects.exists()
    assert sign_up("grace"), "name and address are free again"


def test_one_that_cannot_be_deleted_does_not_block_the_others() -> None:
    stuck = sign_up("stuck")
    sign_up("grace")
    days_pass(8)

    def fail_for_one(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("DELETE", "UPDATE")) and '"accounts_user"' in sql and stuck.pk in params:
            raise OperationalError("not this row")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(fail_for_one):
        assert those_left() == {"stuck"}
    assert those_left() == set(), "the next round removes it"


def test_whoever_confirmed_the_address_or_has_signed_in_stays() -> None:
    sign_up("forgetful")
    EmailAddress.objects.filter(user=sign_up("confirmed")).update(verified=True)
    moved = sign_up("moved")  # signed in once, and has since entered an address that is not confirmed yet
    update_last_login(None, moved)
    days_pass(400)
    assert those_left() == {"confirmed", "moved"}


def test_staff_and_accounts_without_an_address_stay() -> None:
    EmailAddress.objects.filter(user=person("ada")).delete()
    EmailAddress.objects.filter(user=moderator("Ina")).update(verified=False)
    days_pass(400)
    assert those_left() == {"ada", "Ina"}


def test_one_confirmed_address_of_two_is_enough() -> None:
    grace = sign_up("grace")
    EmailAddress.objects.create(user=grace, email="g@example.org", verified=True)
    days_pass(8)
    assert those_left() == {"grace"}
