"""Second factors, devices and sessions: what protects an account when its password is known."""

import re
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import api_tokens
from accounts.emails import send_queued
from accounts.models import User
from game.api.tokens import find_token
from game.bots import accounts
from game.delivery import webhooks
from game.outbox.models import Webhook
from game.store.moderation_models import ApprovalRequest, ModeratorAction
from tests.scenes import moderator, person
from tests.servers import free_port

pytestmark = [pytest.mark.django_db]
PASSWORD = "correct horse battery"
PERIOD = 30
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:126.0) Gecko/20100101 Firefox/126.0"


@pytest.fixture(autouse=True)
def forgotten_codes() -> None:
    cache.clear()


@pytest.fixture
def ada() -> User:
    """Here for a while."""
    User.objects.filter(pk=person("Ada").pk).update(date_joined=timezone.now() - timedelta(days=9))
    user = User.objects.get(username="Ada")
    EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"primary": True, "verified": True})
    return user


def sign_in(client: Client, name: str = "Ada", **more: Any) -> Any:
    return client.post(reverse("account_login"), {"login": name, "password": PASSWORD}, **more)


def is_in(client: Client) -> bool:
    return client.get(reverse("preferences")).status_code == 200


def code_of(secret: str, periods: int = 0) -> str:
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // PERIOD + periods)))


def protected(user: User) -> tuple[str, list[str]]:
    """An app's key and the recovery codes of an account that has them."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret, RecoveryCodes.activate(user).get_unused_codes()


def mails(mailoutbox: list[Any]) -> list[str]:
    send_queued()
    return [mail.subject for mail in mailoutbox]


@pytest.mark.parametrize("credential", ["[" * 5000, "9" * 5000])
def test_a7_no_passkey_of_a_visitor_breaks_the_site(client: Client, credential: str) -> None:
    assert client.post("/accounts/2fa/webauthn/login/", {"credential": credential}).status_code < 500


@pytest.mark.django_db(transaction=True)
def test_an_app_is_set_up_after_asking_for_the_password_again_and_the_owner_is_told(
    ada: User, client: Client, mailoutbox: list[Any]
) -> None:
    client.force_login(ada)
    page = reverse("mfa_activate_totp")
    response = client.get(page)
    assert response.status_code == 302
    assert response["Location"].startswith(reverse("account_reauthenticate"))
    client.post(response["Location"], {"password": PASSWORD})
    html = client.get(page).content.decode()
    secret = re.search(r'<code class="key">(\w+)</code>', html)
    assert secret
    assert client.post(page, {"code": "000000"}).status_code == 200
    assert not Authenticator.objects.exists()
    assert client.post(page, {"code": code_of(secret[1])}).status_code == 302
    assert {each.type for each in Authenticator.objects.filter(user=ada)} == {"totp", "recovery_codes"}
    assert mails(mailoutbox) == ["An authenticator app was set up for your Sectors account"]
    codes = client.get(reverse("mfa_view_recovery_codes")).content.decode()
    assert len(re.findall(r"^(?:<pre class=\"codes\">)?\w{8}$", codes, re.MULTILINE)) == 10


def test_a_password_alone_does_not_open_a_protected_account(ada: User, client: Client) -> None:
    secret, codes = protected(ada)
    assert sign_in(client)["Location"].startswith(reverse("mfa_authenticate"))
    assert not is_in(client)
    step = reverse("mfa_authenticate")
    assert "Enter the code" in client.get(step).content.decode()
    assert client.post(step, {"code": "000000"}).status_code == 200
    assert not is_in(client)
    used = code_of(secret)
    assert client.post(step, {"code": used}).status_code == 302
    assert is_in(client)
    for known in (used, codes[0]):
        other = Client()
        sign_in(other)
        other.post(step, {"code": known})
        assert is_in(other) is (known == codes[0]), "a code works once"
    third = Client()
    sign_in(third)
    third.post(step, {"code": codes[0]})
    assert not is_in(third), "so does a recovery code"


def redis_away(settings: Any) -> None:
    options = {"socket_connect_timeout": 1, "socket_timeout": 1}
    redis = {"BACKEND": "sectors_site.caches.LossyRedisCache", "LOCATION": f"redis://127.0.0.1:{free_port()}/0"}
    settings.CACHES = {"default": redis | {"OPTIONS": options}}


@pytest.mark.parametrize("is_redis_away", [False, True])
@pytest.mark.parametrize("period", [-1, 0, 1])
def test_a_code_counts_once_for_as_long_as_it_would_be_accepted_and_whatever_the_cache_forgets(
    ada: User, settings: Any, period: int, is_redis_away: bool
) -> None:
    if is_redis_away:
        redis_away(settings)
    secret, _ = protected(ada)
    code = code_of(secret, period)
    first, again, other = Client(), Client(), Client()
    for client, given in ((first, code), (again, code), (other, f"{code[:3]} {code[3:]}")):
        sign_in(client)
        client.post(reverse("mfa_authenticate"), {"code": given})
        cache.clear()
    assert [is_in(client) for client in (first, again, other)] == [True, False, False]
    confirmed = first.post(reverse("mfa_reauthenticate"), {"code": code})
    assert confirmed.context["form"].errors["code"]
    later = code_of(secret, period + 1)
    assert period == 1 or first.post(reverse("mfa_reauthenticate"), {"code": later}).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_the_code_that_set_an_app_up_signs_nobody_in(ada: User, client: Client) -> None:
    client.force_login(ada)
    page = reverse("mfa_activate_totp")
    client.post(client.get(page)["Location"], {"password": PASSWORD})
    secret = re.search(r'<code class="key">(\w+)</code>', client.get(page).content.decode())
    assert secret
    code = code_of(secret[1])
    assert client.post(page, {"code": code}).status_code == 302
    cache.clear()
    other = Client()
    sign_in(other)
    other.post(reverse("mfa_authenticate"), {"code": code})
    assert not is_in(other)
    other.post(reverse("mfa_authenticate"), {"code": code_of(secret[1], 1)})
    assert is_in(other)


def test_staff_come_to_the_desk_with_a_second_factor_only(client: Client, settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = True
    root = person("Root", is_staff=True, is_superuser=True)
    client.force_login(root)
    answer = client.get(reverse("admin:index"), follow=True)
    assert answer.redirect_chain == [(reverse("mfa_index"), 302)]
    assert "The desk needs a second factor" in answer.content.decode()
    secret, _ = protected(root)
    assert client.get(reverse("admin:index"))["Location"].startswith(reverse("mfa_reauthenticate"))
    client.post(reverse("mfa_reauthenticate"), {"code": code_of(secret)})
    assert client.get(reverse("admin:index")).status_code == 200


def test_a_device_new_to_the_account_is_told_to_its_owner_once(ada: User, mailoutbox: list[Any]) -> None:
    home, cafe = Client(), Client(HTTP_USER_AGENT=FIREFOX)
    for _ in range(2):
        sign_in(home)
        home.post(reverse("account_logout"))
    assert mails(mailoutbox) == ["New sign-in to your Sectors account"]
    sign_in(cafe, REMOTE_ADDR="198.51.100.7")
    assert len(mails(mailoutbox)) == 2
    told = mailoutbox[-1].body
    assert "Firefox on Windows" in told
    assert "198.51.100.7" in told
    assert reverse("usersessions_list") in told


def test_who_has_just_signed_up_is_not_told_of_their_own_device(mailoutbox: list[Any]) -> None:
    person("Grace")
    sign_in(Client(), "Grace")
    assert mails(mailoutbox) == []


def test_a_forged_list_of_devices_is_not_believed(ada: User, mailoutbox: list[Any]) -> None:
    client = Client()
    client.cookies["devices"] = f"[{ada.pk}]:x:y"
    sign_in(client)
    assert mails(mailoutbox) == ["New sign-in to your Sectors account"]


def test_sessions_are_listed_and_all_others_ended(ada: User) -> None:
    here, there = Client(HTTP_USER_AGENT=FIREFOX), Client(HTTP_USER_AGENT="There 2.0")
    sign_in(here)
    sign_in(there)
    page = here.get(reverse("usersessions_list")).content.decode()
    assert f'<span title="{FIREFOX}">Firefox on Windows</span>' in page
    assert '<span title="There 2.0">Unknown browser</span>' in page
    assert here.post(reverse("usersessions_list")).status_code == 302
    assert is_in(here)
    assert not is_in(there)
    assert "There 2.0" not in here.get(reverse("usersessions_list")).content.decode()


def test_where_no_device_is_on_record_the_page_says_so(ada: User) -> None:
    client = Client()
    client.force_login(ada)
    assert "No device is on record." in client.get(reverse("usersessions_list")).content.decode()


@pytest.mark.parametrize(("length", "has_factor", "is_taken"), [(11, False, False), (12, False, True), (8, True, True),
                                                                (7, True, False)])  # fmt: skip
def test_a_password_needs_twelve_characters_or_eight_beside_a_second_factor(
    ada: User, client: Client, length: int, has_factor: bool, is_taken: bool
) -> None:
    secret = protected(ada)[0] if has_factor else ""
    sign_in(client)
    if has_factor:
        client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    new = "zq4vm8xk2wpd7"[:length]
    answer = client.post(
        reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new}
    )
    ada.refresh_from_db()
    assert ada.check_password(new) is is_taken
    if not is_taken:
        assert f"this one has {length}" in answer.content.decode()


def test_a_short_password_that_outlives_the_second_factor_is_to_be_changed(ada: User) -> None:
    protected(ada)
    ada.set_password("zq4vm8xk")
    ada.save()
    ada.authenticator_set.all().delete()
    client = Client()
    answer = client.post(reverse("account_login"), {"login": "Ada", "password": "zq4vm8xk"})
    assert answer["Location"] == reverse("account_change_password")
    assert "a password needs 12 characters" in client.get(answer["Location"]).content.decode()


def test_whoever_changes_a_short_password_is_then_where_they_were_going(ada: User) -> None:
    ada.set_password("zq4vm8xk")
    ada.save()
    client = Client()
    given = {"login": "Ada", "password": "zq4vm8xk", "next": "/games/?page=2"}
    page = client.get(client.post(reverse("account_login"), given)["Location"]).content.decode()
    form = page.partition(f'action="{reverse("account_change_password")}"')[2].partition("</form>")[0]
    (field,) = re.findall(r'name="next" value="([^"]+)"', form)
    change = {"oldpassword": "zq4vm8xk", "password1": "correct horse staple", "password2": "correct horse staple"}
    done = client.post(reverse("account_change_password"), change | {"next": field})
    assert done["Location"] == "/games/?page=2"


@pytest.mark.parametrize("name", ["mfa_index", "usersessions_list", "mfa_view_recovery_codes", "mfa_add_webauthn"])
def test_strangers_see_none_of_it(client: Client, name: str) -> None:
    answer = client.get(reverse(name))
    assert answer.status_code == 302
    assert "/login/" in answer["Location"] or "/reauthenticate/" in answer["Location"]


def ask_to_take(desk: Client, user: User, reason: str) -> Any:
    return desk.post(reverse("admin:take_second_factor", args=[user.pk]), {"reason": reason})


def confirmed_by(who: User) -> Any:
    desk = Client()
    desk.force_login(who)
    return desk.post(reverse("admin:second", args=[ApprovalRequest.objects.latest("pk").pk, "confirm"]))


def left_open(user: User) -> Callable[[], bool]:
    """Make a token, one of a bot and a webhook, and ask whether any of them still tells something."""
    declared = accounts.Declared(["sectors"], ["daily"], 2, 8, 3)
    bot = accounts.make_bot(owner=user, name="Robbie", declared=declared)
    holders = [user, bot.user]
    texts = [api_tokens.issue(user=who, name="x", scopes=["read"], days=30, owner=user)[1] for who in holders]
    hook = webhooks.add(user=user, url="https://hooks.example.org/x")
    Webhook.objects.filter(pk=hook.pk).update(state=Webhook.State.ACTIVE)
    send_queued()

    def has_any() -> bool:
        return any(map(find_token, texts)) or Webhook.objects.exclude(state=Webhook.State.DISABLED).exists()

    assert has_any()
    return has_any


def test_two_people_take_lost_factors_away_with_a_reason_and_see_no_key(
    ada: User, client: Client, mailoutbox: list[Any]
) -> None:
    User.objects.filter(pk=ada.pk).update(language="de")
    secret, _ = protected(ada)
    root = person("Root", is_staff=True, is_superuser=True)
    client.force_login(root)
    factor = Authenticator.objects.get(user=ada, type="totp")
    page = client.get(reverse("admin:mfa_authenticator_change", args=[factor.pk])).content.decode()
    assert secret not in page
    assert factor.data["secret"] not in page
    assert client.post(reverse("admin:mfa_authenticator_delete", args=[factor.pk]), {"post": "yes"}).status_code == 403
    html = client.get(reverse("admin:take_second_factor", args=[ada.pk])).content.decode()
    assert "TOTP" in html
    assert secret not in html
    assert ask_to_take(client, ada, "").status_code == 422
    assert ask_to_take(client, ada, "lost her phone").status_code == 302
    assert confirmed_by(root).status_code == 422, "nobody confirms their own request"
    assert Authenticator.objects.filter(user=ada).count() == 2
    assert not mails(mailoutbox)
    assert confirmed_by(moderator("Second", "take_second_factor")).status_code == 302
    visitor = Client()
    sign_in(visitor)
    assert is_in(visitor)
    record = ModeratorAction.objects.get(verb="take_second_factor")
    assert (record.user, record.reason, record.details["user"]) == (root, "lost her phone", "Ada")
    assert mails(mailoutbox)[0] == "Ein Moderator hat dein Konto geändert"
    assert "lost her phone" in mailoutbox[0].body
    assert mailoutbox[0].to == [ada.email]
    assert ask_to_take(client, ada, "again").status_code == 422, "there is none left"


def test_lost_factors_are_taken_by_nobody_without_the_permission_nor_from_those_above(ada: User) -> None:
    lena, root = moderator("Lena", "take_second_factor"), person("Root", is_staff=True, is_superuser=True)
    for each in (ada, lena, root):
        protected(each)
    client = Client()
    client.force_login(moderator("Mod", "change_identity"))
    assert client.get(reverse("admin:mfa_authenticator_changelist")).status_code == 403
    assert ask_to_take(client, ada, "lost").status_code == 403
    client.force_login(lena)
    assert [ask_to_take(client, each, "lost").status_code for each in (root, lena, ada)] == [422, 422, 302]
    client.force_login(root)
    assert ask_to_take(client, lena, "lost").status_code == 302
    has_doors = left_open(lena)
    assert confirmed_by(moderator("Third", "take_second_factor")).status_code == 302
    assert not has_doors()
    assert {each.user for each in Authenticator.objects.all()} == {ada, root}


@pytest.mark.parametrize("name", ["mfa_index", "mfa_add_webauthn", "mfa_activate_totp"])
def test_a_guest_signs_up_first(client: Client, name: str) -> None:
    client.post(reverse("play_now"))
    assert client.get(reverse(name))["Location"] == reverse("account_signup")


def test_codes_are_guessed_only_so_often_and_a_right_one_counts_for_nothing(ada: User, settings: Any) -> None:
    settings.LIMITED = True
    secret, codes = protected(ada)
    for code in codes[:7]:
        client = Client()
        sign_in(client, REMOTE_ADDR="192.0.2.1")
        answer = client.post(reverse("mfa_authenticate"), {"code": code}, REMOTE_ADDR="192.0.2.1")
        assert answer.status_code == 302
    thief = Client()
    sign_in(thief, REMOTE_ADDR="192.0.2.2")
    guesses = [thief.post(reverse("mfa_authenticate"), {"code": "000000"}, REMOTE_ADDR="192.0.2.2") for _ in range(7)]
    assert [answer.status_code for answer in guesses] == [200] * 5 + [429] * 2
    assert "wrong passwords and codes for one account is 5 in 5 minutes" in guesses[-1].content.decode()
    elsewhere = Client()
    sign_in(elsewhere, REMOTE_ADDR="192.0.2.3")
    code = code_of(secret)
    assert elsewhere.post(reverse("mfa_authenticate"), {"code": code}, REMOTE_ADDR="192.0.2.3").status_code == 302
