"""Lists of games that are left open: they show what has happened since, without being loaded again."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from game.lobby import lobby
from game.store.game import Game
from tests.browser.desk import sign_in
from tests.tables import READY, fresh, new_game, person, send

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live_site import LiveSite

BID = {"kind": "bid_influence", "points": 5}
QUARTER = 20_000  # milliseconds, within which a page that is looked at asks what is new


@pytest.fixture
def window(live_site: "LiveSite", page: "Page") -> "Page":
    """Ada's, whose clock the test may move."""
    page.clock.install()
    sign_in(page, live_site, "ada")
    return page


def open_list(page: "Page", site: "LiveSite", path: str = "/games/") -> None:
    page.goto(f"{site.address}{path}")
    page.evaluate("() => { document.documentElement.dataset.marked = 'yes'; }")


def is_the_same_page(page: "Page") -> bool:
    return page.locator("html[data-marked]").count() == 1


def test_the_lobby_follows_what_others_do(live_site: "LiveSite", window: "Page") -> None:
    game = new_game("ada", "bob", pace="daily")
    send(game, 0, BID, READY)
    open_list(window, live_site)
    expect(window.locator("h1")).to_have_text("No decisions to make")
    send(fresh(game), 1, BID, READY)
    window.clock.fast_forward(QUARTER)
    expect(window.locator("h1")).to_have_text("One game needs you")
    expect(window.locator(".games h3")).to_have_text(game.name)
    lobby.create_game(host=person("bob"), name="Later tonight", seats=2)
    window.clock.fast_forward(QUARTER)
    expect(window.locator("#open")).to_contain_text("Later tonight")
    assert is_the_same_page(window)


def test_what_changed_before_the_first_look_is_shown(live_site: "LiveSite", window: "Page") -> None:
    """The page is compared with what it shows, not with what stood when it first asked."""
    game = new_game("ada", "bob", pace="daily")
    send(game, 0, BID, READY)
    window.route("**/version/*", lambda route: None)
    open_list(window, live_site)
    send(fresh(game), 1, BID, READY)
    window.unroute("**/version/*")
    window.clock.fast_forward(QUARTER)
    expect(window.locator("h1")).to_have_text("One game needs you")


def test_the_list_of_open_games_follows_and_keeps_the_focus(live_site: "LiveSite", window: "Page") -> None:
    first = lobby.create_game(host=person("bob"), name="Tonight", seats=2)
    open_list(window, live_site, "/games/?show=open")
    link = window.get_by_role("link", name="Tonight")
    link.focus()
    lobby.create_game(host=person("bob"), name="Tomorrow", seats=2)
    window.clock.fast_forward(QUARTER)
    expect(window.get_by_role("link", name="Tomorrow")).to_be_visible()
    expect(link).to_be_focused()
    Game.objects.filter(pk=first.pk).delete()
    window.clock.fast_forward(QUARTER)
    expect(link).to_have_count(0)
    assert is_the_same_page(window)


def test_a_deadline_that_passed_during_sleep_is_looked_up_at_once(live_site: "LiveSite", window: "Page") -> None:
    """The clock jumps over the second in which the page would have looked."""
    game = new_game("ada", "bob", pace="daily")
    open_list(window, live_site)
    phase = window.locator(".game-m").inner_text()
    send(game, 0, BID, READY)
    send(fresh(game), 1, BID, READY)
    window.clock.fast_forward(72 * 3600 * 1000)
    expect(window.locator(".game-m")).not_to_have_text(phase)
    assert is_the_same_page(window)
