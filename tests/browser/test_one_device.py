"""Two people at one device, in a real browser: a cover lies between them, nothing that one typed or saw is on the page
of the other, Back included, and open pages follow by themselves."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from game.lobby import lobby
from game.store.game import Game
from tests.browser.desk import Desk, another_page, box_of, sign_in, watch
from tests.browser.playing import PHONE
from tests.tables import READY, fresh, person, send

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

LED_AWAY = "Response Status Error Code 403"  # a draft on its way when the cover comes: htmx calls that an error
BID = "41"  # stands nowhere else on a board
READS_BID = re.compile(rf"(?<![\w:.]){BID}(?![\w:])")  # neither a part of a token nor the minutes of a time
SEEN = """() => [document.body.textContent, ...[...document.querySelectorAll("input, select, textarea")]
  .map((one) => one.value), document.title].join(" ")"""


@pytest.fixture
def game() -> Game:
    """Kim and Ada at Kim's device, and a bot, about to bid for influence."""
    host = person("kim")
    begun = lobby.create_game(host=host, name="At ours", seats=3, bots=1, companions=["Ada"], pace="none")
    return fresh(lobby.start_game(game_id=begun.pk, user=host))


@pytest.fixture
def device(live_site: "LiveSite", browser: "Browser", game: Game) -> Iterator[Desk]:
    with another_page(browser) as page:
        # An open page of a seat that is no longer in hand is led to the cover by a refusal.
        seen = watch(page, (403, 409))
        sign_in(page, live_site, "kim")
        yield Desk(page, live_site, game)
        assert not [line for line in seen if not line.startswith(LED_AWAY)], seen


def lift(page: "Page", name: str) -> None:
    page.get_by_role("button", name=f"I am {name}: show my board").click()
    expect(page.locator("#sendbar")).to_be_visible()
    expect(page.locator("[data-live]")).to_have_attribute("data-link", "open")


def is_covered(page: "Page") -> None:
    expect(page.locator("main.cover")).to_be_visible()
    assert page.locator("#board, #ticket, #sendbar").count() == 0


def shows_nothing_of_it(page: "Page") -> None:
    assert not READS_BID.search(page.evaluate(SEEN))


def test_nothing_of_one_seat_is_on_the_page_of_the_other(device: Desk) -> None:
    page = device.page
    device.open()
    is_covered(page)
    lift(page, "kim")
    device.type("points", BID).stands_at_draft(BID)
    device.send()
    is_covered(page)
    expect(page.locator("h1")).to_have_text("Hand the device to Ada")
    shows_nothing_of_it(page)
    page.go_back()
    is_covered(page)
    shows_nothing_of_it(page)
    page.go_forward()
    is_covered(page)
    lift(page, "Ada")
    shows_nothing_of_it(page)
    for _ in range(2):
        page.go_back()
        expect(page.locator("main")).to_be_visible()
        shows_nothing_of_it(page)
    device.open()
    for tab in ("history/", "results/", "spreadsheet/", "chat/"):
        page.goto(f"{device.address}{tab}")
        shows_nothing_of_it(page)


def test_on_a_phone_everybody_at_the_device_finds_their_button(device: Desk) -> None:
    device.page.set_viewport_size(PHONE)
    device.open()
    for name in ("kim", "Ada"):
        box = box_of(device.page.get_by_role("button", name=f"I am {name}: show my board"))
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]


def test_what_one_left_in_the_form_is_gone_when_the_device_is_handed_over(device: Desk) -> None:
    """The draft waits for its own seat, and for nobody else."""
    page = device.page
    device.open()
    lift(page, "kim")
    device.type("points", BID).stands_at_draft(BID)
    page.get_by_role("button", name="Hand the device over").click()
    is_covered(page)
    shows_nothing_of_it(page)
    lift(page, "Ada")
    shows_nothing_of_it(page)
    page.get_by_role("button", name="Hand the device over").click()
    lift(page, "kim")
    expect(device.field("points")).to_have_value(BID)


def test_open_pages_follow_the_device(device: Desk, browser: "Browser", live_site: "LiveSite") -> None:
    """A cover that lies elsewhere names the next seat by itself; a board that is open in another tab is covered."""
    page, game = device.page, device.game
    device.open()
    lift(page, "kim")
    with another_page(browser) as other:
        seen = watch(other)
        sign_in(other, live_site, "kim")
        Desk(other, live_site, game).open()
        expect(other.locator("h1")).to_have_text("Hand the device to kim")
        other.evaluate("() => { document.documentElement.dataset.marked = 'yes'; }")
        send(game, 0, READY)
        expect(other.locator("h1")).to_have_text("Hand the device to Ada")
        expect(other.locator("html[data-marked]")).to_have_count(1)
        is_covered(page)
        assert not seen, seen
    tab = page.context.new_page()
    tab.goto(device.address)
    lift(tab, "Ada")
    expect(page.locator("#sendbar")).to_be_visible()
    tab.get_by_role("button", name="Hand the device over").click()
    is_covered(tab)
    is_covered(page)
    tab.close()
