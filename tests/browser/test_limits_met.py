"""A limit that is met is said where one is: beside what was typed, which stays, or on a page of its own."""

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from tests.browser.desk import Desk, sign_in, taken
from tests.tables import new_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live_site import LiveSite


@pytest.fixture(autouse=True)
def few(settings: Any) -> Any:
    settings.LIMITED, settings.LIMITS = True, {"message": 1, "write": 1}
    cache.clear()
    yield
    cache.clear()


def test_a_message_too_many_stays_in_its_field(live_site: "LiveSite", page: "Page") -> None:
    game = new_game("ada", "bob", pace="daily")
    sign_in(page, live_site, "ada")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{live_site.address}/games/{game.pk}/chat/")
    expect(page.locator("[data-live]")).to_have_attribute("data-link", "open")
    field, send = page.get_by_label("Message", exact=True), page.get_by_role("button", name="Send")
    field.fill("The first")
    send.click()
    expect(page.locator(".said-t")).to_have_text("The first")
    field.fill("The second")
    send.click()
    expect(page.get_by_text("The limit for chat messages by one person is 1 in 5 minutes")).to_be_visible()
    expect(field).to_have_value("The second")
    expect(page.locator(".said-t")).to_have_count(1)


def test_a_submission_too_many_says_when_beside_the_buttons(live_site: "LiveSite", page: "Page", settings: Any) -> None:
    settings.LIMITS = {"move": 0}
    game = new_game("ada", "bob", pace="daily")
    sign_in(page, live_site, "ada")
    desk = Desk(page, live_site, game).open()
    desk.type("points", 3).press("submit")
    note = page.locator("#unsaved-note")
    expect(note).to_contain_text("The limit for submissions in one game is 0 a minute, and it has been reached.")
    expect(note).to_have_text(re.compile(r"Try again in [^.]+\.$"))
    assert not taken(game, seat=0)


def test_a_form_too_many_is_answered_by_a_page_that_fits(live_site: "LiveSite", page: "Page") -> None:
    sign_in(page, live_site, "ada")
    page.set_viewport_size({"width": 390, "height": 800})
    for _ in range(2):
        page.goto(f"{live_site.address}/accounts/preferences/")
        page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Too many attempts")
    expect(page.get_by_text("The limit for changes by one person is 1 a minute")).to_be_visible()
    expect(page.get_by_text("Try again in")).to_be_visible()
    expect(page.get_by_role("link", name="To my games")).to_be_visible()
    wide = page.locator("html").evaluate("html => html.scrollWidth > html.clientWidth")
    assert not wide
