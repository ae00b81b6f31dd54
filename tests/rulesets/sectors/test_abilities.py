"""The passive abilities of the seven sectors. (S 6.11)"""

from __future__ import annotations

from typing import Any

import pytest

from game.rulesets.sectors.effects import ABILITIES
from game.rulesets.sectors.tables.sectors import SECTORS
from tests.rulesets.sectors.table import Table


def test_every_sector_has_its_ability() -> None:
    """S 2.2."""
    assert {key: card.passive for key, card in SECTORS.items()} == {
        "cyclical": "boom_cycle",
        "defensive": "steady_demand",
        "industrial": "manufacture",
        "technology": "innovation_surge",
        "healthcare": "regulatory_shield",
        "energy": "carbon_credit",
        "materials": "extract",
    }
    assert set(ABILITIES) == {card.passive for card in SECTORS.values()}


def test_innovation_surge_draws_two_cards(table: Table) -> None:
    table.company("ACME", sector="technology", treasury=1000, abilities=["innovation_surge"]).holdings("ACME", ada=2)
    table.at("company_vote", acting="ACME", deck=["innovation", "innovation", "innovation"]).ada.votes(
        "ACME", "research"
    )
    table.clock_runs_out()
    assert len(table.of("ACME").cards) == 2
    assert [event.cost for event in table.events("action_done")] == [200]


@pytest.mark.parametrize(
    ("start", "end"), [(23, 20), (153, 145), (161, 145), (302, 291), (512, 498), (20, 12), (35, 23), (60, 43), (4, 3)]
)
def test_a_shielded_fall_stops_at_the_top_of_the_next_lower_tier(table: Table, start: int, end: int) -> None:
    """S 3.6: four steps down; from the lowest tier nothing protects, and without a boundary nothing stops."""
    table.company("ACME", sector="healthcare", price=start, tier="titan", abilities=["regulatory_shield"])
    table.at("production", reviews=True).clock_runs_out()
    assert table.price("ACME") == end


def test_each_fall_is_an_event_of_its_own(table: Table) -> None:
    """Shield: the penalty stops at 20, the retain step goes on from there."""
    table.company("ACME", sector="healthcare", price=23, tier="titan", base_demand=1, abilities=["regulatory_shield"])
    table.sector("healthcare", consumers=1).holdings("ACME", ada=2).at("production", reviews=True).clock_runs_out()
    assert table.price("ACME") == 20
    table.play_to("revenue_vote").ada.votes("ACME", "retain")
    table.play_to("price_adjustment")
    assert table.price("ACME") == 18


def test_steady_demand_sells_two_units_without_consumers(table: Table) -> None:
    """S 6.2: up to demand and supply, from nobody's consumers; R-7: they count for the bonus."""
    table.company("ACME", sector="defensive", unit_price=10, base_demand=3, abilities=["steady_demand"])
    table.company("BARE", sector="defensive", unit_price=20, base_demand=3).sector("defensive", consumers=1)
    table.at("production", reviews=True).clock_runs_out()
    assert (table.of("ACME").sold, table.of("BARE").sold) == (3, 0)
    assert (table.of("ACME").prestige, table.state.pool) == (1, 75)


@pytest.mark.parametrize(
    ("demand", "consumers", "sold"), [(6, 0, 2), (6, 1, 3), (6, 2, 3), (2, 1, 2), (1, 1, 1), (6, 9, 3)]
)
def test_steady_demand_only_fills_what_is_left(table: Table, demand: int, consumers: int, sold: int) -> None:
    """S 6.2: supply is 3; no units beyond while consumers are left."""
    table.company("ACME", sector="defensive", base_demand=demand, abilities=["steady_demand"]).sector(
        "defensive", consumers=consumers
    )
    table.at("production", reviews=True).clock_runs_out()
    assert table.of("ACME").sold == sold


@pytest.mark.parametrize(("demand", "price", "cost"), [(0, 47, 20), (9, 47, 20), (2, 47, 20), (3, 47, 10)])
def test_carbon_credit_keeps_throughput_within_one(table: Table, demand: int, price: int, cost: int) -> None:
    """A58."""
    table.company(
        "ACME", sector="energy", tier="startup", treasury=100, base_demand=demand, abilities=["carbon_credit"]
    )
    table.at("production", reviews=True).clock_runs_out()
    assert (table.price("ACME"), table.treasury("ACME")) == (price, 100 - cost)


def unlocked(table: Table, action: str, twin: dict[str, Any]) -> Table:
    """The holder takes its unlocked action; TWIN is of the other sector."""
    sector = {"extract": "materials", "manufacture": "industrial"}[action]
    table.company("ACME", sector=sector, treasury=100, abilities=[action]).holdings("ACME", ada=2)
    table.company("BARE", sector=sector).holdings("BARE", ada=2)
    table.company("TWIN", **{"sector": "industrial" if action == "extract" else "materials", **twin})
    table.at("company_vote", acting="ACME", reviews=True)
    with table.refuses("S 6.10"):
        table.ada.votes("BARE", action)
    table.ada.votes("ACME", action)
    return table.play_to("company_action")


@pytest.mark.parametrize("action", ["extract", "manufacture"])
@pytest.mark.parametrize(("status", "helped"), [("active", 1), ("insolvent", 1), ("inactive", 0), ("bankrupt", 0)])
def test_extract_and_manufacture_help_a_floated_twin(table: Table, action: str, status: str, helped: int) -> None:
    """S 6.11: 25 dollars and no prestige."""
    treasury = {} if status != "insolvent" else {"treasury": 0}
    unlocked(table, action, {"status": status, **treasury})
    assert (table.treasury("ACME"), table.of("ACME").temporary_supply) == (75, 1)
    assert (table.of("TWIN").temporary_supply, table.of("BARE").temporary_supply) == (helped, 0)


def test_the_twin_is_drawn(table: Table) -> None:
    """Named draws: supply_twin."""
    table.company("OTHER", sector="materials").draws(supply_twin=["OTHER"])
    unlocked(table, "manufacture", {})
    assert (table.of("OTHER").temporary_supply, table.of("TWIN").temporary_supply) == (1, 0)


def test_without_the_other_sector_only_the_holder_gains(table: Table) -> None:
    """S 6.11."""
    unlocked(table, "extract", {"sector": "energy"})
    assert (table.of("ACME").temporary_supply, table.of("TWIN").temporary_supply) == (1, 0)


def test_one_holder_a_sector(table: Table) -> None:
    """S 6.11: given to another, it leaves the old one, and only its own modifier goes."""
    table.company("OLD", sector="energy", abilities=["carbon_credit"], prestige=1).company(
        "NEW", sector="energy", status="inactive"
    )
    table.tranche("energy", cash=0, winner="ada").tranche("industrial")
    table.at("tranche_distribution", turn=3, reviews=True).ada.distributes(ability_to="NEW")
    table.clock_runs_out()
    assert {ticker: table.view().company(ticker).abilities for ticker in ("OLD", "NEW")} == {
        "OLD": (),
        "NEW": ("Carbon Credit",),
    }
