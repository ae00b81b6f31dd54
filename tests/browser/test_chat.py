"""Two people talk: what one writes stands on the other's page at once, and on the way to it as a number."""

import re
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from game.chat.models import Mention, Notebook, ReadMark
from tests.browser.desk import another_page, sign_in, watch
from tests.tables import new_game, person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from game.store.game import Game
    from tests.live_site import LiveSite


def opened(page: "Page", site: "LiveSite", game: "Game", name: str, path: str = "chat/") -> "Page":
    """A person's page of the chat, or of the board, with its socket open."""
    sign_in(page, site, name)
    page.goto(f"{site.address}/games/{game.pk}/{path}")
    expect(page.locator("[data-live]")).to_have_attribute("data-link", "open")
    return page


def write(page: "Page", text: str) -> None:
    page.get_by_label("Message", exact=True).fill(text)
    page.get_by_role("button", name="Send").click()


def test_two_people_talk(live_site: "LiveSite", page: "Page", browser: "Browser") -> None:
    game = new_game("ada", "bob", pace="daily")
    with ExitStack() as stack:
        other, board = (stack.enter_context(another_page(browser, width=width)) for width in (390, 1440))
        seen = [watch(each) for each in (page, other, board)]
        opened(page, live_site, game, "ada")
        opened(board, live_site, game, "bob", "")
        write(page, "Shall we float ACME, @bob?")
        expect(page.locator(".said-t")).to_have_text("Shall we float ACME, @bob?")
        expect(page.get_by_label("Message", exact=True)).to_have_value("")
        expect(board.locator("[data-unread]").first).to_contain_text("1")
        expect(board).to_have_title(re.compile(r"The table \(1 new\) / Sectors$"))
        opened(other, live_site, game, "bob")
        expect(other.locator(".said--you .mention")).to_have_text("@bob")
        # What is being typed stays when a message arrives.
        other.get_by_label("Message", exact=True).fill("I am typ")
        write(page, "Or BOLT?")
        expect(other.locator(".said-t")).to_have_text(["Shall we float ACME, @bob?", "Or BOLT?"])
        expect(other.get_by_label("Message", exact=True)).to_have_value("I am typ")
        expect(board.locator("[data-unread]").first).to_be_hidden()
        other.get_by_label("Message", exact=True).press_sequentially("ing to @a")
        other.get_by_role("button", name="@ada").click()
        expect(other.get_by_label("Message", exact=True)).to_have_value("I am typing to @ada ")
        other.get_by_label("Message", exact=True).press("Control+Enter")
        expect(page.locator(".said-t").nth(2)).to_have_text("I am typing to @ada")
        expect(page.locator(".said--you")).to_have_count(1)
        assert not [line for lines in seen for line in lines]
    assert Mention.objects.count() == 2
    assert ReadMark.objects.get(user=person("bob")).number >= 2


def test_notes_are_saved_while_one_types(live_site: "LiveSite", page: "Page") -> None:
    game = new_game("ada", "bob", pace="daily")
    seen = watch(page)
    opened(page, live_site, game, "ada")
    notes = page.get_by_role("textbox", name="Your notes")
    notes.press_sequentially("ACME is too dear.")
    expect(page.locator("#notes-state")).to_contain_text("Saved")
    notes.press_sequentially(" Buy BOLT.")
    expect(page.locator("#notes-state input")).to_have_value("2")
    page.reload()
    expect(notes).to_have_value("ACME is too dear. Buy BOLT.")
    assert Notebook.objects.get().user == person("ada")
    assert not seen


@pytest.mark.parametrize("width", [390, pytest.param(1440, marks=pytest.mark.trial)])
def test_without_scripts_one_writes_and_notes_too(live_site: "LiveSite", browser: "Browser", width: int) -> None:
    game = new_game("ada", "bob", pace="daily")
    with another_page(browser, width=width, scripts=False) as plain:
        sign_in(plain, live_site, "ada")
        plain.goto(f"{live_site.address}/games/{game.pk}/")
        plain.get_by_role("banner").get_by_role("link", name="Chat").click()
        write(plain, "Hello @bob")
        expect(plain.locator(".said-t")).to_have_text("Hello @bob")
        assert plain.url.endswith("#say")
        plain.get_by_role("textbox", name="Your notes").fill("A plan.")
        plain.get_by_role("button", name="Save notes").click()
        expect(plain.get_by_role("textbox", name="Your notes")).to_have_value("A plan.")
        expect(plain.get_by_text("Notes saved.")).to_be_visible()
        plain.get_by_role("button", name="Mute").click()
        expect(plain.get_by_text("muted", exact=True)).to_be_visible()


@pytest.mark.parametrize("width", [390, 1440])
def test_the_chat_opens_beside_the_board(live_site: "LiveSite", page: "Page", browser: "Browser", width: int) -> None:
    """What is written there is sent, what others write arrives, and the mark of new messages moves nothing."""
    game = new_game("ada", "bob", pace="daily")
    with ExitStack() as stack:
        board = stack.enter_context(another_page(browser, width=width))
        seen = [watch(each) for each in (page, board)]
        opened(page, live_site, game, "ada")
        opened(board, live_site, game, "bob", "")
        link = board.locator(".masthead .chatlink")
        places = "[...document.querySelectorAll('.masthead a')].map(a => a.offsetLeft)"
        before = board.evaluate(places)
        write(page, "Shall we?")
        expect(link.locator("[data-unread]")).to_contain_text("1")
        assert board.evaluate(places) == before
        link.click()
        expect(board.locator("#talk .said-t")).to_have_text(["Shall we?"])
        expect(link.locator("[data-unread]")).to_be_hidden()
        assert board.evaluate("document.documentElement.scrollWidth <= innerWidth")
        notes = board.locator("#talk").get_by_role("textbox", name="Your notes")
        notes.press_sequentially("Buy BOLT.")
        expect(board.locator("#notes-state")).to_contain_text("Saved")
        board.get_by_label("Message", exact=True).fill("Not sure")
        write(page, "Yes or no?")
        expect(board.locator("#talk .said-t")).to_have_text(["Shall we?", "Yes or no?"])
        expect(board.get_by_label("Message", exact=True)).to_have_value("Not sure")
        board.get_by_label("Message", exact=True).press("Control+Enter")
        expect(page.locator(".said-t").nth(2)).to_have_text("Not sure")
        expect(board.get_by_label("Message", exact=True)).to_have_value("")
        board.keyboard.press("Escape")
        expect(board.locator("#talk")).to_be_hidden()
        expect(link).to_be_focused()
        assert not [line for lines in seen for line in lines]
    assert ReadMark.objects.get(user=person("bob")).number >= 2
    assert Notebook.objects.get().user == person("bob")


def test_who_plays_alone_has_notes_beside_the_board(live_site: "LiveSite", page: "Page") -> None:
    game = new_game("ada", bots=1, pace="daily")
    seen = watch(page)
    opened(page, live_site, game, "ada", "")
    page.locator(".masthead .chatlink").click()
    page.locator("#talk").get_by_role("textbox", name="Your notes").press_sequentially("Buy BOLT.")
    expect(page.locator("#notes-state")).to_contain_text("Saved")
    expect(page.locator("#say")).to_have_count(0)
    assert not seen
