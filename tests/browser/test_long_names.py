"""Names that are one long word, pages at 400 %, and fields on a phone: nothing makes a page wider than the screen, and
nothing covers the decision."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from game.chat import reading, writing
from game.lobby import lobby
from game.store.game import Game
from tests.browser.desk import another_page, box_of, sign_in
from tests.tables import new_game, person

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.live_site import LiveSite

ADA, BOB = "W" * 24, "M" * 24
WIDTH = 360
OF_A_GAME = ("", "chat/", "history/", "charts/", "outcomes/", "spreadsheet/", "results/", "problem/", "seat/resign/")
OTHERS = ("/games/", "/games/?show=running", f"/people/{BOB}/", "/accounts/preferences/", "/games/new/?game=sectors")
FIELDS = """() => [...document.querySelectorAll("input, textarea, select")].filter((field) =>
  !["hidden", "checkbox", "radio", "range"].includes(field.type) && field.offsetParent
  && parseFloat(getComputedStyle(field).fontSize) < 16).map((field) => field.name)"""

FIXED = """() => [...document.querySelectorAll("body *")].filter((each) =>
  getComputedStyle(each).position === "fixed" && each.checkVisibility({ visibilityProperty: true })
  && each.getBoundingClientRect().height > innerHeight / 4).map((each) => each.className)"""


@pytest.mark.parametrize("ruleset", ["sectors", "power_up", "toy"])
def test_one_long_word_makes_no_page_of_a_game_wider_than_a_phone(
    browser: "Browser", live_site: "LiveSite", ruleset: str
) -> None:
    game = wordy(ruleset)
    fit_on_a_phone(browser, live_site, [f"/games/{game.pk}/{page}" for page in OF_A_GAME])


def test_nor_any_other_page(browser: "Browser", live_site: "LiveSite") -> None:
    wordy("sectors")
    gathering = lobby.create_game(host=person(ADA), name="W" * 60, seats=3)
    fit_on_a_phone(browser, live_site, [f"/games/{gathering.pk}/", *OTHERS])


def fit_on_a_phone(browser: "Browser", site: "LiveSite", paths: list[str]) -> None:
    """None of these pages is wider than the window or has a field that makes a phone zoom in."""
    with another_page(browser, width=WIDTH, height=740) as page:
        sign_in(page, site, ADA)
        wide, small = {}, {}
        for path in paths:
            page.goto(f"{site.address}{path}")
            wide[path] = page.evaluate("document.documentElement.scrollWidth")
            small[path] = page.evaluate(FIELDS)
        assert {path: width for path, width in wide.items() if width > WIDTH} == {}
        assert {path: names for path, names in small.items() if names} == {}


def wordy(ruleset: str) -> Game:
    """A game whose name, players, messages and notes are one long word each."""
    game = new_game(ADA, BOB, ruleset=ruleset, pace="daily")
    Game.objects.filter(pk=game.pk).update(name="W" * 60)
    writing.say(game_id=game.pk, user=person(BOB), text="x" * 300)
    reading.save_notes(game=game, user=person(ADA), text="n" * 300, revision=0)
    return game


def test_at_400_percent_half_of_the_window_is_left_to_the_decision(browser: "Browser", live_site: "LiveSite") -> None:
    """1280 × 1024 at 400 % is 320 × 256."""
    game = new_game("ada", "bob", pace="daily")
    with another_page(browser, width=320, height=256) as page:
        sign_in(page, live_site, "ada")
        page.goto(f"{live_site.address}/games/{game.pk}/")
        head, bar = page.locator("header.masthead"), page.locator("#sendbar")
        assert box_of(head)["height"] + box_of(bar)["height"] <= 256 / 2
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.locator("#points").focus()
        page.locator("#preview").scroll_into_view_if_needed()
        expect(head).not_to_be_in_viewport()
        for button in ("pass", "submit"):
            expect(page.locator(f"#sendbar button[value={button}]")).to_be_visible()


@pytest.mark.parametrize("ruleset", ["sectors", "power_up", "stock_market_tycoon", "big_shoulders"])
def test_at_400_percent_nothing_stays_in_front_of_a_game(
    browser: "Browser", live_site: "LiveSite", ruleset: str
) -> None:
    game = new_game("ada", "bob", ruleset=ruleset, pace="daily")
    with another_page(browser, width=320, height=256) as page:
        sign_in(page, live_site, "ada")
        for path in ("", "history/", "chat/"):
            page.goto(f"{live_site.address}/games/{game.pk}/{path}")
            assert page.evaluate(FIXED) == [], path
