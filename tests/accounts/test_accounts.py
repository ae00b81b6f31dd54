"""Signing up and in, preferences, theme, unsubscribing, and the one-click link of a private copy."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import sign_ins
from accounts.models import SignInLink, User

pytestmark = [pytest.mark.django_db]

GOOD_PASSWORD = "correct horse battery"


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("Ada", "ada@example.org", GOOD_PASSWORD)


@pytest.fixture
def signed_in(client: Client, ada: User) -> Client:
    client.force_login(ada)
    return client


def sign_up(client: Client, **changes: str) -> Any:
    fields = {"username": "Grace", "email": "grace@example.org", "password1": GOOD_PASSWORD} | changes
    return client.post(reverse("account_signup"), fields)


def test_somebody_signs_up_and_is_signed_in(client: Client, mailoutbox: list[Any]) -> None:
    assert sign_up(client).status_code == 302
    grace = User.objects.get(username="Grace")
    assert client.session["_auth_user_id"] == str(grace.pk)
    assert [message.to for message in mailoutbox] == [["grace@example.org"]], "the address is asked to confirm itself"


def test_the_address_is_confirmed_by_the_mailed_link(client: Client, mailoutbox: list[Any]) -> None:
    sign_up(client)
    path = re.search(r"http://testserver(/accounts/confirm-email/\S+/)", str(mailoutbox[0].body))
    assert path, mailoutbox[0].body
    client.post(path[1])
    assert User.objects.get(username="Grace").emailaddress_set.get().verified


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("UTC", "UTC"),
        *((zone, zone) for zone in ("EST5EDT", "Etc/GMT+5", "GMT", "CET", "Etc/UTC", "Asia/Kolkata")),
        ("localtime", "UTC"),
        ("", "UTC"),
        ("Mars/Olympus", "UTC"),
        ("../../etc/passwd", "UTC"),
        ("\0" * 99, "UTC"),
        ("x" * 9000, "UTC"),
    ],
)
def test_the_browser_s_zone_is_kept_at_sign_up_if_there_is_one(client: Client, told: str, kept: str) -> None:
    assert sign_up(client, timezone=told).status_code == 302
    grace = User.objects.get(username="Grace")
    assert (grace.timezone, grace.zone_known) == (kept, told == kept)


def test_where_nobody_named_a_zone_the_pages_say_which_one_they_use(client: Client) -> None:
    sign_up(client)
    note = f'Times are in UTC; <a href="{reverse("preferences")}">change</a>'
    room = client.post(
        "/games/new/", {"pace": "daily", "name": "Mine", "seats": "3", "bots": "0", "preset": "standard"}
    )["Location"]
    assert all(note in client.get(where).content.decode() for where in ("/games/", room))
    client.post(reverse("preferences"), {"timezone": "UTC", "theme": "auto"})
    assert not any(note in client.get(where).content.decode() for where in ("/games/", room)), "UTC was chosen"
    assert all("All times: UTC<" in client.get(where).content.decode() for where in ("/games/", room))
    client.post(reverse("preferences"), {"timezone": "America/New_York", "theme": "auto"})
    assert all("All times: New York<" in client.get(where).content.decode() for where in ("/games/", room))


@pytest.mark.parametrize("login", ["Ada", "ada@example.org", "Nobody", "nobody@example.org"])
def test_a_failed_sign_in_is_one_plain_sentence(client: Client, ada: User, login: str) -> None:
    answer = client.post(reverse("account_login"), {"login": login, "password": "wrong wrong"})
    assert "Wrong name, email or password." in answer.content.decode()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("username", "x" * 25),
        ("username", "Ada!"),
        ("username", "a@b"),
        ("username", "<b>"),
        ("username", ""),
        ("email", "nowhere"),
        ("email", ""),
        ("password1", "12345678"),
        ("password1", "short"),
    ],
)
def test_a_sign_up_that_will_not_do_is_refused(client: Client, field: str, value: str) -> None:
    assert sign_up(client, **{field: value}).status_code == 200
    assert not User.objects.exists()
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize(
    ("name", "is_welcome"),
    [
        ("Ad\u0430", False),
        ("\u0410\u0434\u0430", True),
        ("\u0391da", False),
        ("Zo\u00eb", True),
        ("\u6797\u6728", True),
    ],
)
def test_a_name_is_written_in_one_alphabet(client: Client, name: str, is_welcome: bool) -> None:
    """So that nobody sits down under a name that only looks like another's."""
    assert sign_up(client, username=name).status_code == (302 if is_welcome else 200)
    assert User.objects.filter(username=name).exists() is is_welcome


@pytest.fixture
def strict_mail(settings: Any) -> None:
    """As where mail goes out: an address is confirmed first."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def test_sign_up_does_not_tell_whether_an_address_has_an_account(
    client: Client, strict_mail: None, mailoutbox: list[Any], ada: User
) -> None:
    answers = [
        sign_up(Client(), username=name, email=email)
        for name, email in (("Grace", "grace@example.org"), ("Eve", ada.email))
    ]
    assert len({(answer.status_code, answer["Location"]) for answer in answers}) == 1
    assert not User.objects.filter(username="Eve").exists()
    assert [letter.to for letter in mailoutbox] == [["grace@example.org"], [ada.email]]
    assert "Grace" in mailoutbox[0].body
    assert "confirm-email" not in mailoutbox[1].body


def test_where_mail_goes_out_one_comes_in_after_confirming(
    client: Client, strict_mail: None, mailoutbox: list[Any]
) -> None:
    sign_up(client)
    assert client.get(reverse("preferences")).status_code == 302
    link = re.search(r"http://testserver(\S+confirm-email\S+)", mailoutbox[0].body)
    assert link
    client.post(link[1])
    client.post(reverse("account_login"), {"login": "Grace", "password": GOOD_PASSWORD})
    assert client.get(reverse("preferences")).status_code == 200


def test_the_first_moderator_confirms_the_address_and_comes_to_the_desk(
    client: Client, strict_mail: None, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", GOOD_PASSWORD)
    call_command("createsuperuser", "--noinput", username="Root", email="root@example.org", verbosity=0)
    desk, signs_in = reverse("admin:index"), {"login": "Root", "password": GOOD_PASSWORD}
    client.post(reverse("account_login"), signs_in)
    assert client.get(desk).status_code == 302
    link = re.search(r"http://testserver(\S+confirm-email\S+)", mailoutbox[0].body)
    assert link
    client.post(link[1])
    client.post(reverse("account_login"), signs_in)
    assert client.get(desk).status_code == 200


@pytest.mark.parametrize(("known", "unknown"), [("Ada", "Nobody"), ("ada@example.org", "nobody@example.org")])
def test_a16_a_failed_sign_in_takes_as_long_for_those_who_have_no_account(
    client: Client, ada: User, known: str, unknown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted in hashes, of which each takes far longer than all the rest."""
    counted: list[int] = []
    plain = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *given: counted.append(1) or plain(*given))
    hashes = []
    for login in (known, unknown):
        counted.clear()
        assert client.post(reverse("account_login"), {"login": login, "password": "wrong wrong"}).status_code == 200
        hashes.append(len(counted))
    assert hashes[0] == hashes[1] > 0


def test_too_many_attempts_are_told_when_to_come_again(client: Client, settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"sign_up": 1}
    cache.clear()
    answers = [sign_up(Client(), username=f"Flood {number}", email=f"{number}@example.org") for number in range(3)]
    assert answers[-1].status_code == 429
    assert int(answers[-1]["Retry-After"]) > 0
    html = answers[-1].content.decode()
    assert "The limit for sign-ups from your network is 1 in 5 minutes, and it has been reached." in html
    assert "Try again in 5 minutes." in html
    cache.clear()


def test_a_name_is_welcome_in_any_case(client: Client, ada: User) -> None:
    assert sign_up(client, username="ADA").status_code == 200
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("aDA", "other@example.org")


def test_an_address_has_one_account_in_any_case(ada: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("Other", "ADA@example.org")


def test_bots_share_having_no_address() -> None:
    for name in ("Bot 1", "Bot 2"):
        User.objects.create_user(name, is_bot=True)
    assert not any(bot.has_usable_password() for bot in User.objects.filter(is_bot=True))


@pytest.mark.parametrize("name", ["Ada", "ada@example.org"])
def test_one_signs_in_by_name_or_address(client: Client, ada: User, name: str) -> None:
    answer = client.post(reverse("account_login"), {"login": name, "password": GOOD_PASSWORD})
    assert answer.status_code == 302
    assert client.session["_auth_user_id"] == str(ada.pk)


def test_a_forgotten_password_is_reset_by_mail(client: Client, ada: User, mailoutbox: list[Any]) -> None:
    client.post(reverse("account_reset_password"), {"email": ada.email})
    path = re.search(r"http://testserver(/accounts/password/reset/key/\S+/)", str(mailoutbox[0].body))
    assert path, mailoutbox[0].body
    form = client.get(path[1], follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": "a quite new password", "password2": "a quite new password"})
    ada.refresh_from_db()
    assert ada.check_password("a quite new password")


@pytest.mark.parametrize(
    "where", ["/", "/games/", "/games/new/", "/accounts/preferences/", "/accounts/email/", "/rules/sectors/", "/nope/"]
)
def test_no_shared_cache_keeps_a_page_of_somebody_who_is_signed_in(signed_in: Client, where: str) -> None:
    assert "private" in signed_in.get(where)["Cache-Control"]


def test_preferences_are_kept(signed_in: Client, ada: User) -> None:
    assert signed_in.get(reverse("preferences")).status_code == 200
    answer = signed_in.post(reverse("preferences"), {"timezone": "Asia/Tokyo", "theme": "dark", "stays_ready": "on"})
    assert answer.status_code == 302
    ada.refresh_from_db()
    assert (ada.timezone, ada.theme, ada.stays_ready) == ("Asia/Tokyo", "dark", True)
    assert not ada.shortcuts


@pytest.mark.parametrize("zone", ["EST5EDT", "Etc/GMT+5", "GMT"])
def test_a_zone_without_a_city_can_be_chosen_and_stays(signed_in: Client, ada: User, zone: str) -> None:
    assert signed_in.post(reverse("preferences"), {"timezone": zone, "theme": "auto"}).status_code == 302
    page = signed_in.get(reverse("preferences")).content.decode()
    assert f'<option value="{zone}" selected>' in page
    assert '<option value="Etc/GMT+5"' + " selected" * (zone == "Etc/GMT+5") + ">UTC−5</option>" in page
    ada.refresh_from_db()
    assert (ada.timezone, ada.is_zone_assumed) == (zone, False)


@pytest.mark.parametrize("zone", ["Nowhere/Town", "../../etc/passwd", "", "America", "x" * 200, "\0"])
def test_a_zone_that_does_not_exist_is_refused(signed_in: Client, ada: User, zone: str) -> None:
    assert signed_in.post(reverse("preferences"), {"timezone": zone, "theme": "auto"}).status_code == 422
    ada.timezone = zone
    with pytest.raises(ValidationError):
        ada.full_clean()


def test_preferences_lead_to_every_other_setting(signed_in: Client, ada: User) -> None:
    page = signed_in.get(reverse("preferences")).content.decode()
    more = page.split('id="h-more"')[1].split("</section>")[0]
    names = ["mfa_index", "account_email", "my_data", "delete_account", "play_times", "households"]
    paths = [reverse(name) for name in (*names, "bots", "tokens", "webhooks")]
    assert all(f'href="{path}"' in more for path in (*paths, reverse("person", args=[ada.username])))


def test_preferences_ask_visitors_to_sign_in(client: Client) -> None:
    answer = client.get(reverse("preferences"))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))


def test_a_request_runs_in_the_readers_zone(signed_in: Client, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.filter(pk=ada.pk).update(timezone="Asia/Tokyo")
    seen: list[str] = []
    monkeypatch.setattr(
        "accounts.views.PreferencesForm.__init__", lambda *_, **__: seen.append(timezone.get_current_timezone_name())
    )
    with pytest.raises(AttributeError):
        signed_in.get(reverse("preferences"))
    assert seen == ["Asia/Tokyo"]
    assert timezone.get_current_timezone_name() == "UTC", "the next request does not inherit it"


def test_a_visitors_theme_lives_in_a_cookie(client: Client) -> None:
    answer = client.post(reverse("set_theme"), {"theme": "dark", "next": "/accounts/login/"})
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/")
    assert 'data-theme="dark"' in client.get(reverse("account_login")).content.decode()


def test_a_players_theme_lives_on_the_account(signed_in: Client, ada: User) -> None:
    assert signed_in.post(reverse("set_theme"), {"theme": "light"}, headers={"HX-Request": "true"}).status_code == 204
    ada.refresh_from_db()
    assert ada.theme == "light"


def test_the_theme_switch_leads_nowhere_else(client: Client) -> None:
    answer = client.post(reverse("set_theme"), {"theme": "dark", "next": "https://evil.example/"})
    assert answer["Location"] == "/"
    assert client.post(reverse("set_theme"), {"theme": "pink"}).status_code == 422
    assert client.get(reverse("set_theme")).status_code == 405


def test_the_link_signs_in_once(client: Client, ada: User) -> None:
    path = sign_ins.create_link(ada)
    assert client.get(path)["Location"] == "/"
    assert client.session["_auth_user_id"] == str(ada.pk)
    other = Client()
    assert other.get(path)["Location"] == reverse("account_login")
    assert "_auth_user_id" not in other.session


@pytest.mark.django_db(transaction=True)
def test_of_two_clicks_at_once_one_wins(ada: User) -> None:
    token = sign_ins.create_link(ada).split("/")[-2]

    def click(_: int) -> bool:
        try:
            return sign_ins.redeem_link(token) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as clickers:
        assert sorted(clickers.map(click, range(4))) == [False, False, False, True]


def test_a18_the_link_is_short_lived_and_only_its_digest_is_kept(client: Client, ada: User) -> None:
    path = sign_ins.create_link(ada)
    link = SignInLink.objects.get()
    assert link.digest not in path
    assert len(path.split("/")[-2]) >= 43, "256 bits"
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    client.get(path)
    assert "_auth_user_id" not in client.session


def test_a_fresh_link_sweeps_the_dead_ones_away(ada: User) -> None:
    sign_ins.create_link(ada)
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    sign_ins.create_link(ada)
    assert SignInLink.objects.count() == 1


@pytest.mark.parametrize(
    "extra",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": ""},
        {"REMOTE_ADDR": "::ffff:192.0.2.7"},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_X_FORWARDED_HOST": "127.0.0.1"},
        {"HTTP_X_FORWARDED_PROTO": "http"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"HTTP_VIA": "1.1 proxy"},
    ],
)
def test_the_link_opens_from_this_machine_only(client: Client, ada: User, extra: dict[str, str]) -> None:
    path = sign_ins.create_link(ada)
    assert client.get(path, **extra).status_code == 404  # type: ignore[arg-type]
    assert client.get(path, REMOTE_ADDR="::1").status_code == 302, "and the refusal did not use it up"


TYPED = [
    ("Ada", "hunter two"),
    ("ada@example.org", "hunter two"),
    ("Nobody", "hunter two"),
    ("hunter two", "x"),
    ("Ada", GOOD_PASSWORD),
]


def test_sign_ins_failures_and_sign_outs_are_logged_by_number_and_address(
    client: Client, ada: User, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing that was typed: people type passwords where a name belongs."""
    for login, password in TYPED:
        client.post(reverse("account_login"), {"login": login, "password": password}, REMOTE_ADDR="192.0.2.7")
    client.post(reverse("account_logout"), REMOTE_ADDR="192.0.2.7")
    sentences: list[Any] = [record.msg for record in caplog.records if record.name == "accounts.sign_in_log"]
    number, failed = ada.pk, "sign_in_failed"
    lines = [
        (failed, number),
        (failed, number),
        (failed, None),
        (failed, None),
        ("signed_in", number),
        ("signed_out", number),
    ]
    assert [(entry["event"], entry["user"]) for entry in sentences] == lines
    assert {entry["address"] for entry in sentences} == {"192.0.2.7"}
    assert not any(typed in caplog.text for typed in ("hunter", GOOD_PASSWORD, "Nobody", ada.email))


def test_the_link_opens_in_the_embedded_mode_only(client: Client, ada: User, settings: Any) -> None:
    path = sign_ins.create_link(ada)
    settings.EMBEDDED = False
    assert client.get(path).status_code == 404


def test_a_closed_account_opens_no_link(client: Client, ada: User) -> None:
    path = sign_ins.create_link(ada)
    User.objects.update(is_active=False)
    client.get(path)
    assert "_auth_user_id" not in client.session


def test_the_admin_shows_people_without_their_secrets(admin_client: Client, ada: User) -> None:
    sign_ins.create_link(ada)
    paths = (reverse("admin:accounts_user_changelist"), reverse("admin:accounts_user_change", args=[ada.pk]))
    for page in map(admin_client.get, paths):
        assert page.status_code == 200
        assert ada.password not in page.content.decode()
        assert SignInLink.objects.get().digest not in page.content.decode()


def test_staff_cannot_give_themselves_powers(client: Client, ada: User) -> None:
    from django.contrib.auth.models import Permission

    ada.is_staff = True
    ada.save()
    ada.user_permissions.set(Permission.objects.filter(content_type__app_label="accounts"))
    client.force_login(ada)
    client.post(
        reverse("admin:accounts_user_change", args=[ada.pk]),
        {"username": "Ada", "timezone": "UTC", "theme": "auto", "is_superuser": "on"},
    )
    ada.refresh_from_db()
    assert not ada.is_superuser
