"""Pass, withdraw, edit, ready and not ready; and that every kind of action has a story in a browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from game.rulesets.sectors.ruleset import SECTORS
from tests.browser.conftest import Sit
from tests.browser.desk import taken
from tests.rulesets.sectors.table import Table

MARK = re.compile(r"^@pytest\.mark\.takes\((.+)\)$", re.MULTILINE)


@pytest.fixture
def orders(table: Table) -> Table:
    return table.at("stock_orders")


@pytest.mark.takes("pass")
def test_passing(orders: Table, sit: Sit) -> None:
    desk = sit(orders)
    desk.page.locator("#ready").uncheck()
    desk.press("pass").stands_at("submitted")
    expect(desk.bar).to_contain_text("You passed")


@pytest.mark.takes("market_order", "withdraw")
def test_withdrawing(orders: Table, sit: Sit) -> None:
    desk = sit(orders)
    desk.pick("company", "ACME").type("quantity", 2).send(ready=False).stands_at("submitted")
    expect(desk.bar).to_contain_text("buy 2 ACME", ignore_case=True)
    desk.press("withdraw").stands_at("untouched")
    expect(desk.bar).to_contain_text("Nothing saved yet")


@pytest.mark.takes("market_order")
def test_editing_what_was_submitted(orders: Table, sit: Sit) -> None:
    desk = sit(orders)
    desk.pick("company", "ACME").type("quantity", 2).send(ready=False).stands_at("submitted")
    desk.bar.get_by_text("Edit", exact=True).click()
    expect(desk.field("quantity")).to_have_value("2")
    desk.type("quantity", 3).press("submit")
    expect(desk.bar).to_contain_text("buy 3 ACME", ignore_case=True)
    desk.press("ready").reads("You bought 3 ACME on the open market.")


@pytest.mark.takes("ready")
def test_ready_and_not_ready_again(table: Table, sit: Sit) -> None:
    desk = sit(table.seats("ada", "bob", cash=500).at("stock_orders"), all_ready=False)
    desk.send(ready=True).stands_at("ready")
    expect(desk.brief.locator(".who .is-you")).to_contain_text("Ready")
    desk.press("unready").stands_at("submitted")
    desk.press("ready").stands_at("ready")
    assert {"market_order", "ready"} <= taken(desk.game, seat=0)


def test_every_action_of_the_rules_is_taken_in_a_browser() -> None:
    """A new action without a story fails here; each story's mark is held against the log of its game."""
    lines = (
        arguments
        for file in Path(__file__).parent.glob("test_*.py")
        for arguments in MARK.findall(file.read_text(encoding="utf-8"))
    )
    assert {tag for arguments in lines for tag in re.findall(r'"(\w+)"', arguments)} == set(
        SECTORS.registries["actions"]
    )
