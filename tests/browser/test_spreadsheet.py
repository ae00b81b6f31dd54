"""Sorting the spreadsheet: at once with scripts, by loading without, and by keyboard."""

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.desk import another_page, box_of
from tests.browser.playing import PHONE
from tests.tables import at_phase, new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite


def column(page: "Page", title: str) -> list[int]:
    """The figures under a heading of the players' table."""
    index = page.locator("#players thead th").all_inner_texts().index(title)
    return [int(row.locator("th, td").nth(index).inner_text() or 0) for row in page.locator("#players tbody tr").all()]


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_heading_sorts_and_turns_round(live_site: "LiveSite", browser: "Browser", has_scripts: bool) -> None:
    game = at_phase(new_game("ada", bots=3), "stock_orders")
    context = browser.new_context(java_script_enabled=has_scripts)
    page = context.new_page()
    page.goto(f"{live_site.address}/games/{game.pk}/spreadsheet/")
    heading = page.locator("#players thead").get_by_role("link", name="Cash")
    for order, step in (("descending", -1), ("ascending", 1)):
        heading.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#players th[aria-sort]")).to_have_attribute("aria-sort", order)
        assert column(page, "Cash") == sorted(column(page, "Cash"))[::step]
        expect(page).to_have_url(re.compile(r"sort=-?players\.cash"))
    assert ("sort=-" in page.url) is False
    context.close()


def test_on_a_phone_the_first_figures_of_companies_with_long_names_are_in_sight(
    live_site: "LiveSite", browser: "Browser"
) -> None:
    game = new_game("ada", bots=1, ruleset="big_shoulders")
    with another_page(browser, **PHONE) as page:
        page.goto(f"{live_site.address}/games/{game.pk}/spreadsheet/")
        for title in ("Value", "Treasury"):
            box = box_of(page.locator("#companies thead").get_by_role("link", name=title))
            assert box["x"] + box["width"] <= PHONE["width"], title
