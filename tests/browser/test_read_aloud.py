"""Every decision of Sectors as a screen reader tells it: headings in order, names on controls and tables, and what
happened told once."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.every_page import DECISIONS
from tests.rulesets.sectors.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Page

HEADING = re.compile(r"- '?heading .*\[level=(\d)\]")
CONTROLS = "button|checkbox|radio|combobox|spinbutton|textbox|slider|link|form|table"
NAMELESS = re.compile(rf"^\s*- (?:{CONTROLS})(?::| \[|$).*", re.MULTILINE)
LIVE = "[role=status], [role=alert], [aria-live]"


def tree(page: "Page") -> str:
    """What a screen reader is given of the page."""
    return page.locator("body").aria_snapshot()


@pytest.mark.parametrize("place", DECISIONS)
def test_a_decision_is_told_in_order_and_by_name(sit: Sit, table: Table, place: Callable[[Table], Table]) -> None:
    told = tree(sit(place(table)).page)
    levels = [int(level) for level in HEADING.findall(told)]
    assert levels[0] == 1, "the decision is what the page is about"
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels
    assert NAMELESS.findall(told) == []
    assert 'complementary "Your decision"' in told
    assert '- list "Who has decided":' in told
    assert "Net worth" in told
    assert re.search(r'- button "(Submit|I am ready|Exercise|Cover|Vote|Send|Ready|Pay|Contribute)', told), told


def test_figures_of_a_forecast_are_words_apart(sit: Sit, table: Table) -> None:
    desk = sit(table.at("stock_orders"))
    expect(desk.page.get_by_role("table", name="If the order fills")).to_contain_text("500 to 453")


def test_what_happened_is_announced_once(sit: Sit, table: Table) -> None:
    desk = sit(table.at("influence_bid"))
    desk.type("points", 3).send()
    happened = "You bid 3 influence points and are 1st in player priority."
    expect(desk.page.locator("#happened, #push").get_by_text(happened).first).to_be_attached()
    said = desk.page.locator(LIVE).all_inner_texts()
    assert sum(happened in each for each in said) == 1, said
