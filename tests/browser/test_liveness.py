"""Two people at once: what one does the other sees without reloading, and what one types is never destroyed."""

from typing import TYPE_CHECKING

import pytest
from django.db.models.functions import Now
from playwright.sync_api import APIResponse, Route, expect

from game.store.game import Game
from tests.browser.conftest import Join, Sit
from tests.browser.desk import Desk
from tests.browser.positions import others_are_ready
from tests.rulesets.sectors.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Page

LATEST = 20_000  # milliseconds, within which a page that is looked at asks what is new


def test_a_submission_is_seen_by_the_other_without_reloading(table: Table, sit: Sit, join: Join) -> None:
    ada = sit(table.at("stock_orders"), all_ready=False)
    bob = join(ada, "bob")
    expect(bob.brief.locator(".who li", has_text="ada")).to_contain_text("Not started")
    bob.remember_this_page()
    ada.pick("company", "ACME").type("quantity", 2).send(ready=False).stands_at("submitted")
    expect(bob.brief.locator(".who li", has_text="ada")).to_contain_text("Submitted")
    assert "2 ACME" not in bob.page.locator("body").inner_text()
    ada.press("ready")
    expect(bob.brief.locator(".who li", has_text="ada")).to_contain_text("Ready")
    assert bob.is_the_same_page()


def test_a_load_fetches_the_board_once(table: Table, sit: Sit) -> None:
    """The socket opens on a page that has just been drawn; what happens afterwards is fetched once more."""
    ada = sit(table.at("stock_orders"), all_ready=False)
    fetched: list[str] = []
    ada.page.on("request", lambda request: fetched.append(request.url) if request.url == ada.address else None)
    with ada.page.expect_response("**/version/"):
        ada.open()
    ada.page.wait_for_timeout(300)
    assert len(fetched) == 1
    others_are_ready(ada.game)
    expect(ada.bar).to_contain_text("Everyone else is ready")
    assert len(fetched) == 2


def test_a_seventh_page_takes_the_first_one_s_place_until_that_is_looked_at_again(table: Table, sit: Sit) -> None:
    ada = sit(table.at("stock_orders"), all_ready=False)
    first = ada.page.locator("[data-live]")
    others = [ada.page.context.new_page() for _ in range(6)]
    for other in others:
        other.goto(ada.address)
        expect(other.locator("[data-live]")).to_have_attribute("data-link", "open")
    expect(first).to_have_attribute("data-link", "lost")
    ada.page.wait_for_timeout(2000)  # longer than the first pauses before a lost socket is opened again
    expect(first).to_have_attribute("data-link", "lost")
    assert [other.locator("[data-live]").get_attribute("data-link") for other in others] == ["open"] * 6
    ada.page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(first).to_have_attribute("data-link", "open")
    for other in others:
        other.close()


def test_what_was_saved_in_one_window_is_shown_in_the_other(table: Table, sit: Sit, page: "Page") -> None:
    """The last draft counts, whichever window it comes from; what is typed and not saved yet stays."""
    page.clock.install()  # of both windows
    one = sit(table.at("influence_bid"), all_ready=False)
    two = Desk(one.page.context.new_page(), one.site, one.game).open()
    one.type("points", 10).stands_at_draft("10")
    page.clock.fast_forward(LATEST)
    expect(two.field("points")).to_have_value("10")
    two.type("points", 30).stands_at_draft("30")
    page.clock.fast_forward(LATEST)
    expect(one.field("points")).to_have_value("30")
    one.stands_at_draft("30")
    expect(one.page.locator("#elsewhere-note")).to_be_visible()
    one.type("points", 20).stands_at_draft("20")
    expect(one.page.locator("#elsewhere-note")).to_be_hidden()
    page.clock.fast_forward(LATEST)
    expect(two.field("points")).to_have_value("20")
    two.press("submit").stands_at("submitted")
    one.stands_at("submitted")
    expect(two.page.locator("#elsewhere-note")).to_be_hidden()
    two.page.close()


def test_a_draft_is_nobody_elses_business(table: Table, sit: Sit, join: Join) -> None:
    ada = sit(table.at("stock_orders"), all_ready=False)
    bob = join(ada, "bob")
    ada.pick("company", "ACME").type("quantity", 4).stands_at_draft("Buy 4 ACME")
    bob.pick("company", "ACME").type("quantity", 2).send(ready=False).stands_at("submitted")
    expect(bob.brief.locator(".who li", has_text="ada")).to_contain_text("Not started")
    expect(ada.brief.locator(".who li", has_text="bob")).to_contain_text("Submitted")
    expect(ada.field("quantity")).to_have_value("4")


def test_the_phase_closes_while_the_other_is_typing(table: Table, sit: Sit, join: Join) -> None:
    """Bob was ready with one order and is changing it when ada's word closes the phase."""
    ada = sit(table.at("stock_orders").options(max_sub_rounds=2), all_ready=False)
    bob = join(ada, "bob")
    bob.pick("company", "ACME").type("quantity", 2).send().stands_at("ready")
    bob.bar.get_by_text("Edit", exact=True).click()
    bob.type("quantity", 7)
    ada.send()
    expect_outdated(bob, "What you submitted counted: buy 2 ACME", quantity="7")
    bob.reads("You bought 2 ACME on the open market.")
    bob.page.locator("#closed-note").get_by_role("button", name="Show the current phase").click()
    expect(bob.field("quantity")).to_have_value("1")
    expect(bob.button("submit")).to_be_enabled()
    bob.send(ready=False).stands_at("submitted")


@pytest.mark.refused  # a draft that comes after the deadline
def test_the_deadline_fires_while_somebody_is_typing(table: Table, sit: Sit) -> None:
    """The draft that was saved by then is sent for them, and the page says so."""
    ada = sit(table.at("stock_orders").options(max_sub_rounds=2))
    ada.pick("company", "ACME").type("quantity", 3).stands_at_draft("Buy 3 ACME")
    Game.objects.filter(pk=ada.game.pk).update(deadline_at=Now())
    expect_outdated(ada, "Your draft was submitted for you: buy 3 ACME", quantity="3")
    ada.reads("You bought 3 ACME on the open market.")


@pytest.mark.refused
def test_the_deadline_fires_while_somebody_types_what_cannot_be_kept(table: Table, sit: Sit) -> None:
    ada = sit(table.at("influence_bid"))
    ada.field("points").press_sequentially("9")
    Game.objects.filter(pk=ada.game.pk).update(deadline_at=Now())
    expect(ada.page.locator("#closed-note")).to_be_visible()
    expect(ada.field("points")).to_have_value("940")
    expect(ada.button("submit")).to_be_disabled()


def test_prices_move_under_an_open_form(table: Table, sit: Sit, join: Join) -> None:
    """A contribution is public and at once: the other's form stays and is told."""
    table.company("ACME", status="insolvent", treasury=0).holdings("ACME", ada=3, bob=2)
    ada = sit(table.at("contributions", acting="ACME"), all_ready=False)
    bob = join(ada, "bob")
    ada.type("cash", 70)
    bob.type("cash", 50)
    bob.page.locator("#sure").check()
    bob.press("submit").reads("You gave ACME 50")
    ada.reads("bob gave ACME 50")
    expect(ada.field("cash")).to_have_value("70")
    ada.page.locator("#sure").check()
    ada.press("submit").reads("You gave ACME 70")


def test_who_becomes_the_last_one_meanwhile_finds_ready_ticked_and_the_form_untouched(table: Table, sit: Sit) -> None:
    ada = sit(table.at("stock_orders").options(max_sub_rounds=2), all_ready=False)
    ready = ada.page.locator("#ready")
    expect(ready).not_to_be_checked()
    ada.pick("company", "ACME").type("quantity", 2)
    others_are_ready(ada.game)
    expect(ada.bar).to_contain_text("Everyone else is ready: submit as ready to close the phase.")
    expect(ready).to_be_checked()
    expect(ada.field("quantity")).to_have_value("2")
    ada.press("submit").reads("You bought 2 ACME on the open market.")


def test_a_mark_that_was_set_by_hand_outlives_a_push(table: Table, sit: Sit, join: Join) -> None:
    ada = sit(table.at("stock_orders"))
    ready = ada.page.locator("#ready")
    expect(ready).to_be_checked()
    ready.uncheck()
    bob = join(ada, "bob")
    bob.press("unready").stands_at("untouched")
    expect(ada.bar).not_to_contain_text("Everyone else is ready")
    bob.press("pass")
    bob.press("ready")
    expect(ada.bar).to_contain_text("Everyone else is ready")
    expect(ready).not_to_be_checked()


def test_a_late_answer_does_not_bring_an_old_decision_back(table: Table, sit: Sit) -> None:
    """The answer to a submission is overtaken by the push of what happened after it."""
    ada = sit(table.at("stock_orders").options(max_sub_rounds=2), all_ready=False)
    answers = overtaken(ada)
    ada.pick("company", "ACME").type("quantity", 2).send()
    expect(ada.brief.locator(".who .is-you")).to_contain_text("Ready")
    others_are_ready(ada.game)
    ada.reads("You bought 2 ACME on the open market.")
    serial = ada.bar.get_attribute("data-serial") or ""
    while not answers:
        ada.page.wait_for_timeout(50)
    with ada.page.expect_event("requestfinished", lambda request: request.url.endswith("/actions/")):
        route, answer = answers.pop()
        route.fulfill(response=answer)
    ada.page.unroute("**/actions/")
    expect(ada.ticket).to_have_attribute("data-serial", serial)
    ada.pick("company", "ACME").type("quantity", 1).send(ready=False).stands_at("submitted")
    expect(ada.bar).to_have_attribute("data-serial", serial)


def overtaken(desk: Desk) -> list[tuple[Route, APIResponse]]:
    """Keeps the answers to submissions back: the server has taken them, the page has not heard of it."""
    rows: list[tuple[Route, APIResponse]] = []
    desk.page.route("**/actions/", lambda route: rows.append((route, route.fetch())))
    return rows


def expect_outdated(desk: Desk, told: str, *, quantity: str) -> None:
    """The form holds what was typed, cannot be sent, and says what counted instead."""
    note = desk.page.locator("#closed-note")
    expect(note).to_contain_text("This phase closed while you were editing")
    expect(note).to_contain_text(told)
    expect(desk.field("quantity")).to_have_value(quantity)
    for button in desk.page.locator("button[form=ticket]:visible").all():
        expect(button).to_be_disabled()
