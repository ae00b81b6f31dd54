"""After a press the page is right at once: the answer brings the news along, and what is fetched after it moves nothing
of the panel."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from accounts.guests import mark_notes_read
from tests.browser.desk import Desk, another_page, sign_in
from tests.browser.playing import PHONE, WIDE
from tests.browser.positions import put
from tests.browser.test_big_shoulders import play_on
from tests.rulesets.power_up.table import Table
from tests.servers import BROWSER_PATIENCE
from tests.tables import clock_runs_out, fresh, new_game, person, send

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.live_site import LiveSite

NAMES = ("ada", "bob")
A_MOMENT = 20  # ms between two looks
NEWS, OLD_NEWS = "Since your last decision", "Before your last decision"
SIZES = pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "desktop"])
COUNT = "() => { window.times = 0; document.addEventListener('refreshed', () => { window.times += 1; }); }"
REMEMBER = "() => { window.old = ['happened', 'brief', 'ticket'].map((id) => document.getElementById(id)); }"
SAME = "() => window.old.every((each) => each === document.getElementById(each.id))"
TOPS = """() => ['happened', 'brief-t', 'ticket'].map((id) => {
  const box = document.getElementById(id).getBoundingClientRect();
  return [id, Math.round(box.top), Math.round(box.height)];
})"""


class Held:
    """What the page fetches when it hears that something has happened; it arrives when the test says so."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.routes: list[Route] = []
        desk.page.evaluate(COUNT)
        desk.page.route(desk.address, lambda route: self.routes.append(route))  # noqa: PLW0108 - playwright marks it

    def arrive(self) -> None:
        page = self.desk.page
        for _ in range(BROWSER_PATIENCE // A_MOMENT):
            if self.routes:
                break
            page.wait_for_timeout(A_MOMENT)
        for route in self.routes:
            route.continue_()
        page.unroute(self.desk.address)
        page.wait_for_function("() => window.times > 0")


@contextmanager
def at_turn(browser: "Browser", site: "LiveSite", ruleset: str, size: dict[str, int], **options: Any) -> Iterator[Desk]:
    """The page of whoever acts after another player's turn."""
    game = new_game(*NAMES, ruleset=ruleset, pace="daily", **options)
    if ruleset == "power_up":
        put(game, Table().board(eclipse="A0 A1").hands(ada="J0 J2", bob="J9 J7").position)
    if ruleset == "big_shoulders":
        play_on(game, "action")
    else:
        acting = fresh(game).waiting_seats[0]
        if ruleset == "power_up":
            send(game, acting, {"kind": "play_tile", "tile": "J0"})
        send(game, acting, {"kind": "end_turn"})
    name = NAMES[fresh(game).waiting_seats[0]]
    mark_notes_read(person(name), ["*"])
    with another_page(browser, **size) as page:
        sign_in(page, site, name)
        yield Desk(page, site, game).open()


def choose_tile(page: "Page") -> None:
    page.locator("#map .pu-own label").first.click()
    expect(page.locator("#sendbar button[value=submit]")).to_have_text(re.compile("^Play"))


def choose_to_pass(page: "Page") -> None:
    page.locator("label:has(#act-end_turn)").click()
    expect(page.locator("#sendbar button[value=submit]")).to_have_text("Pass and end turn")


def choose_space(page: "Page") -> None:
    page.locator("#space-hire_workers").focus()
    page.keyboard.press("Space")
    expect(page.locator("#sendbar button[value=submit]")).to_have_text("Hire and end turn")


TURNS = [
    pytest.param("power_up", {}, choose_tile, id="power_up"),
    pytest.param("stock_market_tycoon", {"years": 3, "trade_mode": "strict"}, choose_to_pass, id="tycoon"),
    pytest.param("big_shoulders", {}, choose_space, id="big_shoulders"),
]


@SIZES
@pytest.mark.parametrize(("ruleset", "options", "choose"), TURNS)
def test_the_answer_brings_the_news_and_the_refresh_after_it_moves_nothing(
    browser: "Browser",
    live_site: "LiveSite",
    ruleset: str,
    options: dict[str, Any],
    choose: "Callable[[Page], None]",
    size: dict[str, int],
) -> None:
    """One's own turn is no news: what stood there before it stays until somebody else has acted."""
    with at_turn(browser, live_site, ruleset, size, **options) as desk:
        page, game = desk.page, desk.game
        serial = fresh(game).phase_serial
        while fresh(game).phase_serial == serial:
            if fresh(game).phase_step:
                page.locator(".pu-other", has_text="End turn").click()
            else:
                choose(page)
            before, held = page.evaluate(TOPS), Held(desk)
            with page.expect_response("**/actions/"):
                desk.press("submit")
            now = fresh(game)
            expect(page.locator("#ticket")).to_have_attribute("data-serial", str(now.phase_serial))
            if now.phase_serial == serial:
                expect(page.locator("#ticket [name=step]")).to_have_value(str(now.phase_step))
            at_once = page.evaluate(TOPS)
            assert at_once[0][2] == before[0][2], "the news keep their height"
            page.evaluate(REMEMBER)
            held.arrive()
            assert page.evaluate(TOPS) == at_once
            assert page.evaluate(SAME)
        desk.sees("#happened", OLD_NEWS)
        clock_runs_out(game)
        expect(page.locator("#brief")).to_contain_text("Your decision")
        assert NEWS in page.locator("#happened").inner_text(), "the next decision comes with its news"
