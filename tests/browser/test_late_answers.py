"""An answer that arrives while the player goes on filling in the form takes nothing away that was entered meanwhile."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts.sign_ins import create_link
from tests.browser.clock import FIRST_PAUSE, LIMIT, take_clock
from tests.browser.conftest import Sit
from tests.browser.desk import Desk, another_page, sign_in
from tests.browser.positions import lay, others_are_ready
from tests.rulesets.sectors.table import Table
from tests.servers import BROWSER_PATIENCE
from tests.tables import fresh, new_game, person, send

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Browser, Page, Route

    from tests.live_site import LiveSite

A_MOMENT = 20  # ms between two looks
WAYS = ["answered", "overtaken"]
NAMES = ("ada", "bob")


class LateAnswer:
    """The first request to an address, whose answer arrives when the test says so."""

    def __init__(self, page: "Page", address: str = "**/drafts/") -> None:
        self.page, self.asked = page, 0
        self._first: tuple[Route, APIResponse] | None = None
        page.route(address, self._take)

    def _take(self, route: "Route") -> None:
        self.asked += 1
        if self.asked == 1:
            self._first = route, route.fetch()
        else:
            route.continue_()

    def until(self, number: int) -> "LateAnswer":
        """Wait for the request of this number."""
        for _ in range(BROWSER_PATIENCE // A_MOMENT):
            if self.asked >= number and self._first is not None:
                return self
            self.page.wait_for_timeout(A_MOMENT)
        raise AssertionError(f"{self.asked} requests, not {number}")

    def answer(self) -> bool:
        """The answer arrives at last."""
        assert self._first
        route, answer = self._first
        route.fulfill(response=answer)
        return answer.ok

    def lose(self) -> None:
        """The connection breaks before the answer arrives, and stays broken for more of its kind."""
        assert self._first
        self.page.route("**/actions/", lambda route: route.abort())
        self._first[0].abort()

    def go_on(self, way: str) -> None:
        """The answer arrives, or a newer request leaves before it does; then that one is answered."""
        assert self._first
        route, answer = self._first
        if way == "answered":
            route.fulfill(response=answer)
        self.until(2)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("value", [40, 46])
def test_a_limit_typed_before_the_ticket_suggests_one(table: Table, sit: Sit, way: str, value: int) -> None:
    """46 is what the ticket would suggest for the first company as well."""
    desk = sit(table.company("BETA", price=43).at("stock_orders"))
    desk.choose("kind", "limit_order").pick("company", "ACME")
    expect(desk.field("value")).to_have_value("46")
    late = LateAnswer(desk.page)
    desk.pick("company", "BETA")
    late.until(1)
    desk.type("value", value)
    late.go_on(way)
    desk.stands_at_draft(f"Buy 1 BETA at {value}")
    expect(desk.field("value")).to_have_value(str(value))
    expect(desk.page.locator("[name=drawn_for]")).to_have_value("BETA")
    desk.choose("kind", "standing_order").stands_at_draft("Buy 1 BETA up to")


@pytest.mark.parametrize("way", WAYS)
def test_a_bid_typed_before_the_ticket_suggests_one(table: Table, sit: Sit, way: str) -> None:
    desk = sit(table.company("BETA", price=43).at("stock_orders").options(distribution="bid"))
    expect(desk.field("bid")).to_have_value("47")
    late = LateAnswer(desk.page)
    desk.pick("company", "BETA")
    late.until(1)
    desk.type("bid", 55)
    late.go_on(way)
    desk.stands_at_draft("Buy 1 BETA, bidding 55")
    expect(desk.field("bid")).to_have_value("55")


def test_a_page_asked_for_before_the_draft_was_saved_takes_nothing_away(table: Table, sit: Sit) -> None:
    """bob's answer makes the page look; what it gets to see is older than what ada has saved meanwhile."""
    desk = sit(table.company("BETA", price=43).at("influence_bid"), all_ready=False)
    late = LateAnswer(desk.page, desk.address)
    send(desk.game, 1, {"kind": "bid_influence", "points": 3})
    late.until(1)
    desk.type("points", 4).stands_at_draft("4")
    late.go_on("answered")
    expect(desk.field("points")).to_have_value("4")
    expect(desk.page.locator("#elsewhere-note")).to_be_hidden()


def test_a_push_before_the_answer_does_not_call_the_players_own_decision_too_late(table: Table, sit: Sit) -> None:
    """ada's bid closes the phase; the page hears of that before it hears that the bid counts."""
    desk = sit(table.at("influence_bid"))
    desk.type("points", 4).stands_at_draft("4")
    late = LateAnswer(desk.page, "**/actions/")
    desk.press("submit")
    late.until(1)
    desk.reads("You bid 4 influence points")
    expect(desk.page.locator("#closed-note")).to_be_hidden()
    assert late.answer()
    expect(desk.brief).to_contain_text("Your decision")
    expect(desk.button("submit")).to_be_enabled()


def test_a_decision_whose_answer_is_lost_is_called_too_late_after_all(
    table: Table, browser: "Browser", live_site: "LiveSite"
) -> None:
    """The site falls silent after the push: what is known is that the phase has closed."""
    game = lay(table.at("influence_bid"))
    others_are_ready(game)
    with another_page(browser) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open()
        desk.type("points", 4).stands_at_draft("4")
        late = LateAnswer(page, "**/actions/")
        desk.press("submit")
        late.until(1)
        desk.reads("You bid 4 influence points")
        expect(page.locator("#closed-note")).to_be_hidden()
        late.lose()
        expect(page.locator("#closed-note")).to_be_visible()


def test_a_bid_is_suggested_with_the_company(table: Table, sit: Sit) -> None:
    """What the draft says, the field shows."""
    desk = sit(table.company("BETA", price=43).at("stock_orders").options(distribution="bid"))
    desk.pick("company", "BETA").stands_at_draft("bidding 43")
    expect(desk.field("bid")).to_have_value("43")


@pytest.fixture
def tycoon(live_site: "LiveSite", browser: "Browser") -> Iterator[Desk]:
    """The page of whoever acts in a game of Stock Market Tycoon."""
    game = new_game(
        *NAMES, ruleset="stock_market_tycoon", pace="daily", mode="strategist", years=3, trade_mode="strict"
    )
    with another_page(browser) as page:
        sign_in(page, live_site, NAMES[fresh(game).waiting_seats[0]])
        yield Desk(page, live_site, game).open()


@pytest.mark.parametrize("way", WAYS)
def test_an_amount_typed_before_the_turn_suggests_one(tycoon: Desk, way: str) -> None:
    desk, page, state = tycoon, tycoon.page, fresh(tycoon.game).load_position().state
    first, second = [key for key in state.prices if key not in state.bought][:2]
    page.locator(f"label:has(#company-{first})").click()
    expect(page.locator("#preview")).to_contain_text("If you buy 1,000")
    late = LateAnswer(page)
    page.locator(f"label:has(#company-{second})").click()
    late.until(1)
    desk.type("shares", 3000)
    late.go_on(way)
    expect(page.locator("#preview")).to_contain_text("If you buy 3,000")
    expect(desk.field("shares")).to_have_value("3000")
    page.locator(f"label:has(#company-{first})").click()
    expect(page.locator("#preview")).to_contain_text("If you buy 1,000")


def test_a_number_of_seats_chosen_before_the_options_are_answered(live_site: "LiveSite", page: "Page") -> None:
    take_clock(page)
    page.goto(live_site.address + create_link(person("ada")))
    page.goto(f"{live_site.address}/games/new/")
    late = LateAnswer(page, "**/games/new/?*")
    page.get_by_text("Or choose: Short").click()
    page.locator("[name=preset][value=marathon]").check()
    late.until(1)
    page.locator("[name=seats][value='5']").check(force=True)
    page.clock.fast_forward(LIMIT)
    expect(page.locator("#unsaved-note")).to_be_visible()
    page.clock.fast_forward(FIRST_PAUSE)
    late.until(2)
    expect(page.locator("#effect .lbl")).to_have_text("Sectors, 23 turns")
    expect(page.locator("[name=seats][value='5']")).to_be_checked()
