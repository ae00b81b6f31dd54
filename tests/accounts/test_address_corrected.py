"""Who mistyped their address at sign-up signs up again with the same name and password, in any browser."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from accounts.models import User, WaitingMail
from tests.scenes import person

pytestmark = [pytest.mark.django_db]
PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def asks_to_confirm(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def sign_up(address: str, *, name: str = "Tim", password: str = PASSWORD, client: Client | None = None) -> Any:
    fields = {"username": name, "email": address, "password1": password}
    return (client or Client()).post(reverse("account_signup"), fields)


def link_sent_to(address: str) -> str:
    text = WaitingMail.objects.filter(recipient=address).latest("pk").text
    (link,) = re.findall(r"/accounts/confirm-email/\S+", text)
    return str(link)


def sign_in(password: str = PASSWORD) -> Any:
    return Client().post(reverse("account_login"), {"login": "Tim", "password": password})


def test_the_right_address_takes_the_place_of_the_mistyped_one() -> None:
    sign_up("tim@exmaple.org")
    answer = sign_up("tim@example.org")
    assert answer["Location"] == reverse("account_email_verification_sent")
    tim = User.objects.get()
    assert (tim.username, tim.email) == ("Tim", "tim@example.org")
    assert [address.email for address in EmailAddress.objects.all()] == ["tim@example.org"]
    Client().post(link_sent_to("tim@example.org"))
    assert EmailAddress.objects.get().verified
    assert sign_in()["Location"] == "/"


def test_the_link_to_the_mistyped_address_confirms_nothing() -> None:
    sign_up("tim@exmaple.org")
    link = link_sent_to("tim@exmaple.org")
    sign_up("tim@example.org")
    assert "already used, has expired" in Client().get(link).content.decode()
    assert Client().post(link).status_code == 404
    assert not EmailAddress.objects.filter(verified=True).exists()


def test_the_page_says_how() -> None:
    client = Client()
    sign_up("tim@exmaple.org", client=client)
    for page in (client.get(reverse("account_email_verification_sent")), Client().get(sign_in()["Location"])):
        assert f'<a href="{reverse("account_signup")}">Sign up again</a>' in page.content.decode()
    assert client.get(reverse("account_signup")).status_code == 200, "in the same browser too"


def test_the_same_address_again_is_sent_its_link_again() -> None:
    sign_up("tim@example.org")
    tim = User.objects.get()
    assert sign_up("tim@example.org")["Location"] == reverse("account_email_verification_sent")
    assert User.objects.get() == tim
    assert EmailAddress.objects.get().email == "tim@example.org"


def test_nobody_without_the_password_changes_anything() -> None:
    sign_up("tim@example.org")
    answer = sign_up("mallory@example.org", password="another long guess")
    assert answer.status_code == 200
    assert "already exists" in answer.content.decode()
    assert [address.email for address in EmailAddress.objects.all()] == ["tim@example.org"]


def test_guesses_count_as_at_sign_in(settings: Any) -> None:
    sign_up("tim@example.org")
    settings.LIMITED, settings.LIMITS = True, {"guess_here": 2}
    answers = [sign_up("m@example.org", password=f"a long guess {n}").status_code for n in range(3)]
    assert answers == [200, 200, 429]
    assert sign_in().status_code == 429


def test_a_confirmed_account_is_signed_up_for_by_nobody() -> None:
    person("Tim")
    answer = sign_up("other@example.org")
    assert "already exists" in answer.content.decode()
    assert User.objects.get().email == "tim@example.org"


def test_an_address_of_another_account_is_not_taken_over() -> None:
    """The answer is as for any other; the owner of the address is told."""
    person("Grace")
    sign_up("tim@exmaple.org")
    assert sign_up("grace@example.org")["Location"] == reverse("account_email_verification_sent")
    assert User.objects.get(username="Tim").email == "tim@exmaple.org"


def test_an_account_that_was_confirmed_meanwhile_keeps_its_address() -> None:
    from accounts.sign_ups import correct_address

    sign_up("tim@example.org")
    tim = User.objects.get()
    EmailAddress.objects.update(verified=True)
    correct_address(tim, "other@example.org")
    assert User.objects.get().email == "tim@example.org"
