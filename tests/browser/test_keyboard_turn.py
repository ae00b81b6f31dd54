"""A whole turn of Sectors with the keyboard alone, and the send bar on a page at 200 %."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import two_people
from tests.browser.desk import Desk, another_page, box_of, sign_in, taken, watch
from tests.browser.positions import lay
from tests.browser.test_devices import at_ballot, at_influence, at_orders, at_revenue
from tests.rulesets.sectors.table import Table
from tests.tables import fresh, new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.live_site import LiveSite

MOST_TABS = 250
MOST_DECISIONS = 40
SECONDS = 240_000  # the bots' answers, on a busy machine
ZOOMED = {"width": 720, "height": 450}  # what 1440 by 900 px hold at 200 %


def go_to(page: "Page", selector: str) -> None:
    """Press Tab until what is wanted has the focus."""
    reached = "(wanted) => document.activeElement.matches(wanted)"
    for _ in range(MOST_TABS):
        if page.evaluate(reached, selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def press_button(page: "Page", do: str) -> None:
    go_to(page, f"button[form=ticket][name=do][value={do}]")
    page.keyboard.press("Enter")


def bid(page: "Page") -> None:
    go_to(page, "#ticket input[name=points]")
    page.keyboard.type("1")


def tick_the_first(page: "Page") -> None:
    go_to(page, "#ticket .picks input:enabled")
    page.keyboard.press("Space")


def pay_out(page: "Page") -> None:
    """Each group of radio buttons is one stop; the arrows choose in it."""
    for number in range(page.locator("#ticket fieldset.rev").count()):
        name = page.locator("#ticket fieldset.rev").nth(number).locator("input[type=radio]").first.get_attribute("name")
        go_to(page, f'input[name="{name}"]')
        for _ in range(4):
            if page.evaluate("document.activeElement.checked && document.activeElement.value === 'full'"):
                break
            page.keyboard.press("ArrowRight")


def vote(page: "Page") -> None:
    go_to(page, "#ballot .ballot input:enabled")
    page.keyboard.press("Space")


FILL: dict[str, Callable[["Page"], None]] = {
    "bid": bid,
    "cards": tick_the_first,
    "ticks": tick_the_first,
    "revenue": pay_out,
    "lens": vote,
}


def decide(desk: Desk) -> str:
    """Fill in what is asked and send it ready; the kind of decision."""
    page = desk.page
    found = re.search(r"ticket--(\w+)", desk.ticket.get_attribute("class") or "")
    kind = found[1] if found else ""
    if kind == "help":
        press_button(page, "ready")
        return kind
    FILL.get(kind, lambda page: None)(page)
    if not page.locator("#ready").is_checked():
        go_to(page, "#ready")
        page.keyboard.press("Space")
    press_button(page, "submit")
    return kind


def test_a_whole_turn_without_a_pointer(live_site: "LiveSite", page: "Page") -> None:
    seen = watch(page)
    game = new_game("ada", bots=2)
    sign_in(page, live_site, "ada")
    desk = Desk(page, live_site, game).open()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    decided = set()
    for _ in range(MOST_DECISIONS):
        if fresh(game).turn > 1:
            break
        serial = desk.bar.get_attribute("data-serial") or ""
        if desk.button("pass").or_(desk.button("ready")).count():
            serial = desk.bar.get_attribute("data-serial") or ""
            decided.add(decide(desk))
        expect(desk.bar).not_to_have_attribute("data-serial", serial, timeout=SECONDS)
        page.wait_for_function("() => document.activeElement !== document.body")  # the focus is never lost
    assert fresh(game).turn == 2
    assert {"bid", "order"} <= decided
    assert not seen, seen


@pytest.mark.parametrize("scripts", [True, False])
def test_enter_in_a_field_keeps_what_is_entered_and_passes_nothing(
    browser: "Browser", live_site: "LiveSite", table: Table, scripts: bool
) -> None:
    game = lay(at_influence(table))
    with another_page(browser, width=390, height=844, scripts=scripts) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open(listening=scripts)
        desk.type("points", 7).field("points").press("Enter")
        desk.sees("#preview", "50 − 7 = 43").sees("#sendbar-m", "7")
        assert taken(game, seat=0) == set()
        expect(desk.button("pass")).to_be_visible()


def test_at_200_percent_ready_and_the_buttons_are_in_sight(browser: "Browser", live_site: "LiveSite") -> None:
    with another_page(browser, **ZOOMED) as page:
        sign_in(page, live_site, "ada")
        for place in (at_influence, at_orders, at_revenue, at_ballot):
            desk = Desk(page, live_site, lay(place(two_people()))).open()
            for top in ("0", "document.body.scrollHeight"):
                page.evaluate(f"() => scrollTo(0, {top})")
                ready = desk.bar.locator("label", has=page.locator("#ready"))
                comes_in_sight(ready)
                comes_in_sight(desk.button("submit"))
            assert page.evaluate("document.documentElement.scrollWidth") <= ZOOMED["width"], place.__name__
            assert box_of(desk.bar)["height"] < ZOOMED["height"] / 3, "the decision itself is read above the bar"
            page.locator("#ready").uncheck()
            desk.press("pass").stands_at("submitted")
            comes_in_sight(desk.button("ready"))


def test_at_200_percent_a_warning_is_in_sight_before_it_is_submitted(
    browser: "Browser", live_site: "LiveSite", table: Table
) -> None:
    game = lay(at_orders(table))
    with another_page(browser, **ZOOMED) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open()
        desk.choose("side", "sell").pick("company", "ACME").type("quantity", 5)
        expect(page.locator("#sendbar-w")).to_contain_text("You own only 4 of these 5 shares")
        comes_in_sight(page.locator("#sendbar-w"))
        comes_in_sight(desk.button("submit"))


def comes_in_sight(place: "Locator") -> None:
    """Whole, and large enough to hit, as soon as the page has been drawn."""
    expect(place).to_be_in_viewport(ratio=0.99)
    assert box_of(place)["height"] >= 24
