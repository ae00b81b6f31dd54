"""Power Up in the browser: a whole game of two people and a bot, by clicks, by keys, on a phone, without scripts."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from game.bots import playing
from game.store.game import Game, Status
from tests.browser.desk import Desk, another_page, box_of, sign_in, watch
from tests.browser.playing import finish, finish_unseen
from tests.tables import fresh, new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

NARROW, TALL = 390, 844
BY_HAND = 2  # turns that people play by clicking


@pytest.fixture
def seated(live_site: "LiveSite", browser: "Browser") -> Iterator[list[Desk]]:
    """ada and bob, each at a page of their own, and a bot with them at the table."""
    game = new_game("ada", "bob", bots=1, ruleset="power_up", pace="daily")
    with another_page(browser) as first, another_page(browser) as second:
        seen = [watch(first, (422,)), watch(second, (422,))]
        desks = []
        for page, name in ((first, "ada"), (second, "bob")):
            sign_in(page, live_site, name)
            desks.append(Desk(page, live_site, game).open())
        yield desks
        assert seen == [[], []]


def test_two_people_and_a_bot_play_a_whole_game(seated: list[Desk]) -> None:
    game = seated[0].game
    for _ in range(BY_HAND):
        desk = seated[whose_turn(game)]
        play_turn(desk)
    finish_unseen(game, *seated)
    for desk in seated:
        expect(desk.page.locator("#brief-t")).to_contain_text(re.compile("wins? with|share the first place"))
        expect(desk.page.locator("#companies")).to_contain_text("All shares were sold")
        assert desk.page.locator(".standing li").count() == 3
    assert fresh(game).status == Status.FINISHED


def whose_turn(game: Game) -> int:
    """The person who acts, once the bot has played."""
    while str(seat := int(fresh(game).waiting_seats[0])) in fresh(game).bots:
        playing.play_bots(game_id=game.pk)
    return seat


def play_turn(desk: Desk) -> None:
    """Choose a tile on the map, take it back, play it again; then end the turn."""
    page, game = desk.page, desk.game
    seat = whose_turn(game)
    tile = plain_tile(game, seat)
    cell = page.locator(f"#map [data-cell={tile}]")
    cell.locator("label").click()
    expect(desk.button("submit")).to_have_text(f"Play {tile}")
    expect(page.locator("#preview")).to_contain_text(tile)
    name_a_company(page)
    press(desk, "submit")
    expect(page.locator(f"#map [data-cell={tile}]")).not_to_have_class(re.compile("pu-own"))
    can_undo = game.rules.view(fresh(game).load_position(), seat).can_undo
    expect(desk.button("undo")).to_be_enabled(enabled=can_undo)
    if can_undo:
        press(desk, "undo")
        expect(page.locator(f"#map [data-cell={tile}]")).to_have_class(re.compile("pu-own"))
        page.locator(f"#map [data-cell={tile}] label").click()
        name_a_company(page)
        press(desk, "submit")
    page.locator(".pu-other", has_text="End turn").click()
    expect(desk.button("submit")).to_have_text("End turn")
    press(desk, "submit")
    expect(page.locator("#brief")).to_contain_text("Nothing to decide")


def name_a_company(page: "Page") -> None:
    """Where the tile calls for one."""
    if page.locator(".pu-named.is-on").count():
        page.locator(".pu-named.is-on .pu-name").first.click()
        expect(page.locator("#preview")).to_contain_text("If you play")


def press(desk: Desk, do: str) -> None:
    """Press a button and wait until the panel has been drawn for the step after it."""
    serial, step = (desk.ticket.locator(f"[name={name}]").input_value() for name in ("serial", "step"))
    desk.button(do).click()
    expect(
        desk.page.locator(f"#ticket:has([name=serial][value='{serial}']):has([name=step][value='{step}'])")
    ).to_have_count(0)


def plain_tile(game: Game, seat: int) -> str:
    """The first tile of the hand."""
    return str(min(fresh(game).load_position().state.hands[seat]))


def test_the_map_is_played_by_keys(seated: list[Desk]) -> None:
    """Arrows move from cell to cell, Enter chooses, and the choice shows in the hand too."""
    desk = seated[whose_turn(seated[0].game)]
    page = desk.page
    tile = plain_tile(desk.game, whose_turn(desk.game))
    page.locator(f"#map [data-cell={tile}]").focus()
    near = "ArrowUp" if tile[1] != "0" else "ArrowDown"
    page.keyboard.press(near)
    above = f"{tile[0]}{abs(int(tile[1]) - 1)}"  # from row 0 the way is down, to row 1
    assert page.evaluate("document.activeElement.dataset.cell") == above
    page.keyboard.press({"ArrowUp": "ArrowDown", "ArrowDown": "ArrowUp"}[near])
    page.keyboard.press("Enter")
    expect(page.locator(".pu-tile.is-chosen b")).to_have_text(tile)
    expect(desk.button("submit")).to_have_text(f"Play {tile}")


def test_on_a_phone_the_buttons_are_reached_and_nothing_is_cut(browser: "Browser", live_site: "LiveSite") -> None:
    game = new_game("ada", "bob", ruleset="power_up", pace="daily")
    name = ("ada", "bob")[whose_turn(game)]
    with another_page(browser, width=NARROW, height=TALL) as page:
        sign_in(page, live_site, name)
        desk = Desk(page, live_site, game).open()
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
        expect(page.locator("#brief .flag-g")).to_contain_text(re.compile(r"^Turn 1, \d actions rolled$"))
        page.locator("#map .pu-own label").first.click()
        expect(page.locator("#sendbar-m")).to_contain_text(":")
        box = box_of(desk.button("submit"))
        assert box["y"] + box["height"] <= TALL
        own = page.locator("#map .pu-own")
        widths = own.evaluate_all("cells => cells.map((cell) => cell.getBoundingClientRect().width)")
        assert min(widths) >= 24, "a finger finds a tile on the map"


def test_on_a_phone_the_result_is_shown_to_whoever_watches_the_end(browser: "Browser", live_site: "LiveSite") -> None:
    """The finger was last where the buttons stood; the page does not follow what stood there down the result."""
    game = new_game("ada", "bob", ruleset="power_up", pace="daily")
    with another_page(browser, width=NARROW, height=TALL) as page:
        sign_in(page, live_site, "ada")
        Desk(page, live_site, game).open()
        page.mouse.move(NARROW / 2, TALL - 40)
        finish(game)
        expect(page.locator("#brief-t")).to_contain_text(re.compile("wins? with|share the first place"))
        expect(page.locator("#finish-t")).to_be_attached()
        expect(page.locator("#brief-t")).to_be_in_viewport(ratio=1)


def test_without_scripts_a_turn_is_played_by_forms(browser: "Browser", live_site: "LiveSite") -> None:
    game = new_game("ada", "bob", ruleset="power_up", pace="daily")
    seat = whose_turn(game)
    tile = plain_tile(game, seat)
    with another_page(browser, scripts=False) as page:
        sign_in(page, live_site, ("ada", "bob")[seat])
        desk = Desk(page, live_site, game).open(listening=False)
        page.locator(f"#map [data-cell={tile}] label").click()
        page.get_by_role("button", name="See what happens next").click()
        expect(page.locator("#preview")).to_contain_text(tile)
        for named in page.locator(".pu-named.is-on").all():
            named.locator(".pu-name").first.click()
        desk.press("submit")
        expect(page.locator(f"#map [data-cell={tile}] label")).to_have_count(0)
        page.locator(".pu-other", has_text="End turn").click()
        desk.press("submit").sees("#brief", "Nothing to decide")
