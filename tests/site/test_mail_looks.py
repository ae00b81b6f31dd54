"""Mail that is written as text: its HTML part is in the layout of the mails about games and says the same."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import api_tokens, letters
from accounts.models import User, WaitingMail
from game.services import staff_mail, webhooks
from tests.site.tables import moderator, person
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


@pytest.mark.django_db
def test_staff_read_in_both_parts_that_a_game_is_on_hold() -> None:
    moderator("Lena", is_superuser=True)
    staff_mail.tell_of_hold(game=new_game("ada", "bob"))
    each = WaitingMail.objects.get()
    assert without_button(words_of(each.page), "en") == f"{each.subject} {each.text}".split()


def test_only_addresses_of_the_site_become_links(settings: Any) -> None:
    first, second = f"{settings.SITE_URL}/a/", f"{settings.SITE_URL}/b/"
    text = f"Hello,\nhttps://elsewhere.example/{first}\n\nIt is here: {first}\n\n- one\n- two\n\n{second}"
    page = letters.page_of(subject="x", text=text)
    assert re.findall(r'class="(\w+)" href="([^"]*)"', page) == [("bt", first), ("lk", first), ("lk", second)]
    assert without_button(words_of(page), "en") == f"x {text}".split()
    assert re.search(r"- one<br>\s*- two", page)
