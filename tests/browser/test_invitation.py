"""A host sends the link of a game by invitation, and a guest comes in by it."""

from typing import TYPE_CHECKING

import pytest

from game.services import lobby
from tests.site.tables import person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded]


def sign_in(page: "Page", name: str) -> None:
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill("correct horse battery")
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()


def test_a_link_is_copied_and_leads_through_the_sign_in_to_a_seat(
    live_site: "LiveSite", page: "Page", browser: "Browser"
) -> None:
    game = lobby.create_game(host=person("Ada"), name="The Tuesday Consortium", seats=3, is_open=False)
    person("Bob")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{live_site.address}/accounts/login/?next={game.get_absolute_url()}")
    sign_in(page, "Ada")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.get_by_label("Invitation link").input_value()
    guest = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    guest.goto(link)
    guest.get_by_role("link", name="Sign in to take a seat").click()
    sign_in(guest, "Bob")
    guest.get_by_role("button", name="Take a seat").click()
    guest.get_by_text("Bob (you)").wait_for()
    page.get_by_text("2 of 3 taken").wait_for()
    page.get_by_role("button", name="Remove Bob").click()
    guest.get_by_role("heading", name="There is no such page").wait_for()
    assert page.get_by_label("Invitation link").input_value() != link
    guest.context.close()
