"""A press of the button while nothing is chosen is no mistake: it leads to the choice, which the bar asks for."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts.guests import mark_notes_read
from tests.browser.conftest import Sit
from tests.browser.desk import Desk, another_page, box_of, sign_in, watch
from tests.browser.playing import PHONE, WIDE
from tests.browser.test_power_up import whose_turn
from tests.browser.test_vote_actions import rivals
from tests.rulesets.sectors.table import Table
from tests.tables import fresh, new_game, person

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.live_site import LiveSite

ASKS = {
    "power_up": "Choose a tile or another action",
    "stock_market_tycoon": "Choose a company",
    "big_shoulders": "Choose a company",
}


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize("ruleset", ASKS)
def test_in_a_turn(browser: "Browser", live_site: "LiveSite", ruleset: str, size: dict[str, int]) -> None:
    game = new_game("ada", "bob", ruleset=ruleset, pace="daily")
    who = ("ada", "bob")[whose_turn(game)]
    with another_page(browser, **size) as page:
        mark_notes_read(person(who), ["*"])
        sign_in(page, live_site, who)
        seen = watch(page)
        desk = Desk(page, live_site, game).open()
        expect(desk.bar).to_contain_text(ASKS[ruleset])
        desk.press("submit")
        leads_to_a_choice(desk)
        focused = page.evaluate("document.activeElement.value")
        page.locator(f"input[value='{focused}']:focus").check(force=True)
        expect(desk.bar).not_to_contain_text(ASKS[ruleset])
        expect(page.locator(".is-asked")).to_have_count(0)
        assert (seen, fresh(game).version) == ([], game.version), "nothing was sent"


def leads_to_a_choice(desk: Desk) -> None:
    """It is marked, has the focus, and stands clear of the bar."""
    expect(desk.page.locator("#refusal")).to_have_count(0)
    marked = desk.page.locator(".is-asked")
    expect(marked.locator(":focus")).to_have_count(1)
    label = desk.page.locator("label:has(:focus), tr:has(:focus)").first
    expect(label).to_be_in_viewport(ratio=1)
    assert box_of(label)["y"] + box_of(label)["height"] <= box_of(desk.bar)["y"] or desk.page.viewport_size == WIDE


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "desktop"])
def test_in_a_vote(table: Table, sit: Sit, size: dict[str, int]) -> None:
    mark_notes_read(person("ada"), ["*"])
    desk = sit(rivals(table), all_ready=False)
    desk.page.set_viewport_size(size)
    expect(desk.bar).to_contain_text("Choose an action")
    desk.press("submit")
    leads_to_a_choice(desk)
    desk.page.locator("#ballot .ballot input").first.check()
    desk.send(ready=False).stands_at("submitted")
