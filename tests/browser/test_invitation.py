"""A host sends the link of a game by invitation, and a guest comes in by it."""

from typing import TYPE_CHECKING

import pytest

from game.lobby import lobby
from tests.scenes import person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

pytestmark = [pytest.mark.django_db(transaction=True)]


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
    guest.get_by_role("button", name="Sign in to take a seat").click()
    sign_in(guest, "Bob")
    guest.get_by_role("button", name="Take a seat").click()
    guest.get_by_text("Bob (you)").wait_for()
    page.get_by_text("2 of 3 taken").wait_for()
    page.get_by_role("button", name="Remove Bob").click()
    guest.get_by_role("heading", name="There is no such page").wait_for()
    assert page.get_by_label("Invitation link").input_value() != link
    guest.context.close()


def test_a_host_invites_by_name_and_the_invited_answer_on_a_phone_without_scripts(
    live_site: "LiveSite", page: "Page", browser: "Browser"
) -> None:
    """The host's list changes by itself; whom it names needs no link."""
    game = lobby.create_game(host=person("Ada"), name="The Tuesday Consortium", seats=3, is_open=False)
    person("Bob")
    person("Cleo")
    page.goto(f"{live_site.address}/accounts/login/?next={game.get_absolute_url()}")
    sign_in(page, "Ada")
    for name in ("Bob", "cleo"):
        page.get_by_label("Name of a player").fill(name)
        page.get_by_role("button", name="Invite", exact=True).click()
        page.get_by_role("button", name=f"Withdraw the invitation of {name.capitalize()}").wait_for()
    for name in ("Bob", "Cleo"):
        phone = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
        guest = phone.new_page()
        guest.goto(f"{live_site.address}/accounts/login/?next=/games/")
        sign_in(guest, name)
        guest.get_by_role("heading", name="Invitations").wait_for()
        if name == "Bob":
            guest.get_by_role("button", name="Decline The Tuesday Consortium").click()
            guest.get_by_role("heading", name="No decisions to make").wait_for()
            page.get_by_text("declined").wait_for()
        else:
            guest.get_by_role("link", name="The Tuesday Consortium").click()
            guest.get_by_text("Ada invites you to this game").wait_for()
            guest.get_by_role("button", name="Take a seat").click()
            guest.get_by_text("Cleo (you)").wait_for()
            page.get_by_text("2 of 3 taken").wait_for()
            page.get_by_role("button", name="Withdraw the invitation of Cleo").wait_for(state="detached")
        phone.close()
