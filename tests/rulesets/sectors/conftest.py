"""The `table` fixture: a small world of three sectors in which stories begin."""

from collections.abc import Iterator

import pytest

from tests.rulesets.sectors.table import Table


@pytest.fixture
def table() -> Iterator[Table]:
    """An empty table; at its end every written draw was drawn, and money and consumers are conserved."""
    laid = Table()
    yield laid
    left = {label: answers for label, answers in laid.script.items() if answers}
    assert not left, f"these draws were never drawn: {left}"
    if "phase" in laid.words or laid.told:
        assert laid.money_is_conserved()
        assert laid.consumers_are_conserved()


@pytest.fixture
def market(table: Table) -> Table:
    """A floated company, an idle one, an insolvent and a dead one; shares everywhere; a contract on sale."""
    table.at("stock_orders").company("ACME", price=47, ipo=2, market=5).holdings("ACME", bob=3)
    table.company("IDLE", sector="energy", status="inactive", price=39)
    table.company("WEAK", sector="energy", status="insolvent", price=20, treasury=0, market=7).holdings("WEAK", cid=3)
    table.company("DEAD", sector="energy", status="bankrupt", treasury=0)
    return table.contract("ACME", strike=60, premium=12)


@pytest.fixture
def floor(table: Table) -> Table:
    """Everybody has 1,000; ACME stands at 47 with all ten shares on the open market unless a story says otherwise."""
    return table.at("stock_orders").seats("ada", "bob", "cid", cash=1000).company("ACME", price=47)
