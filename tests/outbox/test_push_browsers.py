"""The browsers that show somebody notifications: their owner hears of a new one, sees all of them, and is rid of them
with everything else that others may have of an account."""

from typing import Any

import pytest
from allauth.account.signals import password_reset
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from accounts.models import User
from game.outbox import push_subscriptions
from game.outbox.models import PushSubscription
from game.people.account_deletion import revoke_access
from tests.attacks.test_factors import set_up_app
from tests.outbox.test_push import KEY, Browser, allowed
from tests.scenes import person
from tests.tables import confirmed

pytestmark = [pytest.mark.django_db]
PASSWORD = "correct horse battery"
SAFER = {"oldpassword": PASSWORD, "password1": "another horse 42", "password2": "another horse 42"}
NEW_PASSWORD, SESSIONS = reverse("account_change_password"), reverse("usersessions_list")
LISTED, TOLD = "/notifications/", "Browsers no longer show you notifications."


@pytest.fixture(autouse=True)
def offered(settings: Any) -> None:
    settings.PUSH_KEY = KEY


@pytest.fixture
def ada() -> User:
    return person("Ada")


def signed_in(user: User) -> Client:
    client = Client()
    client.post(reverse("account_login"), {"login": user.username, "password": PASSWORD})
    return client


def allow_at(user: User, endpoint: str) -> None:
    push_subscriptions.allow(user=user, endpoint=endpoint, **Browser().told["keys"])


def test_the_owner_is_told_of_a_new_browser_once(ada: User, mailoutbox: Any) -> None:
    for _ in range(2):
        allow_at(ada, "https://updates.push.services.mozilla.com/wpush/v2/secret")
    (mail,) = mailoutbox
    assert (mail.subject, mail.to) == ("A new browser shows your notifications", [ada.email])
    assert "\nFirefox\n" in mail.body
    assert mail.body.strip().endswith("/notifications/")
    assert "secret" not in mail.body


def test_a_session_that_was_left_open_allows_no_browser(ada: User, mailoutbox: Any) -> None:
    client = Client()
    client.force_login(ada)
    told, allow = Browser().told, "/notifications/browser/allow/"
    answer = client.post(allow, told, content_type="application/json")
    assert answer.status_code == 401
    way = answer.json()["confirm"]
    assert way == reverse("account_reauthenticate")
    assert not PushSubscription.objects.exists()
    assert not mailoutbox
    back = client.post(way, {"password": PASSWORD})
    assert back["Location"] == "/notifications/#allow"
    assert client.post(allow, told, content_type="application/json").status_code == 200
    assert PushSubscription.objects.get().user == ada


def test_a_browser_in_which_somebody_signs_out_shows_nothing_more(ada: User) -> None:
    """Another one, in which they stay signed in, does; one from before sessions were kept may be either."""
    here, there = Client(), Client()
    for client, browser in ((here, Browser()), (there, Browser("other"))):
        client.force_login(ada)
        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        assert (
            client.post("/notifications/browser/allow/", browser.told, content_type="application/json").status_code
            == 200
        )
    allow_at(ada, "https://updates.push.services.mozilla.com/wpush/v2/of-old")
    here.post(reverse("account_logout"))
    assert PushSubscription.objects.get().endpoint == Browser("other").told["endpoint"]
    here.force_login(ada)
    assert Browser().told["endpoint"] not in here.get("/notifications/").content.decode()


def test_a_person_allows_so_many_new_browsers_a_day(ada: User, settings: Any) -> None:
    """One that is allowed already may be allowed again, and one that was removed counts as new."""
    settings.LIMITED, settings.LIMITS = True, {"browser": 2}
    client, allow = confirmed(ada, PASSWORD), "/notifications/browser/allow/"
    for told in (first := Browser().told, first, Browser("other").told):
        assert client.post(allow, told, content_type="application/json").status_code == 200
    push_subscriptions.forget_all(user=ada)
    refused = client.post(allow, first, content_type="application/json")
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/json")
    assert "browsers newly allowed to show notifications is 2 a day" in refused.json()["detail"]
    assert int(refused["Retry-After"]) > 0
    assert not PushSubscription.objects.exists()


def test_a_guest_allows_no_browser() -> None:
    guest = Client()
    guest.post("/play/")
    answer = guest.post("/notifications/browser/allow/", Browser().told, content_type="application/json")
    assert answer.status_code == 422
    assert answer.json()["detail"] == "Only people with an account can allow notifications."


def test_who_takes_a_browser_over_is_told_of_it(ada: User, mailoutbox: Any) -> None:
    ben = person("Ben")
    for user in (ada, ben):
        allow_at(user, "https://push.example.org/x")
    assert [mail.to for mail in mailoutbox] == [[ada.email], [ben.email]]


def test_the_list_names_each_browser_and_its_owner_removes_it(ada: User) -> None:
    client, ben = signed_in(ada), person("Ben")
    assert "No browser shows you notifications." in client.get(LISTED).content.decode()
    for host in ("web.push.apple.com", "fcm.googleapis.com", "notfcm.googleapis.com.evil.example"):
        allow_at(ada, f"https://{host}/x")
    allow_at(ben, "https://ben.example.org/x")
    html = client.get(LISTED).content.decode()
    for name in ("Safari, since ", "Chrome or a browser like it, since ", "notfcm.googleapis.com.evil.example, since "):
        assert f"<span>{name}" in html
    assert "ben.example.org" not in html
    apple, foreign = ada.push_subscriptions.first(), ben.push_subscriptions.get()
    assert apple is not None
    for place in (apple, foreign):
        answer = client.post(reverse("remove_browser", args=[place.pk]), follow=True)
    assert "The browser is removed." in answer.content.decode()
    assert "Safari" not in answer.content.decode()
    assert set(PushSubscription.objects.values_list("user__username", flat=True)) == {"Ada", "Ben"}
    assert ada.push_subscriptions.count() == 2


def test_the_page_of_a_browser_is_answered_with_the_list(ada: User) -> None:
    browser, client = allowed(ada), signed_in(ada)
    fields = {"endpoint": browser.endpoint}
    assert f'data-endpoint="{browser.endpoint}"' in client.get(LISTED).content.decode()
    answer = client.post("/notifications/browser/stop/", fields, content_type="application/json")
    assert "No browser shows you notifications." in answer.content.decode()


@pytest.mark.parametrize(("page", "form"), [(NEW_PASSWORD, SAFER), (SESSIONS, {})])
def test_a_new_password_and_signing_out_everywhere_forget_all_browsers(
    ada: User, page: str, form: dict[str, str]
) -> None:
    ben = person("Ben")
    for number, user in enumerate((ada, ada, ben)):
        allow_at(user, f"https://push.example.org/{number}")
    client = signed_in(ada)
    assert TOLD in client.post(page, form, follow=True).content.decode()
    assert [place.user for place in PushSubscription.objects.all()] == [ben]
    again = SAFER | {"oldpassword": SAFER["password1"], "password1": PASSWORD, "password2": PASSWORD}
    assert TOLD not in client.post(page, again if form else {}, follow=True).content.decode(), "there was none"


def test_a_reset_password_forgets_all_browsers(ada: User) -> None:
    allow_at(ada, "https://push.example.org/x")
    password_reset.send(User, request=None, user=ada)
    assert not PushSubscription.objects.exists()


def test_whoever_moderators_shut_out_keeps_no_browser(ada: User) -> None:
    allow_at(ada, "https://push.example.org/x")
    revoke_access(ada)
    assert not PushSubscription.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_first_factor_forgets_all_browsers(ada: User) -> None:
    """It ends the other sessions, which may have allowed one."""
    client = signed_in(ada)
    allow_at(ada, "https://push.example.org/x")
    set_up_app(client)
    assert Authenticator.objects.filter(user=ada).exists()
    assert not PushSubscription.objects.exists()
