"""What a seat has left for later phases is listed on its board whatever phase is open, and can be withdrawn there."""

import re

from tests.pages.panels import drawn, page_engine
from tests.rulesets.sectors.table import Table

FORM = re.compile(r'<form class="lasting".*?</form>', re.DOTALL)


def listed(table: Table, seat: int) -> list[tuple[str, str, str]]:
    """What the page lists: the slot, the words and the button."""
    page = drawn(page_engine(), table.position, seat)
    found = []
    for form in FORM.findall(page):
        (slot,) = re.findall(r'name="of" value="([^"]+)"', form)
        (words,) = re.findall(r"<span>(.+?)</span>", form)
        (button,) = re.findall(r"<button[^>]*>\s*([^<]+?)\s*</button>", form)
        found.append((slot, words, button))
    return found


def test_an_order_ahead_can_be_withdrawn_while_others_distribute_their_tranches() -> None:
    table = Table().seats("ada", "bob", cash=400).company("ACME", sector="energy", price=20, market=6)
    table.tranche("energy", cash=40).tranche("energy", cash=51).at("tranche_vote", turn=3)
    table.bob.votes_for_tranche(2)
    table.ada.buys("ACME", 1).asks("vote_full_revenue")
    assert [slot for slot, _, _ in listed(table, 0)] == ["vote_full_revenue"]  # the form has the order
    table.clock_runs_out()
    assert table.phase == "tranche_distribution"
    assert listed(table, 1) == []
    (order, always) = sorted(listed(table, 0))
    assert (order[0], order[2]) == ("order", "Withdraw")
    assert "ACME" in order[1]
    assert (always[0], always[2]) == ("vote_full_revenue", "Stop")
    table.ada.withdraws("order")
    assert [slot for slot, _, _ in listed(table, 0)] == ["vote_full_revenue"]


def test_being_done_is_not_listed_once_the_stock_round_is_over() -> None:
    table = Table().seats("ada", "bob", cash=400).company("ACME", price=20, market=4).holdings("ACME", ada=3)
    table.at("stock_orders")
    table.ada.asks("stop_ordering")
    table.everybody_is_ready()
    assert table.phase != "stock_orders"
    assert "stop_ordering" in table.position.pending[0]
    assert listed(table, 0) == []
