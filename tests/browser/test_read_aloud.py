"""Every decision of Sectors as a screen reader tells it: headings in order, names on controls and tables, and what
happened told once."""

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.conftest import Sit, two_people
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


def test_each_decision_is_told_in_order_and_by_name(sit: Sit) -> None:
    for place in DECISIONS:
        result = tree(sit(place(two_people())).page)
        levels = [int(level) for level in HEADING.findall(result)]
        assert levels[0] == 1, f"{place.__name__}: the decision is what the page is about"
        assert levels.count(1) == 1, place.__name__
        assert all(after <= before + 1 for before, after in pairwise(levels)), (place.__name__, levels)
        assert NAMELESS.findall(result) == [], place.__name__
        assert 'complementary "Your decision"' in result, place.__name__
        assert '- list "Who has decided":' in result, place.__name__
        assert "Net worth" in result, place.__name__
        button = r'- button "(Submit|I am ready|Exercise|Cover|Vote|Send|Ready|Pay|Contribute)'
        assert re.search(button, result), (place.__name__, result)


def test_figures_of_a_forecast_are_words_apart(sit: Sit, table: Table) -> None:
    desk = sit(table.at("stock_orders"))
    expect(desk.page.get_by_role("table", name=re.compile("If the order for .* fills"))).to_contain_text("500 to 453")


def test_what_happened_is_announced_once(sit: Sit, table: Table) -> None:
    desk = sit(table.at("influence_bid"))
    desk.type("points", 3).send()
    happened = "You bid 3 influence points and are 1st in player priority."
    expect(desk.page.locator(LIVE).filter(has_text=happened)).to_have_count(1)
