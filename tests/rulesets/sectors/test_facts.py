"""What a survey is told of a position: each sector's companies, and who held the most of them."""

from __future__ import annotations

from game.rulesets.sectors.occurrences import facts
from tests.rulesets.sectors.table import Table


def test_a_sector_counts_its_companies_and_names_its_leaders(table: Table) -> None:
    """S 5.4, 6.12: only its own; nobody leads where nobody holds anything."""
    table.at("stock_orders").company("ACME", sector="energy").company(
        "POOR", sector="energy", status="insolvent", treasury=0
    )
    table.company("IDLE", sector="energy", status="inactive").company("DEAD", sector="energy", status="bankrupt")
    table.company("BOLT", sector="technology").holdings("ACME", ada=2, bob=1, cid=1).holdings("POOR", bob=1)
    assert facts(table.state)["sectors"] == {
        "energy": {"companies": 4, "floated": 2, "bankrupt": 1, "leaders": [0, 1]},
        "technology": {"companies": 1, "floated": 1, "bankrupt": 0, "leaders": []},
    }
