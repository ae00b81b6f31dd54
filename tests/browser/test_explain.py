"""A figure's explanation opens beside it, by pointer and by keyboard; without scripts the figure is a link."""

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.desk import Desk, box_of, sign_in, watch
from tests.tables import at_phase, new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite


def test_by_keyboard_and_back_to_the_figure(live_site: "LiveSite", page: "Page") -> None:
    seen = watch(page)
    game = at_phase(new_game("ada", bots=2), "stock_orders")
    sign_in(page, live_site, "ada")
    Desk(page, live_site, game).open()
    sheet, figure = page.locator(".explained"), page.locator("#players a.explain[href*='/net_worth/0/']")
    worth = figure.inner_text()
    figure.focus()
    page.keyboard.press("Enter")
    expect(sheet).to_be_visible()
    expect(sheet).to_contain_text("Your net worth")
    expect(sheet.locator("tfoot")).to_contain_text(worth)
    expect(page).to_have_url(f"{live_site.address}/games/{game.pk}/")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(figure).to_be_focused()
    assert not seen, seen


def test_by_touch_it_stays_on_the_screen(live_site: "LiveSite", browser: "Browser") -> None:
    game = at_phase(new_game("ada", bots=2), "stock_orders")
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    sign_in(page, live_site, "ada")
    Desk(page, live_site, game).open()
    sheet = page.locator(".explained")
    for figure in ("treasury", "price"):
        page.locator(f".co a.explain[href*='/{figure}/']").first.tap()
        expect(sheet).to_be_visible()
        box = box_of(sheet)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
    context.close()


def test_without_scripts_it_is_a_page(live_site: "LiveSite", browser: "Browser") -> None:
    game = at_phase(new_game("ada", bots=2), "stock_orders")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_site.address}/games/{game.pk}/")
    page.locator("#players a.explain[href*='/net_worth/0/']").click()
    expect(page.locator("h1")).to_contain_text("Net worth of ada")
    expect(page.locator("tfoot")).to_contain_text("Total")
    page.get_by_role("link", name="To the board").click()
    expect(page).to_have_url(f"{live_site.address}/games/{game.pk}/")
    context.close()
