"""The send bar on a page at 200 %."""

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.desk import Desk, another_page, sign_in
from tests.browser.positions import lay
from tests.browser.test_devices import at_orders
from tests.rulesets.sectors.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

    from tests.live import LiveSite

ZOOMED = {"width": 720, "height": 450}  # what 1440 by 900 px hold at 200 %


def test_at_200_percent_ready_and_the_buttons_are_in_sight(
    browser: "Browser", live_site: "LiveSite", table: Table
) -> None:
    game = lay(at_orders(table))
    with another_page(browser, **ZOOMED) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open()
        for top in ("0", "document.body.scrollHeight"):
            page.evaluate(f"() => scrollTo(0, {top})")
            comes_in_sight(desk.bar.locator("label", has=page.locator("#ready")))
            comes_in_sight(desk.button("submit"))
        bar = desk.bar.bounding_box()
        assert bar
        assert bar["height"] < ZOOMED["height"] / 3, "the decision itself is read above the bar"
        page.locator("#ready").uncheck()
        desk.press("pass").stands_at("submitted")
        comes_in_sight(desk.button("ready"))


def comes_in_sight(place: "Locator") -> None:
    """Whole, and large enough to hit, as soon as the page has been drawn."""
    expect(place).to_be_in_viewport(ratio=1)
    box = place.bounding_box()
    assert box
    assert box["height"] >= 24
