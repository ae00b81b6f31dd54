"""Whole games in German: two people play Sectors with a bot, one on a dark phone, one at a wide and light screen; Power
Up on such a screen too, Stock Market Tycoon on such a phone. No page says anything in English, none is wider than its
window, and no script complains."""

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from accounts.models import User
from game.store.game import Game, Status
from game.store.readers import BOT_NAMES
from tests.browser import test_stock_market_tycoon as tycoon
from tests.browser.desk import Desk, another_page, watch
from tests.browser.playing import PHONE, WIDE, WIDER, finish_unseen, play, seated
from tests.browser.test_power_up import plain_tile, press, whose_turn
from tests.english import SPOKEN, english_of
from tests.tables import fresh, new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

TABS = ("results/", "history/", "charts/", "spreadsheet/", "story/", "outcomes/", "explain/cash/0/", "chat/")
TURNS_BY_HAND = 2
# What a person sees or hears of the page as it is drawn now, parts in another language left out.
TEXTS = """(attributes) => {
  const isShown = (one) => one.checkVisibility({ checkVisibilityCSS: true }) && !one.closest("[lang=en]");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [document.title];
  while (walker.nextNode()) if (isShown(walker.currentNode.parentElement)) found.push(walker.currentNode.data);
  for (const name of attributes)
    for (const one of document.querySelectorAll(`[${name}]`)) if (isShown(one)) found.push(one.getAttribute(name));
  return found;
}"""


class Reader:
    """Reads every page that is shown, and keeps what is wrong with it."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.wrong: dict[str, list[str]] = {}

    def read(self, where: str) -> None:
        found = english_of(self.page.evaluate(TEXTS, SPOKEN), {"The table", "ada", "ben", *BOT_NAMES})
        wide = self.page.evaluate(WIDER)
        if wide > 0:
            found.append(f"{wide} px wider than the window")
        if found:
            self.wrong[where] = found

    def look(self, desk: Desk) -> None:
        self.read(desk.field("phase").get_attribute("value") or "")

    def leaf(self, desk: Desk) -> None:
        """The tabs of a game that is over."""
        for tab in TABS:
            answer = self.page.goto(f"{desk.address}{tab}")
            assert answer
            assert answer.status == 200, tab
            self.read(tab)


def german_desk(page: "Page", site: "LiveSite", game: Game, name: str, theme: str) -> Desk:
    User.objects.filter(username=name).update(language="de")
    desk = Desk(seated(page, site, name, theme), site, game).open()
    assert page.evaluate("() => document.documentElement.lang") == "de"
    return desk


@pytest.mark.trial
def test_two_people_play_sectors_in_german(browser: "Browser", live_site: "LiveSite", settings: Any) -> None:
    """Ada on a dark phone, ben at a wide and light screen."""
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = new_game("ada", "ben", bots=1, max_turns=2)
    with another_page(browser, **PHONE) as phone, another_page(browser, **WIDE) as wide:
        seen = {page: watch(page) for page in (phone, wide)}
        ada = german_desk(phone, live_site, game, "ada", "dark")
        ben = german_desk(wide, live_site, game, "ben", "light")
        readers = {desk: Reader(desk.page) for desk in (ada, ben)}
        result = play(ada, ben, look=lambda desk: readers[desk].look(desk))
        assert {"influence_bid", "stock_orders", "start_turn"} <= result
        for desk, reader in readers.items():
            desk.sees("#standings", "Vermögen")
            reader.read("the end")
            reader.leaf(desk)
            assert not reader.wrong, reader.wrong
            assert not seen[desk.page], seen[desk.page]
        assert fresh(game).status == Status.FINISHED


def test_power_up_in_german_on_a_wide_and_light_screen(browser: "Browser", live_site: "LiveSite") -> None:
    game = new_game("ada", bots=2, ruleset="power_up")
    with another_page(browser, **WIDE) as page:
        seen, reader = watch(page), Reader(page)
        desk = german_desk(page, live_site, game, "ada", "light")
        for turn in range(TURNS_BY_HAND):
            play_a_turn(desk, reader, turn)
        finish_unseen(game, desk)
        expect(page.locator("#brief-t")).to_contain_text("gewinn")
        expect(page.get_by_role("button", name="Revanche")).to_be_visible()
        reader.read("the end")
        reader.leaf(desk)
        assert fresh(game).status == Status.FINISHED
        assert not reader.wrong, reader.wrong
        assert not seen, seen


def play_a_turn(desk: Desk, reader: Reader, turn: int) -> None:
    """Play a tile, then end the turn."""
    whose_turn(desk.game)
    page, tile = desk.page, plain_tile(desk.game, 0)
    page.locator(f"#map [data-cell={tile}] label").click()
    expect(page.locator("#preview")).to_contain_text(tile)
    reader.read(f"a tile in turn {turn}")
    if page.locator(".pu-named.is-on").count():
        page.locator(".pu-named.is-on .pu-name").first.click()
        expect(page.locator("#preview")).to_contain_text("Wenn du")
    press(desk, "submit")
    reader.read(f"after a tile in turn {turn}")
    page.locator(".pu-other", has_text="Zug beenden").click()
    press(desk, "submit")


def test_stock_market_tycoon_in_german_on_a_dark_phone(browser: "Browser", live_site: "LiveSite") -> None:
    """Purchases by hand in the first year; what the bots and the clock do then is read afterwards."""
    game = new_game("ada", bots=2, ruleset="stock_market_tycoon", **tycoon.OPTIONS)
    with another_page(browser, **PHONE) as page:
        seen, reader = watch(page), Reader(page)
        desk = german_desk(page, live_site, game, "ada", "dark")
        for turn in (1, 2):
            tycoon.whose_turn(game)
            expect(page.locator("#brief-t")).to_have_text("Führe eine Aktion aus oder passe.")
            page.locator(f"label:has(#company-{tycoon.company_to_buy(game)})").click()
            expect(page.locator("#preview")).to_contain_text("Wenn du")
            page.locator(".ty-quick button").first.click()
            expect(page.locator("#preview")).to_contain_text("Wenn du 1.000")
            reader.read(f"turn {turn}")
            desk.press("submit")
            desk.sees("#brief", "Nichts zu entscheiden")
        finish_unseen(game, desk)
        expect(page.locator("#brief-t")).to_contain_text("gewinn")
        reader.read("the end")
        reader.leaf(desk)
        assert fresh(game).status == Status.FINISHED
        assert not reader.wrong, reader.wrong
        assert not seen, seen
