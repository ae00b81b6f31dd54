"""A person signs up and creates a game with a bot, a friend joins on a phone, and both play it to the final standings
by clicking only."""

import re
import time
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from accounts.models import User
from game.store.game import Game, Status
from tests.browser.desk import Desk, another_page, watch
from tests.browser.playing import PHONE, SECONDS, WIDER, play, seated
from tests.servers import Mailbox

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite


def test_two_people_and_a_bot_play_a_whole_game(
    live_site: "LiveSite", browser: "Browser", page: "Page", mailbox: Mailbox, settings: Any
) -> None:
    """Grace at a wide and dark screen, ada on a light phone."""
    settings.EXTRA_CHOICES = {"max_turns": (1,)}
    page.emulate_media(color_scheme="dark")
    with another_page(browser, **PHONE) as phone:
        seen, seen_too = watch(page), watch(phone)
        sign_up(page, live_site, mailbox)
        create_game(page)
        game = Game.objects.get(name="The short one")
        ada = Desk(seated(phone, live_site, "ada", "light"), live_site, game)
        phone.goto(ada.address)
        phone.get_by_role("button", name="Take a seat").click()
        expect(page.locator("#room")).to_contain_text("3 of 3 taken")
        page.locator("#room").get_by_role("button", name=re.compile("Start")).click()
        expect(page.locator("#ticket")).to_be_visible()
        desks = Desk(page, live_site, game).open(), ada.open()
        result = play(*desks, look=fits)
        assert {"influence_bid", "stock_orders", "company_vote"} <= result
        game.refresh_from_db()
        assert (game.status, game.turn) == (Status.FINISHED, 1)
        for desk, name in zip(desks, ("Grace", "ada"), strict=True):
            sees_the_end(desk, name)
        assert not seen, seen
        assert not seen_too, seen_too


def fits(desk: Desk) -> None:
    assert desk.page.evaluate(WIDER) <= 0


def sees_the_end(desk: Desk, name: str) -> None:
    """The standings name the reader's own place and net worth."""
    desk.sees("#standings", "Net worth")
    mine = desk.page.locator("#standings tr.you")
    seat = desk.game.seats.get(user=User.objects.get(username=name))
    expect(mine).to_contain_text("You")
    expect(mine.locator(".final-rank")).to_have_text(str(seat.place))
    expect(mine).to_contain_text(f"{seat.score:,}")
    expect(desk.page.locator("#brief-t")).to_contain_text(re.compile("win|share"))


def sign_up(page: "Page", site: "LiveSite", mailbox: Mailbox) -> None:
    page.goto(f"{site.address}/")
    page.get_by_role("button", name="Sign up").first.click()
    page.locator("input[name=username]").fill("Grace")
    page.locator("input[name=email]").fill("grace@example.org")
    page.locator("input[name=password1]").fill("correct horse battery")
    page.locator("main").get_by_role("button", name="Sign up").click()
    page.wait_for_url(f"{site.address}/")
    with site.ticking():
        latest = time.monotonic() + SECONDS
        while not mailbox.messages and time.monotonic() < latest:
            page.wait_for_timeout(50)
    letter = mailbox.messages[0].get_body(("plain",)).get_content()
    page.goto(re.search(r"http\S+/confirm-email/\S+", letter)[0])  # type: ignore[index]
    page.get_by_role("button", name="Confirm address").click()
    page.locator(".messages").get_by_text("confirmed").wait_for()


def create_game(page: "Page") -> None:
    """A table of three, of which one is a bot, for one turn."""
    page.get_by_role("link", name=re.compile("create|new", re.IGNORECASE)).first.click()
    page.get_by_text("Or choose: Relaxed").click()
    page.locator("input[name=pace][value=demo]").check()
    page.locator("[name=name]").fill("The short one")
    page.locator("[name=seats][value='3']").check(force=True)
    page.locator("select[name=bots]").select_option("1")
    page.locator("summary").get_by_text("All rules").click()
    page.locator("select[name=max_turns]").select_option("1")
    page.get_by_role("button", name="Create the game").click()
    page.locator("#room").wait_for()
