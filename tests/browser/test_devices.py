"""A browser without scripts, a phone, and a stranger's browser."""

import time
from typing import TYPE_CHECKING

import pytest
from django.db.models.functions import Now
from playwright.sync_api import expect

from game.store.game import Game
from tests.browser.conftest import two_people
from tests.browser.desk import Desk, another_page, box_of, sign_in
from tests.browser.positions import lay, others_are_ready
from tests.rulesets.sectors.table import Table
from tests.tables import fresh

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.live_site import LiveSite

NARROW, TALL = 390, 844


def at_influence(table: Table) -> Table:
    return table.at("influence_bid")


def at_headlines(table: Table) -> Table:
    return table.at("start_turn").headlines(("industrial", 1), ("industrial", -1))


def at_orders(table: Table) -> Table:
    table.company("IDLE", sector="energy", status="inactive", price=39).contract("ACME", strike=60, premium=12)
    return table.at("stock_orders").holdings("ACME", ada=4)


def at_distribution(table: Table) -> Table:
    return table.at("tranche_distribution", turn=3).tranche("industrial", cash=90, prestige=1, winner="ada")


def at_revenue(table: Table) -> Table:
    return table.at("revenue_vote").company("ACME", produced=4, sold=4, revenue=200).holdings("ACME", ada=6)


def at_ballot(table: Table) -> Table:
    return table.at("company_vote", acting="ACME").company("ACME", treasury=500).holdings("ACME", ada=6)


def at_contributions(table: Table) -> Table:
    table.company("ACME", status="insolvent", treasury=0).holdings("ACME", ada=3, bob=2)
    return table.at("contributions", acting="ACME")


PLACES = [at_influence, at_headlines, at_orders, at_distribution, at_revenue, at_ballot, at_contributions]


def test_on_a_phone_the_send_bar_is_reached_without_scrolling(browser: "Browser", live_site: "LiveSite") -> None:
    with another_page(browser, width=NARROW, height=TALL) as page:
        sign_in(page, live_site, "ada")
        for place in PLACES:
            desk = Desk(page, live_site, lay(place(two_people()))).open()
            assert is_within(desk.button("submit")), place.__name__
            assert page.evaluate("() => document.scrollingElement.scrollWidth") <= NARROW, place.__name__
            page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
            assert is_within(desk.button("submit")), place.__name__
            do, state = ("ready", "ready") if place is at_contributions else ("pass", "submitted")
            if do == "pass":
                page.locator("#ready").uncheck()  # ticked where nobody else decides
            desk.press(do).stands_at(state)


def is_within(button: "Locator") -> bool:
    """Whether a finger finds it: inside the window, wide enough, and nothing over it."""
    box = box_of(button)
    return bool(
        box["x"] >= 0 and box["x"] + box["width"] <= NARROW and box["y"] + box["height"] <= TALL and box["height"] >= 40
    )


def test_without_scripts_a_turn_is_played_by_forms_and_reloading(
    browser: "Browser", live_site: "LiveSite", table: Table
) -> None:
    game = lay(table.at("stock_orders").options(max_sub_rounds=2))
    others_are_ready(game)
    with another_page(browser, scripts=False) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open(listening=False)
        desk.choose("side", "buy").pick("company", "ACME").choose("location", "market").type("quantity", 2)
        page.get_by_role("button", name="Save draft and see what happens next").click()
        desk.sees("#preview", "2 × 47 = 94").stands_at("draft")
        desk.send(ready=False).stands_at("submitted")
        desk.bar.get_by_text("Edit", exact=True).click()
        desk.type("quantity", 3).press("submit").stands_at("submitted")
        desk.press("ready").reads("You bought 3 ACME on the open market.")
        desk.press("pass").stands_at("submitted")
        Game.objects.filter(pk=game.pk).update(deadline_at=Now())
        while fresh(game).phase_name == "stock_orders":
            time.sleep(0.05)  # without scripts nothing on the page can be waited for
        page.reload()
        desk.reads("The stock round ended after 2 sub-rounds")


def test_without_scripts_a_refusal_keeps_what_was_typed(
    browser: "Browser", live_site: "LiveSite", table: Table
) -> None:
    game = lay(table.at("influence_bid"))
    with another_page(browser, scripts=False) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open(listening=False)
        desk.type("points", 51).press("submit")
        desk.sees("#refusal", "not 51").sees("#refusal", "(S 1.5)")
        expect(desk.field("points")).to_have_value("51")


@pytest.mark.parametrize("name", ["", "mallory"])
def test_a_stranger_sees_the_board_without_any_form(
    live_site: "LiveSite", page: "Page", table: Table, name: str
) -> None:
    game = lay(table.at("stock_orders"))
    if name:
        sign_in(page, live_site, name)
    desk = Desk(page, live_site, game).open()
    desk.sees("#players", "ada").sees("#h-sectors", "ACME").sees("#brief", "You are watching")
    expect(page.locator(".table :is(form, button, select):visible")).to_have_count(0)
    expect(page.locator(".table [form]")).to_have_count(0)
