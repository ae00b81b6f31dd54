"""Every kind of order, covers and exercises: taken by clicking, and their effect seen."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.rulesets.sectors.table import Table


def test_to_sell_proposes_what_one_holds(table: Table, sit: Sit) -> None:
    """And to buy again, what is for sale."""
    table.company("BETA", price=43).holdings("BETA", ada=2)
    desk = sit(table.at("stock_orders"))
    expect(desk.page.locator("#company")).to_have_value("ACME")
    desk.choose("side", "sell")
    expect(desk.page.locator("#company")).to_have_value("BETA")
    desk.sees("#preview", "1 × 43 = 43").stands_at_draft("Sell 1 BETA")


@pytest.mark.takes("market_order", "ready")
def test_buying_from_an_ipo(table: Table, sit: Sit) -> None:
    table.at("stock_orders").company("IDLE", sector="energy", status="inactive", price=39)
    desk = sit(table)
    desk.choose("kind", "market_order").choose("side", "buy").pick("company", "IDLE").choose("location", "ipo").type(
        "quantity", 3
    )
    desk.sees("#preview", "3 × 39 = 117").send()
    desk.reads("You bought 3 IDLE from the IPO.", "3 × 39 = −117")
    expect(desk.row("You")).to_contain_text("383")


@pytest.mark.takes("market_order")
def test_buying_on_the_open_market(table: Table, sit: Sit) -> None:
    desk = sit(table.at("stock_orders"))
    desk.choose("side", "buy").pick("company", "ACME").choose("location", "market").type("quantity", 2).send()
    desk.reads("You bought 2 ACME on the open market.", "2 × 47 = −94")


@pytest.mark.takes("market_order")
def test_selling_on_the_open_market(table: Table, sit: Sit) -> None:
    desk = sit(table.at("stock_orders").holdings("ACME", ada=4))
    desk.choose("side", "sell").pick("company", "ACME").type("quantity", 3).send()
    desk.reads("You sold 3 ACME on the open market.", "ACME fell")


@pytest.mark.takes("standing_order")
def test_buying_up_to_a_price_of_ones_own(table: Table, sit: Sit) -> None:
    desk = sit(table.at("stock_orders"))
    desk.choose("kind", "standing_order").choose("side", "buy").pick("company", "ACME").type("value", 47).type(
        "quantity", 2
    )
    desk.send().reads("You bought 2 ACME on the open market.", "2 × 47 = −94")


@pytest.mark.takes("market_order")
def test_bidding_for_scarce_shares(table: Table, sit: Sit) -> None:
    desk = sit(table.at("stock_orders").options(distribution="bid"))
    desk.pick("company", "ACME").choose("location", "market").type("quantity", 2).type("bid", 55).send()
    desk.reads("You ordered to buy 2 ACME on the open market, bidding 55 per share.", "2 × 55 = −110")


@pytest.mark.takes("limit_order")
@pytest.mark.parametrize(("side", "value"), [("buy", 40), ("sell", 55)])
def test_a_limit_order_waits_for_its_price(table: Table, sit: Sit, side: str, value: int) -> None:
    desk = sit(table.at("stock_orders").holdings("ACME", ada=4))
    desk.choose("kind", "limit_order").choose("side", side).pick("company", "ACME").type("value", value).type(
        "quantity", 2
    ).send()
    desk.reads(f"Your limit order opened: {side} 2 ACME at {value}.")
    desk.sees("#offers", str(value))


@pytest.mark.takes("short_order")
def test_a_short_is_opened_with_its_margin(table: Table, sit: Sit) -> None:
    desk = sit(table.at("stock_orders"))
    desk.choose("kind", "short_order").pick("company", "ACME").type("quantity", 2)
    desk.sees("#preview", "Margin locked").send()
    desk.reads("You shorted 2 ACME and locked a margin of 47.")


@pytest.mark.takes("option_order")
def test_an_option_is_bought(table: Table, sit: Sit) -> None:
    table.at("stock_orders").contract("ACME", strike=60, premium=12)
    desk = sit(table)
    desk.choose("kind", "option_order").choose("contract", _number_of(table)).send()
    desk.reads("You bought an option on ACME.", "−12")


@pytest.mark.takes("option_order")
def test_an_option_is_bid_for(table: Table, sit: Sit) -> None:
    desk = sit(table.at("stock_orders").options(distribution="bid").contract("ACME", strike=60, premium=12))
    desk.choose("kind", "option_order").choose("contract", _number_of(table)).type("contract_bid", 20).send()
    desk.reads("You bought an option on ACME.", "−20")


@pytest.mark.takes("cover_short")
def test_a_short_is_covered(table: Table, sit: Sit) -> None:
    table.at("cover_shorts").company("ACME", price=39).short("ada", "ACME", 2, 47)
    desk = sit(table)
    desk.choose("cover", str(next(iter(table.state.orders))))
    desk.sees("#preview", "Margin freed").send()
    desk.reads("You covered a short of 2 ACME and freed the margin of 47.")


@pytest.mark.takes("exercise_option")
def test_an_option_is_exercised(table: Table, sit: Sit) -> None:
    desk = sit(table.at("exercise_options").contract("ACME", strike=40, term=3, owner="ada"))
    desk.choose("exercise", _number_of(table))
    desk.sees("#preview", "You get").send()
    desk.reads("You exercised an option on 3 ACME at a strike of 40.", "(47 − 40) × 3 = +21")


def _number_of(table: Table) -> str:
    """The number of the only contract."""
    return str(next(iter(table.state.contracts)))
