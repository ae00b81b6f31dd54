"""Mail that is written as text: its HTML part is in the layout of the mails about games and says the same."""

import re
from email import message_from_bytes, policy
from html import unescape
from pathlib import Path
from typing import Any

import allauth
import pytest
from allauth.account.adapter import get_adapter
from allauth.core.context import request_context
from django.conf import settings as site
from django.template.loader import get_template
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts import api_tokens
from accounts.emails import Letter, render_html
from accounts.languages import override_language
from accounts.models import User, WaitingMail
from game.delivery import webhooks
from game.moderation import emails
from tests.scenes import moderator, person
from tests.tables import new_game

BUTTON = {"en": "Open the page", "de": "Seite öffnen"}


def words_of(page: str) -> list[str]:
    """What a reader sees of a page, without the name of the site and the button's label."""
    body = page.split("</div>", 1)[1]
    seen = unescape(re.sub(r"<[^>]+>", " ", body)).split()
    assert seen[0] == "Sectors"
    return seen[1:]


def without_button(words: list[str], language: str) -> list[str]:
    return " ".join(words).replace(f"{BUTTON[language]} ", "", 1).split()


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de"])
def test_both_parts_of_a_mail_about_an_account_say_the_same(language: str, settings: Any) -> None:
    ada = person("ada")
    User.objects.filter(pk=ada.pk).update(language=language)
    ada.refresh_from_db()
    visitor = Client(headers={"accept-language": language})
    for address in (ada.email, "nobody@example.org"):
        visitor.post(reverse("account_reset_password"), {"email": address})
    visitor.post(
        reverse("account_signup"), {"username": "Gry", "email": "gry@example.org", "password1": "long enough 1"}
    )
    api_tokens.issue(user=ada, name="<b>My bot</b>", scopes=["read"], days=30)
    webhooks.add(user=ada, url="https://hooks.example.org/sectors")
    mails = list(WaitingMail.objects.all())
    assert len(mails) == 5
    for each in mails:
        assert f'<html lang="{language}">' in each.page
        assert without_button(words_of(each.page), language) == f"{each.subject} {each.text}".split()
        assert f'href="{settings.SITE_URL}/' in each.page


TOLD = re.compile(r'"((?:account|mfa)/(email|messages)/\w+)')
SWITCHED_OFF = re.compile("login_code|password_set|password_reset_code|phone_")
NOTICES = (
    *("password_changed", "password_reset", "email_changed", "email_deleted"),
    *("totp_activated", "totp_deactivated", "recovery_codes_generated", "webauthn_added", "webauthn_removed"),
)


def told_by_allauth() -> set[tuple[str, str]]:
    """What the package has to say, and whether by mail or on a page."""
    package = Path(allauth.__file__).parent
    sources = [each for name in ("account", "mfa") for each in (package / name).rglob("*.py")]
    return {found for each in sources if "tests" not in each.parts for found in TOLD.findall(each.read_text())}


def test_all_that_allauth_says_is_said_in_our_words() -> None:
    both = {"email": ("_subject", "_message"), "messages": ("",)}
    result = sorted(each for each in told_by_allauth() if not SWITCHED_OFF.search(each[0]))
    parts = [f"{name}{part}.txt" for name, way in result for part in both[way]]
    assert {f"account/email/{name}_subject.txt" for name in NOTICES[:4]} < set(parts)
    ours = site.BASE_DIR / "templates"
    assert [part for part in parts if not Path(get_template(part).origin.name).is_relative_to(ours)] == []


@pytest.mark.django_db
@pytest.mark.parametrize("name", NOTICES)
def test_a_notice_names_the_site_the_time_and_the_way_to_the_sessions(name: str, settings: Any) -> None:
    ada, facts = person("ada"), {"from_email": "a@example.org", "to_email": "b@example.org", "deleted_email": "c@x.org"}
    prefix = f"account/email/{name}" if name in NOTICES[:4] else f"mfa/email/{name}"
    request = RequestFactory().get("/", headers={"user-agent": "Firefox/126.0 Windows"})
    for language in ("en", "de"):
        with override_language(language), request_context(request):
            get_adapter().send_notification_mail(prefix, ada, facts)
    english, german = WaitingMail.objects.order_by("pk")
    for each in (english, german):
        assert "Sectors" in each.subject
        assert re.search(r"\d{4}, \d\d:\d\d \w* ?\((UTC time|Zeitzone UTC)\)", each.text)
        assert each.text.endswith(f"{settings.SITE_URL}/accounts/sessions/")
        assert not re.search(r"\b(Sie|Ihre?)\b", each.text)
        assert f'href="{settings.SITE_URL}/accounts/sessions/"' in each.page
    assert not {*english.subject.split()} & {*german.subject.split()} - {"Sectors"}


@pytest.mark.django_db
def test_staff_read_in_both_parts_that_a_game_is_on_hold() -> None:
    moderator("Lena", is_superuser=True)
    emails.email_hold(game=new_game("ada", "bob"))
    each = WaitingMail.objects.get()
    assert without_button(words_of(each.page), "en") == f"{each.subject} {each.text}".split()


def test_only_addresses_of_the_site_become_links(settings: Any) -> None:
    first, second = f"{settings.SITE_URL}/a/", f"{settings.SITE_URL}/b/"
    text = f"Hello,\nhttps://elsewhere.example/{first}\n\nIt is here: {first}\n\n- one\n- two\n\n{second}"
    page = render_html(subject="x", text=text)
    assert re.findall(r'class="(\w+)" href="([^"]*)"', page) == [("bt", first), ("lk", first), ("lk", second)]
    assert without_button(words_of(page), "en") == f"x {text}".split()
    assert re.search(r"- one<br>\s*- two", page)


@pytest.mark.parametrize(
    "subject", ["Bürgermeister " * 6, "Ihr Zug in " + "ü" * 60, "Your turn in " + "x" * 80, "x" * 75, "Your turn " * 12]
)
def test_a_long_subject_begins_beside_its_name(subject: str) -> None:
    written = Letter(subject.strip(), "text", to=["ada@example.org"]).message().as_bytes()
    field = written[written.index(b"Subject:") :].splitlines()
    assert re.match(rb"Subject: \S", field[0])
    assert max(map(len, field)) <= 78
    assert message_from_bytes(written, policy=policy.default)["Subject"] == subject.strip()
