"""Two of three players pause a game and let it go on, each on their own page; a third takes more time."""

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from game.store.game import Status
from tests.browser.desk import Desk, another_page, sign_in, watch
from tests.tables import fresh, new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite


def test_a_pause_by_vote(live_site: "LiveSite", page: "Page", browser: "Browser") -> None:
    game = new_game("ada", "ben", "carla", pace="daily")
    seen = watch(page)
    sign_in(page, live_site, "ada")
    ada = Desk(page, live_site, game).open()
    keeping = page.locator("#keeping")
    keeping.get_by_role("button", name="Take 12 hours more").click()
    ada.reads("You need more time: this phase is extended by 12 hours.")
    expect(keeping.get_by_role("button", name="Take 12 hours more")).to_have_count(0)
    keeping.get_by_role("button", name="Propose a pause").click()
    expect(keeping).to_contain_text("1 more must agree.")
    with another_page(browser, width=390, height=844) as other:
        troubles = watch(other)
        sign_in(other, live_site, "ben")
        ben = Desk(other, live_site, game).open()
        result = other.locator("#pause-asked")
        expect(result).to_be_in_viewport()
        expect(result).to_contain_text("Agreed: 1 of the 2 needed.")
        expect(result.get_by_role("button", name="Decline")).to_be_visible()
        result.get_by_role("button", name="Agree").click()
        expect(ben.brief).to_contain_text("The players paused this game.")
        assert fresh(game).status == Status.PAUSED
        assert other.evaluate("document.documentElement.scrollWidth") <= 390
        ada.open()
        expect(ada.brief).to_contain_text("The players paused this game.")
        keeping.get_by_role("button", name="Propose to resume").click()
        expect(keeping).to_contain_text("You propose to resume the game.")
        ben.open()
        other.locator("#pause-asked").get_by_role("button", name="Agree").click()
        ben.reads("The players agreed to continue. The clock runs again.")
        assert fresh(game).is_running
        assert not troubles, troubles
    assert not seen, seen
