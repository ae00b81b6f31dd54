"""A person signs up, creates a game with bots, and plays it to the final standings by clicking only."""

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from accounts.models import User
from game.models import Game, Status
from tests.browser.desk import Desk, watch
from tests.servers import Mailbox

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.embedded

MOST_DECISIONS = 80
SECONDS = 60_000  # the bots' answers, on a busy machine


def test_a_person_signs_up_and_plays_a_whole_game(
    live_site: "LiveSite", page: "Page", mailbox: Mailbox, settings: Any
) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (1, 2, 3)}
    seen = watch(page)
    sign_up(page, live_site, mailbox)
    desk = Desk(page, live_site, create_game(page))
    asked = play(desk)
    assert {"influence_bid", "stock_orders", "start_turn"} <= asked
    game = Game.objects.get(pk=desk.game.pk)
    assert (game.status, game.turn) == (Status.FINISHED, 2)
    desk.sees("#standings", "Net worth")
    mine = page.locator("#standings tr.you")
    seat = game.seats.get(user=User.objects.get(username="Grace"))
    expect(mine).to_contain_text("You")
    expect(mine.locator(".final-rank")).to_have_text(str(seat.place))
    expect(mine).to_contain_text(f"{seat.score:,}")
    expect(page.locator("#brief-t")).to_contain_text(re.compile("win|share"))
    assert not seen, seen


def sign_up(page: "Page", site: "LiveSite", mailbox: Mailbox) -> None:
    page.goto(f"{site.address}/")
    page.get_by_role("link", name="Sign up").first.click()
    page.locator("input[name=username]").fill("Grace")
    page.locator("input[name=email]").fill("grace@example.org")
    page.locator("input[name=password1]").fill("correct horse battery")
    page.locator("main").get_by_role("button", name="Sign up").click()
    page.wait_for_url(f"{site.address}/")
    with site.ticking():
        latest = time.monotonic() + SECONDS / 1000
        while not mailbox.messages and time.monotonic() < latest:
            page.wait_for_timeout(50)
    letter = mailbox.messages[0].get_content()
    page.goto(re.search(r"http\S+/confirm-email/\S+", letter)[0])  # type: ignore[index]
    page.get_by_role("button", name="Confirm address").click()
    page.locator(".messages").get_by_text("confirmed").wait_for()


def create_game(page: "Page") -> Game:
    """A table of three, of which two are bots, for two turns."""
    page.get_by_role("link", name=re.compile("create|new", re.IGNORECASE)).first.click()
    page.locator("input[name=pace][value=demo]").check()
    page.locator("[name=name]").fill("The short one")
    page.locator("select[name=seats]").select_option("3")
    page.locator("select[name=bots]").select_option("2")
    page.locator("summary").get_by_text("All rules").click()
    page.locator("select[name=max_turns]").select_option("2")
    page.get_by_role("button", name="Create the game").click()
    page.locator("#room").get_by_role("button", name=re.compile("Start")).click()
    expect(page.locator("[data-live]")).to_have_attribute("data-link", "open")
    return Game.objects.get(name="The short one")


def play(desk: Desk, look: Callable[[Desk], None] = lambda desk: None) -> set[str]:
    """Take what is offered and be ready, until nothing is asked any more; the phases in which something was. `look` is
    called before each decision."""
    asked = set()
    for _ in range(MOST_DECISIONS):
        serial = desk.bar.get_attribute("data-serial") or ""
        if serial == "0":
            return asked
        if desk.button("pass").or_(desk.button("ready")).count():  # not where a vote could only be cast ahead
            # Read again: the phase may just have opened, and now it stays open until it is answered.
            serial = desk.bar.get_attribute("data-serial") or ""
            asked.add(desk.field("phase").get_attribute("value") or "")
            look(desk)
            take_what_is_offered(desk)
        expect(desk.bar).not_to_have_attribute("data-serial", serial, timeout=SECONDS)
    raise AssertionError(f"The game does not end; asked so far: {asked}")


def take_what_is_offered(desk: Desk) -> None:
    """Fill the ticket in, submit it and be ready."""
    kind = re.search(r"ticket--(\w+)", desk.ticket.get_attribute("class") or "")
    FILL.get(kind[1] if kind else "", lambda desk: None)(desk)
    if kind and kind[1] == "help":
        desk.press("ready")
    else:
        desk.send()


def bid(desk: Desk) -> None:
    desk.ticket.locator("[data-step='1']").click()


def tick_the_first(desk: Desk) -> None:
    desk.ticket.locator(".picks input:enabled").first.check()


def pay_out(desk: Desk) -> None:
    for row in desk.ticket.locator("fieldset.rev").all():
        row.locator("input[value=full]").check()


def vote(desk: Desk) -> None:
    desk.page.locator("#ballot .ballot input:enabled").first.check()


FILL: dict[str, Callable[[Desk], None]] = {
    "bid": bid,
    "cards": tick_the_first,
    "ticks": tick_the_first,
    "revenue": pay_out,
    "lens": vote,
}
