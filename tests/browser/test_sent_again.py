"""What was pressed while the site was away is sent again by the page, and not over what was entered since."""

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from game.store.log import LoggedAction
from tests.browser.clock import take_clock
from tests.browser.desk import Desk, another_page, sign_in
from tests.browser.positions import lay
from tests.rulesets.sectors.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.live_site import LiveSite

ACTIONS = "**/actions/"
A_MOMENT = 100  # ms, in which a request leaves
PAUSE = 15_000  # ms between two tries, at most
MOST_PAUSES = 200


def at_bid(page: "Page", site: "LiveSite", table: Table) -> Desk:
    """Ada's page, whose clock the test moves."""
    take_clock(page)
    game = lay(table.at("influence_bid"))
    sign_in(page, site, "ada")
    return Desk(page, site, game).open()


def bid_seven(page: "Page", desk: Desk) -> None:
    page.locator("#ready").uncheck()
    desk.type("points", 7).press("submit")


def test_a_submission_arrives_by_itself_and_once_when_the_site_is_back(
    browser: "Browser", live_site: "LiveSite", table: Table
) -> None:
    failures = [
        lambda route: route.abort("connectionrefused"),
        lambda route: route.fulfill(status=502, body="Bad Gateway"),
        lambda route: route.fulfill(status=429, content_type="text/html", headers={"HX-Reswap": "none"}, body="nginx"),
        lambda route: (route.fetch(), route.abort("connectionreset")),  # it arrived, and its answer did not
    ]

    def answer(route: "Route") -> None:
        failures.pop(0)(route) if failures else route.continue_()

    with another_page(browser) as page:
        desk = at_bid(page, live_site, table)
        page.route(ACTIONS, answer)
        bid_seven(page, desk)
        expect(page.locator("#unsaved-note")).to_contain_text("It is sent again automatically.")
        for _ in range(MOST_PAUSES):
            page.clock.fast_forward(PAUSE)
            page.wait_for_timeout(A_MOMENT)
            if desk.bar.get_attribute("data-state") == "submitted":
                break
        desk.stands_at("submitted")
        expect(page.locator("#unsaved-note")).to_have_count(0)
    assert not failures
    assert LoggedAction.objects.filter(game=desk.game, seat=0).count() == 1


def test_what_was_entered_since_is_not_sent_over(browser: "Browser", live_site: "LiveSite", table: Table) -> None:
    requests = []

    def refuse(route: "Route") -> None:
        requests.append(route.request.url)
        route.fulfill(status=503, body="Soon")

    with another_page(browser) as page:
        desk = at_bid(page, live_site, table)
        page.route(ACTIONS, refuse)
        bid_seven(page, desk)
        expect(page.locator("#unsaved-note")).to_contain_text("It is sent again automatically.")
        desk.type("points", 9).stands_at_draft("9")
        seen = len(requests)
        page.clock.fast_forward(PAUSE)
        page.wait_for_timeout(A_MOMENT)  # in which it would have gone again
        assert len(requests) == seen
        expect(desk.field("points")).to_have_value("9")


def test_nothing_is_sent_again_to_a_site_that_says_to_come_much_later(
    browser: "Browser", live_site: "LiveSite", table: Table
) -> None:
    requests = []

    def refuse(route: "Route") -> None:
        requests.append(route.request.url)
        route.fulfill(status=503, headers={"Retry-After": "600"}, body="The site is read-only for now.")

    with another_page(browser) as page:
        desk = at_bid(page, live_site, table)
        page.route(ACTIONS, refuse)
        bid_seven(page, desk)
        expect(page.locator("#unsaved-note")).not_to_contain_text("It is sent again automatically.")
        page.clock.fast_forward(PAUSE)
        page.wait_for_timeout(A_MOMENT)  # in which it would have gone again
        assert len(requests) == 1
