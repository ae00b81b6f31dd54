"""What a newcomer meets: the sign-in page, the menu of a phone, the demo table, and a console that stays quiet."""

import logging
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from accounts.sign_ins import create_link
from game.lobby import guests
from game.store.game import Game, Status
from sectors_site import logs
from tests.tables import fresh, new_game, person

pytestmark = pytest.mark.django_db


class Menu(HTMLParser):
    """The links inside the masthead's menu."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.is_inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        if tag == "details":
            self.is_inside = "menu" in (facts.get("class") or "").split()
        elif tag == "a" and self.is_inside:
            self.links.append(facts.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        self.is_inside = self.is_inside and tag != "details"


def test_the_sign_in_page_speaks_plainly(client: Client) -> None:
    page = client.get("/accounts/login/").content.decode()
    assert ("Name or email" in page, "Keep me signed in" in page) == (True, True)
    assert ("Remember Me" in page, ">Login<" in page) == (False, False)
    assert page.count('href="/accounts/password/reset/"') == 1


def test_the_sign_up_page_says_what_each_field_is_for(client: Client) -> None:
    page = client.get("/accounts/signup/").content.decode()
    assert all(words in page for words in ("What other players see.", "Email</label>", "At least 12 characters"))
    assert "placeholder" not in page


def test_a_phone_offers_everything_without_a_script(client: Client) -> None:
    client.force_login(person("ada"))
    assert Menu(client.get("/games/").content.decode()).links == ["/games/?show=open", "/games/new/", "/rules/"]


def test_the_demo_begins_when_its_player_comes_in(client: Client) -> None:
    player = guests.ensure_demo()
    game = Game.objects.get()
    assert (game.status, game.deadline_at, game.seats.count()) == (Status.WAITING, None, game.seats_wanted)
    client.get(create_link(player))
    begun = Game.objects.on_the_clock().get()
    assert begun.is_running
    assert begun.deadline_at is None, "one person against bots plays without a clock"
    version = begun.version
    client.get(create_link(player))
    assert fresh(begun).version == version
    assert guests.ensure_demo() == player
    assert Game.objects.count() == 1


def test_signing_in_starts_nobody_elses_table(client: Client) -> None:
    guests.ensure_demo()
    client.force_login(person("ada"))
    assert Game.objects.get().status == Status.WAITING


def test_a_refusal_is_no_news_for_the_console(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    configured: dict[str, Any] = logs.logging_config(plain=True, level=logging.INFO)["loggers"]
    level = configured["django.request"]["level"]
    assert level == "ERROR"
    game = new_game("ada", "bob")
    client.force_login(person("cid"))
    with caplog.at_level(level, logger="django.request"):
        assert client.post(f"/games/{game.pk}/actions/", {"do": "ready"}).status_code == 403
        assert client.post("/games/new/", {"pace": "yearly"}).status_code == 422
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
