"""What spares later questions, on the page: ticked by keyboard or without scripts, shown as it stands, and ended."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk, another_page, sign_in, taken
from tests.browser.positions import lay
from tests.clock.test_fewer_waits import dividends, held, investing, opening
from tests.tables import READY, send

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.live_site import LiveSite


def fits(desk: Desk, width: int) -> None:
    assert desk.page.evaluate("() => document.scrollingElement.scrollWidth") <= width


@pytest.mark.takes("stop_ordering")
@pytest.mark.parametrize("width", [390, 1440])
def test_the_turn_is_decided_on_one_sheet_by_keyboard(browser: "Browser", live_site: "LiveSite", width: int) -> None:
    """Pledge, tranche vote and first order in one submission; the bar says all of it."""
    game = lay(opening())
    with another_page(browser, width=width, height=844) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open()
        desk.unfold("later-tranche", "later-first", "later")
        desk.ticket.locator("input[name=headline][value='1']").press("Space")
        desk.ticket.locator("input[name=tranche][value='2']").press("Space")
        desk.pick("first", "buy/market/ACME").type("first_quantity", 2)
        desk.ticket.locator("input[name=done]").press("Space")
        fits(desk, width)
        desk.send().stands_at("ready")
        desk.sees("#sendbar", "Pledge to the headline “Energy 1 place earlier”")
        assert held(game) == {"pledge_headline", "vote_tranche", "order", "stop_ordering"}
        assert "stop_ordering" in taken(game, seat=0)
        fits(desk, width)


def test_a_limit_is_proposed_and_a_tranche_can_be_left_for_later(sit: Callable[..., Desk]) -> None:
    """Fields stand on the sheet only where the chosen order has them."""
    desk = sit(opening(), all_ready=False)
    prize, limit, shares = (
        desk.ticket.locator(f"[name={name}]") for name in ("prize", "first_value", "first_quantity")
    )
    expect(prize).to_be_hidden()
    expect(shares).to_be_hidden()
    desk.unfold("later-tranche", "later-first").choose("tranche", "2").pick("first", "buy/limit/ACME")
    expect(limit).to_have_value("19")
    expect(prize).to_be_visible()
    desk.stands_at_draft("first order: buy 1 ACME at 19")
    desk.ticket.get_by_label("Ask me then").last.check()
    expect(prize).to_be_hidden()
    desk.pick("first", "short/ACME")
    expect(limit).to_be_hidden()
    desk.stands_at_draft("First order: short 1 ACME")
    desk.send().stands_at("ready")
    assert held(desk.game) == {"pass", "order"}


def test_the_last_order_of_a_stock_round_without_scripts(browser: "Browser", live_site: "LiveSite") -> None:
    """A pass with the mark ends the questions; edited without it, they go on."""
    game = lay(investing())
    with another_page(browser, scripts=False) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open(listening=False)
        desk.unfold("later").field("done").check()
        desk.press("pass").sees("#sendbar", "No more orders in this stock round")
        assert held(game) == {"stop_ordering"}
        page.locator("label[for=edit]", has_text="Edit").click()
        expect(desk.field("done")).to_be_checked()
        desk.field("done").uncheck()
        desk.press("submit").stands_at("submitted")
        assert held(game) == {"order"}


@pytest.mark.takes("vote_full_revenue")
@pytest.mark.parametrize("width", [390, 1440])
def test_full_dividends_are_ended_from_any_phase(browser: "Browser", live_site: "LiveSite", width: int) -> None:
    game = lay(dividends())
    with another_page(browser, width=width, height=844) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open()
        desk.unfold("later").field("always").press("Space")
        desk.press("submit").stands_at("ready")
        desk.sees("#lasting", "Full dividends from now on")
        assert "vote_full_revenue" in taken(game, seat=0)
        send(game, 1, READY)
        expect(desk.ticket).not_to_have_attribute("data-serial", "2")
        desk.sees("#lasting", "Full dividends from now on")
        fits(desk, width)
        page.locator("#lasting button").press("Enter")
        expect(page.locator("#lasting")).to_be_hidden()
        assert held(game) == set()


def test_others_see_nothing_of_it(browser: "Browser", live_site: "LiveSite") -> None:
    game = lay(dividends())
    send(game, 0, {"kind": "vote_full_revenue"})
    with another_page(browser) as page:
        sign_in(page, live_site, "bob")
        desk = Desk(page, live_site, game).open()
        expect(page.locator("#lasting")).to_be_hidden()
        expect(desk.field("always")).not_to_be_checked()
