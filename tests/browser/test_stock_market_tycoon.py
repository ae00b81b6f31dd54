"""Stock Market Tycoon in the browser: a whole game of two people and a bot, on a phone, by keys, without scripts."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from game.bots import playing
from game.store.game import Game, Status
from tests.browser.desk import Desk, another_page, box_of, sign_in, watch
from tests.browser.playing import finish_unseen
from tests.tables import fresh, new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.live_site import LiveSite

NARROW, TALL = 390, 844
BY_HAND = 3  # turns that people play by clicking
OPTIONS = {"mode": "strategist", "years": 3, "trade_mode": "strict"}


MODES = [
    pytest.param(OPTIONS, id="strategist"),
    pytest.param({**OPTIONS, "mode": "trader"}, id="trader", marks=pytest.mark.trial),
    pytest.param({**OPTIONS, "mode": "investor", "trade_mode": "plan"}, id="investor", marks=pytest.mark.trial),
]


@pytest.fixture
def seated(live_site: "LiveSite", browser: "Browser", request: pytest.FixtureRequest) -> Iterator[list[Desk]]:
    """ada and bob, each at a page of their own, and a bot with them at the table."""
    options = getattr(request, "param", OPTIONS)
    game = new_game("ada", "bob", bots=1, ruleset="stock_market_tycoon", pace="daily", **options)
    with another_page(browser) as first, another_page(browser) as second:
        seen = [watch(first, (422,)), watch(second, (422,))]
        desks = []
        for page, name in ((first, "ada"), (second, "bob")):
            sign_in(page, live_site, name)
            desks.append(Desk(page, live_site, game).open())
        yield desks
        assert seen == [[], []]


@pytest.mark.parametrize("seated", MODES, indirect=True)
def test_two_people_and_a_bot_play_a_whole_game(seated: list[Desk]) -> None:
    game = seated[0].game
    for _ in range(BY_HAND):
        buy(seated[whose_turn(game)])
    finish_unseen(game, *seated)
    for desk in seated:
        expect(desk.page.locator("#brief-t")).to_contain_text(re.compile("wins? with|share the first place"))
        expect(desk.page.locator("#year-end")).to_contain_text("The end of year 3")
        assert desk.page.locator(".standing li").count() == 3
    assert fresh(game).status == Status.FINISHED


def whose_turn(game: Game) -> int:
    """The person who acts, once the bot has played."""
    while str(seat := int(fresh(game).waiting_seats[0])) in fresh(game).bots:
        playing.play_bots(game_id=game.pk)
    return seat


def company_to_buy(game: Game) -> str:
    """A company that the acting seat may buy: nobody has bought it in this year."""
    state = fresh(game).load_position().state
    return next(key for key in state.prices if key not in state.bought)


def buy(desk: Desk) -> None:
    """A purchase: what it would bring is shown before it, the button says it, and afterwards the market has it."""
    page = desk.page
    key = company_to_buy(desk.game)
    page.locator(f"label:has(#company-{key})").click()
    expect(page.locator("#preview")).to_contain_text("If you buy 1,000")
    page.locator(".ty-quick button").nth(1).click()
    expect(desk.button("submit")).to_have_text(re.compile(rf"Buy [\d,]+ {key} and end turn"))
    expect(page.locator("#preview")).to_contain_text("Your part of it")
    desk.button("submit").click()
    expect(page.locator("#brief")).to_contain_text("Nothing to decide")
    expect(page.locator("#market tr", has=page.locator(f".ty-{key.lower()}")).locator(".is-you")).to_be_visible()


def test_a_turn_is_taken_by_keys(seated: list[Desk]) -> None:
    """Arrows move among actions and companies; the pass says that it ends the turn."""
    desk = seated[whose_turn(seated[0].game)]
    page = desk.page
    page.locator("#act-buy").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#act-end_turn")).to_be_checked()
    expect(desk.button("submit")).to_have_text("Pass and end turn")
    expect(page.locator(".ty-tile")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ty-tile")).to_have_count(6)
    page.locator("#company-AB").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#company-TS")).to_be_checked()
    expect(page.locator("#preview")).to_contain_text("Titan Steel")
    assert page.evaluate("document.activeElement.id") == "company-TS"


def test_on_a_phone_decision_and_button_are_on_one_screen(browser: "Browser", live_site: "LiveSite") -> None:
    game = new_game("ada", "bob", ruleset="stock_market_tycoon", pace="daily", **OPTIONS)
    name = ("ada", "bob")[whose_turn(game)]
    with another_page(browser, width=NARROW, height=TALL) as page:
        sign_in(page, live_site, name)
        desk = Desk(page, live_site, game).open()
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
        first, last = page.locator(".ty-tile").first, page.locator(".ty-tile").last
        page.locator(f"label:has(#company-{company_to_buy(game)})").click()
        expect(page.locator("#shares")).to_be_visible()
        page.locator("#brief").scroll_into_view_if_needed()
        bar = box_of(page.locator("#sendbar"))
        assert box_of(first)["y"] >= 0
        assert box_of(last)["y"] + box_of(last)["height"] <= bar["y"]
        button = box_of(desk.button("submit"))
        assert button["y"] + button["height"] <= TALL
        assert min(box_of(tile)["height"] for tile in page.locator(".ty-tile").all()) >= 44


def test_without_scripts_a_turn_is_played_by_forms(browser: "Browser", live_site: "LiveSite") -> None:
    game = new_game("ada", "bob", ruleset="stock_market_tycoon", pace="daily", **OPTIONS)
    seat, key = whose_turn(game), company_to_buy(game)
    with another_page(browser, scripts=False) as page:
        sign_in(page, live_site, ("ada", "bob")[seat])
        desk = Desk(page, live_site, game).open(listening=False)
        page.locator(f"label:has(#company-{key})").click()
        page.get_by_role("button", name="See what happens next").click()
        page.locator("#shares").fill("2000")
        page.get_by_role("button", name="See what happens next").click()
        expect(page.locator("#preview")).to_contain_text("If you buy 2,000")
        desk.press("submit").sees("#brief", "Nothing to decide")
    assert fresh(game).load_position().state.held(seat, key) == 2000


def test_a_plan_is_made_sorted_and_left(browser: "Browser", live_site: "LiveSite") -> None:
    """T-37: lines in order, the later one moved up, and what waits is listed."""
    options = {**OPTIONS, "trade_mode": "plan"}
    game = new_game("ada", "bob", ruleset="stock_market_tycoon", pace="daily", **options)
    waits = 1 - whose_turn(game)
    with another_page(browser) as page:
        sign_in(page, live_site, ("ada", "bob")[waits])
        desk = Desk(page, live_site, game).open()
        page.locator("#entry_0_on").select_option("buy:AB")
        expect(page.locator("#entry_0_shares")).to_be_visible()
        page.locator("#entry_1_on").select_option("end_turn:")
        expect(page.locator("#preview")).to_contain_text("you pass and nobody waits")
        page.locator("[data-up=entry_1]").click()
        expect(page.locator("#entry_0_on")).to_have_value("end_turn:")
        expect(page.locator("#entry_1_on")).to_have_value("buy:AB")
        desk.button("submit").click()
        expect(page.locator("#sendbar")).to_contain_text("Saved for your turn")
    plan = fresh(game).load_position().pending[waits]["plan"]
    assert [type(entry).__name__ for entry in plan.entries] == ["PlannedPass", "PlannedBuy"]
