"""A refusal is shown at the form, with the rule and the numbers, and keeps what was typed."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.desk import Desk, taken
from tests.rulesets.sectors.table import Table

pytestmark = pytest.mark.refused
NO_BIDS = {"51": "not 51", "-1": "not -1", "1.5": "not “1.5”", "": "is empty", "1000000000": "not 1"}
"""What was typed, and what is said of it."""


def is_refused(desk: Desk, rule: str, *words: str) -> None:
    refusal = desk.page.locator("#refusal")
    expect(refusal).to_contain_text(f"Read rule {rule}")
    for said in words:
        expect(refusal).to_contain_text(said)
    assert not taken(desk.game, seat=0)


def test_bids_that_cannot_be(table: Table, sit: Sit) -> None:
    desk = sit(table.at("influence_bid"))
    for typed, words in NO_BIDS.items():
        desk.type("points", typed).send()
        is_refused(desk, "S 1.5", "0 to 50", words)
        expect(desk.field("points")).to_have_value(typed)
        expect(desk.field("points")).to_have_attribute("aria-invalid", "true")
    desk.type("points", 50).send().reads("You bid 50 influence")


def test_a_limit_at_the_price_of_now(table: Table, sit: Sit) -> None:
    desk = sit(table.at("stock_orders"))
    desk.choose("kind", "limit_order").pick("company", "ACME").type("quantity", 2).type("value", 47).send()
    is_refused(desk, "limits", "price is already 47")
    expect(desk.field("value")).to_have_value("47")
    expect(desk.field("quantity")).to_have_value("2")


def test_a_bid_under_the_price(table: Table, sit: Sit) -> None:
    desk = sit(table.at("stock_orders").options(distribution="bid"))
    desk.pick("company", "ACME").choose("location", "market").type("quantity", 2).type("bid", 46).send()
    is_refused(desk, "S 5.3", "47", "46")
    expect(desk.field("bid")).to_have_value("46")


def test_more_shares_than_there_are(table: Table, sit: Sit) -> None:
    desk = sit(table.at("stock_orders"))
    desk.pick("company", "ACME").type("quantity", 11).send()
    is_refused(desk, "S 5.1", "1 to 10", "not 11")
    expect(desk.field("quantity")).to_have_value("11")


def test_more_than_the_tranche_holds(table: Table, sit: Sit) -> None:
    desk = sit(table.at("tranche_distribution", turn=3).tranche("industrial", cash=90, winner="ada"))
    desk.type("cash_1", 91).send()
    is_refused(desk, "S 7.9", "90", "91")
    expect(desk.field("cash_1")).to_have_value("91")


def test_a_contribution_that_is_not_confirmed_or_not_there(table: Table, sit: Sit) -> None:
    table.company("ACME", status="insolvent", treasury=0).holdings("ACME", ada=3, bob=2)
    desk = sit(table.at("contributions", acting="ACME"))
    desk.type("cash", 120).press("submit")
    is_refused(desk, "S 6.12", "tick the box")
    expect(desk.field("cash")).to_have_value("120")
    desk.type("cash", 501).press("submit")
    is_refused(desk, "S 6.12", "501", "500")
