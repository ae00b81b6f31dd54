"""The ballot sheet: all companies of an operating round in one form, by keyboard, on a phone, and without scripts."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk, another_page, sign_in
from tests.browser.positions import lay
from tests.browser.test_vote_actions import rivals
from tests.rulesets.sectors.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.live_site import LiveSite


@pytest.mark.parametrize("width", [390, 1440])
def test_the_sheet_is_filled_in_by_keyboard_and_shows_what_counts(
    table: Table, browser: "Browser", live_site: "LiveSite", width: int
) -> None:
    """bob is still deciding: what ada gives at both companies stands, and is changed on the same sheet."""
    game = lay(rivals(table.holdings("ACME", bob=1).holdings("BETA", bob=1)))
    with another_page(browser, width=width, height=844) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open()
        sheet = page.locator("#ahead-BETA")
        expect(sheet.locator(".ahead-now")).to_have_text("No vote yet")
        sheet.locator("summary").press("Enter")
        desk.sees("#ahead-BETA .say", "Your 6 shares decide alone.")
        abstain, loan = (sheet.locator(f"input[value={value}]") for value in ("abstain", "loan"))
        loan.press("Space")
        abstain.press("Space")
        expect(loan).not_to_be_checked()
        loan.press("Space")
        expect(abstain).not_to_be_checked()
        desk.choose("actions_ACME", "veto").send(ready=False).stands_at("submitted")
        desk.sees("#ahead-BETA .ahead-now", "Counts now: loan").sees("#ballot", "1 of 1 later vote cast")
        assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width


def test_the_sheet_works_without_scripts(table: Table, browser: "Browser", live_site: "LiveSite") -> None:
    """One plain form: the rest abstains, and a second submission takes it back."""
    game = lay(rivals(table.holdings("ACME", bob=1).holdings("BETA", bob=1)))
    with another_page(browser, scripts=False) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open(listening=False)
        desk.choose("actions_ACME", "veto")
        page.locator("input[name=abstain_rest]").check()
        desk.press("submit").sees("#ahead-BETA .ahead-now", "Counts now: abstain")
        page.locator("label[for=edit]", has_text="Edit").click()
        page.locator("#ahead-BETA summary").click()
        page.locator("#ahead-BETA input[value=abstain]").uncheck()
        desk.press("submit").sees("#ahead-BETA .ahead-now", "No vote yet")
