"""A stranger's first minute, in a real browser: one click, one decision, an account, and the same game."""

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from accounts.models import User
from game.store.game import Game
from game.store.log import LoggedAction
from tests.browser.desk import another_page, box_of, watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

A_GAME = re.compile(r"/games/\d+/$")


def fill_sign_up(page: "Page", name: str) -> None:
    page.locator("input[name=username]").fill(name)
    page.locator("input[name=email]").fill(f"{name.lower()}@example.org")
    page.locator("input[name=password1]").fill("correct horse battery")


def decided(game: Game) -> bool:
    return LoggedAction.objects.filter(game=game, seat=0).exclude(action=None).exists()


def test_a_stranger_plays_and_keeps_the_game_by_signing_up(live_site: "LiveSite", page: "Page") -> None:
    seen = watch(page)
    page.goto(live_site.address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(A_GAME)
    address, game = page.url, Game.objects.get()
    expect(page.locator("#sendbar")).to_have_attribute("data-state", "untouched")
    expect(page.locator("#brief")).to_contain_text("No deadline")
    page.locator("button[form=ticket][name=do][value=submit]:visible").click()
    expect(page.locator('#sendbar[data-serial="1"][data-state="untouched"]')).to_have_count(0)
    assert decided(game)
    page.locator(".masthead-end").get_by_role("button", name="Sign up and keep your games").click()
    expect(page.locator("main")).to_contain_text("are kept")
    fill_sign_up(page, "Grace")
    page.locator("main form button[type=submit]").click()
    page.wait_for_url(address)
    expect(page.locator(".masthead .me")).to_contain_text("Grace")
    assert game.seats.get(number=0).user == User.objects.get(username="Grace")
    assert not User.objects.filter(is_guest=True).exists()
    assert not seen, seen


def test_without_scripts_and_by_keyboard(live_site: "LiveSite", browser: "Browser") -> None:
    """The first button of the page is the one that one wants: from there on Enter is enough."""
    with another_page(browser, width=390, height=844, scripts=False) as page:
        page.goto(live_site.address)
        page.get_by_role("button", name="Play now").focus()
        page.keyboard.press("Enter")
        page.wait_for_url(A_GAME)
        page.locator("button[form=ticket][name=do][value=submit]:visible").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".messages")).to_be_visible()
        assert decided(Game.objects.get())


def test_a_note_covers_nothing_and_goes_when_it_is_read(live_site: "LiveSite", browser: "Browser") -> None:
    with another_page(browser, width=390, height=844) as page:
        seen = watch(page)
        page.goto(live_site.address)
        page.get_by_role("button", name="Play now").click()
        page.wait_for_url(A_GAME)
        note, bar = page.locator(".coach"), page.locator("#sendbar")
        expect(note).to_contain_text("1 of 6")
        page.locator("#coach").scroll_into_view_if_needed()
        boxes = box_of(note), box_of(bar)
        assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"], "the note ends above the buttons"
        page.locator("input[name=points]").fill("7")
        note.get_by_role("button", name="Got it").click()
        expect(note).to_have_count(0)
        expect(page.locator("input[name=points]")).to_have_value("7")
        page.reload()
        expect(note).to_have_count(0)
        assert not seen, seen
