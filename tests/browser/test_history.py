"""Walking through the past of a game: with the arrow keys, the slider, the links, and without scripts."""

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from game.bots import playing
from game.history.past import course_of
from game.store.game import Game
from tests.browser.desk import box_of, sign_in
from tests.kept_games import finished
from tests.scenes import run_out
from tests.tables import fresh, new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

NARROW, TALL = 390, 844
LATEST = 480  # where the board begins
CLOSINGS = 12


@pytest.fixture
def over(live_site: "LiveSite", settings: Any) -> Game:
    """A game of two turns at its end."""
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    return finished("sectors", bots=2, max_turns=2)


def serials(game: Game) -> list[int]:
    return [stop.serial for stop in course_of(game).stops]


def play_a_while(game: Game) -> None:
    for _ in range(CLOSINGS):
        if not playing.play_bots(game_id=game.pk):
            run_out(fresh(game))


def at(page: "Page") -> int:
    return int(re.findall(r"at=(\d+)", page.url)[0])


def test_arrow_keys_and_slider_walk_without_loading_the_page(live_site: "LiveSite", page: "Page", over: Game) -> None:
    walk = serials(over)
    sign_in(page, live_site, "ada")
    page.goto(f"{live_site.address}/games/{over.pk}/history/?at={walk[2]}")
    heading, before = page.locator("h1"), page.locator("h1").inner_text()
    page.evaluate("() => { document.documentElement.dataset.marked = 'yes'; }")
    entries = page.evaluate("history.length")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(rf"at={walk[3]}$"))
    expect(heading).not_to_have_text(before)
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(rf"at={walk[2]}$"))
    expect(heading).to_have_text(before)
    slider = page.get_by_role("slider", name="All moments")
    slider.focus()
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(rf"at={walk[-1]}$"))
    expect(heading).to_have_text("The end of the game")
    expect(page.locator("#standings")).to_be_visible()
    expect(slider).to_be_focused()
    assert slider.get_attribute("aria-valuetext") == "The end of the game"
    page.locator("#scrubber [rel=prev]").click()
    expect(page).to_have_url(re.compile(rf"at={walk[-2]}$"))
    assert page.evaluate("history.length") == entries, "a step is no entry of the browser's history"
    page.locator(".past-turns a").first.click()
    expect(page).not_to_have_url(re.compile(rf"at={walk[-2]}$"))
    page.go_back()
    expect(page).to_have_url(re.compile(rf"at={walk[-2]}$"))
    assert page.locator("html[data-marked]").count() == 1


def test_the_end_of_the_row_stays_where_it_is(live_site: "LiveSite", page: "Page", over: Game) -> None:
    walk = serials(over)
    page.goto(f"{live_site.address}/games/{over.pk}/history/?at={walk[0]}")
    page.keyboard.press("ArrowLeft")
    assert at(page) == walk[0]
    expect(page.locator("#scrubber [rel=prev]")).to_have_count(0)


def test_without_scripts_links_lead_everywhere(live_site: "LiveSite", browser: "Browser", over: Game) -> None:
    context = browser.new_context(java_script_enabled=False)
    page, walk = context.new_page(), serials(over)
    page.goto(f"{live_site.address}/games/{over.pk}/history/?at={walk[1]}")
    expect(page.get_by_role("slider")).to_have_count(0)
    for name, serial in (("Later", walk[2]), ("Earlier", walk[1]), ("First", walk[0]), ("Last", walk[-1])):
        page.get_by_role("link", name=name, exact=True).click()
        assert at(page) == serial
    page.locator(".past-turns").get_by_role("link", name="1", exact=True).click()
    assert at(page) in walk
    page.get_by_text("Phases by name").click()
    page.locator("#past-list a").first.click()
    expect(page.locator("h1")).to_contain_text("Turn 1")
    context.close()


@pytest.mark.parametrize("width", [NARROW, 1440])
def test_nothing_hangs_over_the_edge_and_every_mark_can_be_hit(
    live_site: "LiveSite", page: "Page", over: Game, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": TALL})
    page.goto(f"{live_site.address}/games/{over.pk}/history/?at={serials(over)[3]}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for link in page.locator("#scrubber a:visible").all():
        box = box_of(link)
        assert box["width"] >= 24, link.inner_text()
        assert box["height"] >= 24, link.inner_text()


def test_on_a_phone_the_steps_stand_at_the_bottom_and_the_board_begins_on_the_first_screen(
    live_site: "LiveSite", page: "Page", over: Game
) -> None:
    page.set_viewport_size({"width": NARROW, "height": TALL})
    page.goto(f"{live_site.address}/games/{over.pk}/history/?at={serials(over)[0]}")
    steps = box_of(page.locator(".past-nav"))
    assert steps["y"] + steps["height"] == TALL
    says_where = box_of(page.locator("#scrubber"))
    assert says_where["y"] + says_where["height"] < TALL * 2 / 3
    slider = box_of(page.locator("#scrub"))
    assert slider["x"] + slider["width"] <= says_where["x"] + says_where["width"], "it stays within its frame"
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    foot = box_of(page.locator("#log"))
    assert foot["y"] + foot["height"] <= box_of(page.locator(".past-nav"))["y"], "the last lines are not covered"


BOARDS = {
    "sectors": "#ladder",
    "power_up": "#map",
    "stock_market_tycoon": "#market",
    "big_shoulders": "#tracks",
}


@pytest.mark.parametrize("ruleset", BOARDS)
def test_on_a_phone_what_one_steps_through_is_on_the_first_screen(
    live_site: "LiveSite", page: "Page", ruleset: str
) -> None:
    """A running game, after some turns; below the words that say which moment it is."""
    game = new_game("ada", bots=3, ruleset=ruleset)
    play_a_while(game)
    sign_in(page, live_site, "ada")
    page.set_viewport_size({"width": NARROW, "height": TALL})
    for serial in serials(game)[1:-1]:
        page.goto(f"{live_site.address}/games/{game.pk}/history/?at={serial}")
        begin, moment = box_of(page.locator(BOARDS[ruleset]))["y"], box_of(page.locator("#past-t"))
        assert moment["y"] < begin <= LATEST, (serial, begin)
