"""Two people at one table: each is told their own outcomes first, and who comes back reads what they missed."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from game.store.game import Game
from tests.browser.desk import Desk, box_of
from tests.rulesets.sectors.table import Table
from tests.servers import BROWSER_PATIENCE
from tests.tables import READY, clock_runs_out, fresh, send

if TYPE_CHECKING:
    from playwright.sync_api import Page

BUY = {"kind": "market_order", "company": "ACME", "side": "buy", "location": "market"}
WIDTHS = (1440, 390)


@pytest.fixture
def scarce(table: Table) -> Table:
    """Two shares on the market; bob comes first."""
    table.company("ACME", ipo=8, market=2).company("BOLT", price=20).holdings("BOLT", ada=2)
    return table.at("stock_orders").priority("bob", "ada").options(max_sub_rounds=4)


def test_each_is_told_their_own_at_once(
    sit: Callable[..., Desk], join: Callable[[Desk, str], Desk], scarce: Table, page: "Page"
) -> None:
    ada = sit(scarce, all_ready=False)
    bob = join(ada, "bob")
    for seat in (0, 1):
        send(ada.game, seat, BUY | {"quantity": 2}, READY)
    hers, his = page.locator("#happened"), bob.page.locator("#happened")
    expect(hers).to_contain_text("Your order to buy 2 ACME was rejected.")
    expect(his).to_contain_text("You bought 2 ACME on the open market")
    expect(his.locator("> .outcomes")).not_to_contain_text("rejected")
    expect(page.locator("#push[role=status]")).to_contain_text("Rejected: Your order to buy 2 ACME was rejected.")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        box, brief = box_of(hers), box_of(page.locator("#brief"))
        assert box["y"] < 120
        assert box["y"] <= brief["y"] < 844, "what happened comes first, and what is asked is in sight"
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def deadline_passes(game: Game) -> None:
    """The site's own worker may be the one that closes the phase."""
    serial = fresh(game).phase_serial
    clock_runs_out(game)
    latest = time.monotonic() + BROWSER_PATIENCE / 1000
    while fresh(game).phase_serial == serial:
        assert time.monotonic() < latest, "The phase did not close."
        time.sleep(0.05)


def test_who_comes_back_reads_what_they_missed_and_puts_it_away(
    sit: Callable[..., Desk], scarce: Table, page: "Page"
) -> None:
    ada = sit(scarce, all_ready=False)
    page.goto("about:blank")
    for _ in range(2):
        send(ada.game, 1, BUY | {"quantity": 1})
        deadline_passes(ada.game)
    ada.open()
    block = page.locator("#happened")
    expect(block.get_by_role("heading", name="Since your last visit")).to_be_visible()
    expect(block).to_contain_text("You missed 2 decisions.")
    page.set_viewport_size({"width": 390, "height": 844})
    in_sight = box_of(page.locator("#ticket"))["y"], box_of(page.locator("#sendbar"))["y"]
    assert in_sight[0] < in_sight[1], "the form begins in sight"
    page.set_viewport_size({"width": 1440, "height": 900})
    first = block.locator("ol.outcomes a").first
    first.click()
    expect(page.locator(".resolved:target")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Hide").click()
    expect(page.get_by_role("heading", name="Since your last visit")).to_have_count(0)
    expect(page.get_by_role("heading", name="What happened to you")).to_be_visible()
