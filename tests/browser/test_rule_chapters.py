"""The rulebook on a phone: contents, and one chapter at a time, with or without scripts; on a desktop, all of it."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.desk import another_page, box_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.live_site import LiveSite

SCREENS = 4  # the contents and how to play, on a phone


@pytest.mark.parametrize("scripts", [True, False])
def test_a_phone_shows_one_chapter(live_site: "LiveSite", browser: "Browser", scripts: bool) -> None:
    book = f"{live_site.address}/rules/sectors/"
    with another_page(browser, width=390, height=844, scripts=scripts) as page:
        page.goto(book)
        expect(page.locator(".chapter").filter(visible=True)).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollHeight") < SCREENS * 844
        page.locator("#contents").get_by_role("link", name="5. Orders").click()
        expect(page.locator("#S-5\\.6")).to_be_visible()
        expect(page.locator(".chapter").filter(visible=True)).to_have_count(1)
        page.get_by_role("navigation", name="In this chapter").get_by_role("link", name="Shorts").click()
        heading = box_of(page.locator("#S-5\\.6-h"))
        assert 0 <= heading["y"] < 400
        page.locator(".chapter").filter(visible=True).get_by_role("link", name="6. The operating round").click()
        expect(page.locator("#S-5\\.6")).to_be_hidden()
        expect(page.locator("#S-6\\.1")).to_be_visible()
        page.locator(".chapter").filter(visible=True).get_by_role("link", name="Contents").click()
        expect(page.locator(".chapter").filter(visible=True)).to_have_count(0)


@pytest.mark.parametrize("anchor", ["S-5.6", "A27", "word-net-worth", "part-3"])
def test_an_address_opens_its_chapter(live_site: "LiveSite", browser: "Browser", anchor: str) -> None:
    with another_page(browser, width=390, height=844, scripts=False) as page:
        page.goto(f"{live_site.address}/rules/sectors/#{anchor}")
        rule = page.locator(f'[id="{anchor}"]')
        expect(rule).to_be_in_viewport()


def test_a_hit_leads_to_its_chapter(live_site: "LiveSite", browser: "Browser") -> None:
    """The section found, and a rule it cites that was not found itself."""
    with another_page(browser, width=390, height=844, scripts=False) as page:
        page.goto(f"{live_site.address}/rules/sectors/?q=cover+short")
        first = page.locator(".rule-s").first
        expect(first).to_have_attribute("id", "S-5.6")
        first.locator(".rule-n").click()
        expect(page).to_have_url(f"{live_site.address}/rules/sectors/?edition=2#S-5.6")
        expect(page.locator("#S-5\\.6")).to_be_in_viewport()
        page.go_back()
        page.locator(".rule-s").first.locator("a.ref", has_text="S 6.5").click()
        expect(page.locator("#S-6\\.5")).to_be_in_viewport()


def test_a_desktop_shows_every_chapter(live_site: "LiveSite", browser: "Browser") -> None:
    with another_page(browser, width=1440, height=900, scripts=False) as page:
        page.goto(f"{live_site.address}/rules/sectors/")
        chapters = page.locator(".chapter")
        expect(chapters.filter(visible=True)).to_have_count(chapters.count())
        expect(page.get_by_role("navigation", name="In this chapter").first).to_be_hidden()
