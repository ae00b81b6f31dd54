"""Phase 21: units sold, revenue, throughput, the sales bonus and the operating cost."""

from __future__ import annotations

from typing import Any

import pytest

from game.engine.ledger import OUTSIDE
from tests.rulesets.sectors.table import Table


def produced(table: Table) -> Table:
    """Production has just been done; its review is open."""
    if table.words.get("phase") != "production":
        table.at("production", reviews=True)
    return table.clock_runs_out()


def once(number: str, amount: int, source: str) -> dict[str, Any]:
    """A pending one-time effect."""
    return {"number": number, "amount": amount, "source": source, "once": True}


VETOED = once("cost_halved", 1, "veto")


@pytest.mark.parametrize(
    ("demand", "consumers", "sold", "throughput", "cost", "prestige"),
    [
        (4, 2, 2, 1, 20, 0),  # consumers are short
        (4, 5, 3, 1, 20, 1),  # all three sold
        (3, 3, 3, 0, 10, 1),  # in balance
        (2, 5, 2, 1, 20, 1),  # all that was asked for is sold
        (2, 1, 1, 1, 20, 0),
        (0, 5, 0, 3, 20, 0),  # nothing sold earns nothing
        (3, 0, 0, 0, 10, 0),
    ],
)
def test_units_sold_are_the_least_of_supply_demand_and_consumers(
    table: Table, demand: int, consumers: int, sold: int, throughput: int, cost: int, prestige: int
) -> None:
    """S 6.2, R-7: a Startup makes 3 units and costs 20."""
    table.company("ACME", temporary_demand=demand, unit_price=50, treasury=100).sector(
        "industrial", consumers=consumers
    )
    produced(table)
    acme = table.of("ACME")
    assert (acme.produced, acme.sold, acme.revenue) == (3, sold, 50 * sold)
    assert (table.treasury("ACME"), acme.prestige) == (100 - cost, prestige)
    assert [event.throughput for event in table.events("produced")] == [throughput]
    assert (table.sector_of("industrial").consumers, table.state.pool) == (consumers - sold, 75 - consumers + sold)
    assert table.money_is_conserved()


@pytest.mark.parametrize(
    ("distance", "now"), [(0, 47), (1, 47), (2, 43), (3, 39), (4, 39), (5, 35), (6, 35), (7, 32), (8, 32), (10, 32)]
)
@pytest.mark.parametrize("is_over", [True, False])
def test_the_throughput_table_counts_steps_down_either_way(
    table: Table, distance: int, now: int, is_over: bool
) -> None:
    """S 6.3, A37: supply above or below demand costs the same steps, here from a price of 47."""
    demand = 10 - distance if is_over else 10 + distance
    table.company("ACME", tier="titan", base_demand=demand, price=47)
    produced(table)
    assert table.price("ACME") == now


def test_nothing_sold_means_no_retain_step(table: Table) -> None:
    """A42: supply 3 and demand 0 cost 2 steps, and that is all."""
    table.company("ACME", price=47).holdings("ACME", ada=3)
    table.at("production").clock_runs_out()
    assert table.price("ACME") == 39
    assert "revenue_vote" not in table.phases
    assert table.phase == "company_vote"


@pytest.mark.parametrize(
    ("cards", "modifiers", "demand", "cost"), [(0, [VETOED], 0, 10), (0, [VETOED], 3, 5), (1, [], 0, 0), (0, [], 0, 20)]
)
def test_halvings_come_first_then_automation_and_never_below_nothing(
    table: Table, cards: int, modifiers: list[dict[str, Any]], demand: int, cost: int
) -> None:
    """S 6.4: 20, halved by a veto, halved in balance, less 20 a card."""
    automation = {"number": "operating_cost", "amount": -20, "source": "card:automation"}
    table.company("ACME", base_demand=demand, treasury=100, modifiers=[*modifiers, *[automation] * cards])
    produced(table)
    assert table.treasury("ACME") == 100 - cost
    assert [m.source for m in table.of("ACME").modifiers] == ["card:automation"] * cards


@pytest.mark.parametrize(
    ("tier", "demand", "cards", "cost"),
    [("titan", 10, 0, 75), ("titan", 0, 1, 130), ("titan", 0, 2, 110), ("growth", 4, 1, 0)],
)
def test_two_automations_save_forty(table: Table, tier: str, demand: int, cards: int, cost: int) -> None:
    """S 6.4."""
    automation = {"number": "operating_cost", "amount": -20, "source": "card:automation"}
    table.company("ACME", tier=tier, base_demand=demand, treasury=500, modifiers=[automation] * cards)
    produced(table)
    assert table.treasury("ACME") == 500 - cost


@pytest.mark.parametrize(
    ("treasury", "left", "status"), [(21, 1, "active"), (20, 0, "insolvent"), (15, 0, "insolvent"), (0, 0, "insolvent")]
)
def test_a_treasury_left_at_nothing_is_insolvent(table: Table, treasury: int, left: int, status: str) -> None:
    """S 6.4, A39; what is charged is what was there."""
    table.company("ACME", treasury=treasury)
    produced(table)
    assert (table.treasury("ACME"), table.status("ACME")) == (left, status)
    assert [event.amount for event in table.events("operating_cost_paid")] == [treasury - left]
    assert len(table.events("became_insolvent")) == (status == "insolvent")


def test_a_cost_of_nothing_makes_nobody_insolvent(table: Table) -> None:
    """A48: a veto and balance bring the Incubator to 2, the card to 0."""
    automation = {"number": "operating_cost", "amount": -20, "source": "card:automation"}
    table.company("ACME", tier="incubator", treasury=0, modifiers=[automation])
    produced(table)
    assert table.status("ACME") == "active"


def test_operating_costs_leave_the_game_and_the_bank_does_not_move(table: Table) -> None:
    """S 7.10."""
    table.company("ACME", temporary_demand=3).sector("industrial", consumers=3)
    table.at("production", reviews=True)
    before = table.bank, table.state.ledger.balance(OUTSIDE)
    produced(table)
    assert (table.bank, table.state.ledger.balance(OUTSIDE)) == (before[0], before[1] + 10)


def test_a_pending_surge_and_reserve_are_floored_one_after_the_other(table: Table) -> None:
    """A86: 3 × 3 = 9, +0, then +1; the other way round it would be 11."""
    pending = [once("surge_percent", 20, "surge_pricing"), once("reserve_percent", 10, "strategic_reserve")]
    table.company("ACME", unit_price=3, base_demand=3, modifiers=pending).sector("industrial", consumers=3)
    produced(table)
    assert table.of("ACME").revenue == 10
    assert table.of("ACME").modifiers == []


def test_pending_effects_are_used_up_even_without_sales(table: Table) -> None:
    """Surge."""
    table.company("ACME", base_demand=3, modifiers=[once("surge_percent", 20, "surge_pricing")])
    produced(table)
    assert (table.of("ACME").revenue, table.of("ACME").modifiers) == (0, [])


def test_the_next_production_after_a_reserve_costs_nothing(table: Table) -> None:
    """S 6.4: it cannot make the company insolvent either."""
    table.company("ACME", treasury=5, modifiers=[once("cost_free", 1, "strategic_reserve")])
    produced(table)
    assert (table.treasury("ACME"), table.status("ACME"), table.of("ACME").modifiers) == (5, "active", [])


def test_scarce_consumers_go_by_company_priority(table: Table) -> None:
    """S 6.1, A35: Economies of Scale, unit price, prestige, demand, age."""
    scale = {"number": "sorts_first", "amount": 1, "source": "card:economies_of_scale"}
    same = {"unit_price": 50, "base_demand": 3}
    table.company("OLD", **same).company("YOUNG", **same).company("LOVED", **same, prestige=1)
    table.company("WANTED", unit_price=50, base_demand=4).company("CHEAP", unit_price=40, base_demand=1)
    table.company("SCALE", unit_price=90, base_demand=3, modifiers=[scale])
    table.sector("industrial", consumers=12)
    produced(table)
    assert [event.company for event in table.events("produced")] == [
        "SCALE",
        "CHEAP",
        "LOVED",
        "WANTED",
        "OLD",
        "YOUNG",
    ]
    assert [event.sold for event in table.events("produced")] == [3, 1, 3, 3, 2, 0]


def test_sectors_produce_in_sector_priority(table: Table) -> None:
    """In order, and each sector sells only to its own consumers."""
    table.company("IND", sector="industrial", base_demand=3).company("TECH", sector="technology", base_demand=3)
    table.sector("industrial", priority=2, consumers=9).sector("technology", priority=1)
    produced(table)
    assert [(event.company, event.sold) for event in table.events("produced")] == [("TECH", 0), ("IND", 3)]


def test_only_floated_companies_produce_insolvent_ones_too(table: Table) -> None:
    """R-15."""
    table.company("IDLE", status="inactive").company("POOR", status="insolvent", treasury=0, base_demand=3)
    table.company("GONE", status="bankrupt").sector("industrial", consumers=5).holdings("POOR", ada=2)
    table.at("production").clock_runs_out()
    assert [event.company for event in table.events("produced")] == ["POOR"]
    assert (table.of("POOR").revenue, table.status("POOR"), table.phase) == (150, "insolvent", "revenue_vote")
    table.ada.votes("POOR", "full")
    table.clock_runs_out()
    assert (table.ada.cash, table.phase) == (330, "contributions")


def test_made_insolvent_by_its_cost_it_asks_for_help_in_the_same_turn(table: Table) -> None:
    """A41: revenue that it retains does not reduce the shortfall."""
    table.company("ACME", treasury=10, base_demand=3, unit_price=100).sector("industrial", consumers=3).holdings(
        "ACME", ada=3
    )
    table.at("production").clock_runs_out()
    table.ada.votes("ACME", "retain")
    table.clock_runs_out()
    assert (table.phase, table.status("ACME"), table.treasury("ACME")) == ("contributions", "insolvent", 300)
    table.clock_runs_out()
    assert table.status("ACME") == "bankrupt"
    assert table.paid("treasury of a bankrupt company") == 300


def test_a_fall_for_throughput_triggers_limit_orders_it_passes(table: Table) -> None:
    """A27: 47 to 39; both ends count, and a buy is triggered by a fall too."""
    table.seats("ada", "bob", "cid").company("ACME", price=47)
    table.limit("ada", "sell", "ACME", 1, 39).limit("bob", "buy", "ACME", 1, 47).limit("cid", "sell", "ACME", 1, 38)
    produced(table)
    assert table.orders("limit") == {
        "ada": "filled_pending_settlement",
        "bob": "filled_pending_settlement",
        "cid": "open",
    }


def test_research_and_outsourcing_add_to_supply(table: Table) -> None:
    """S 6.1."""
    table.company("ACME", base_supply=1, temporary_supply=2, base_demand=4, temporary_demand=3).sector(
        "industrial", consumers=20
    )
    produced(table)
    assert (table.of("ACME").produced, table.of("ACME").sold) == (6, 6)
    assert [(event.supply, event.demand, event.throughput) for event in table.events("produced")] == [(6, 7, 1)]


def test_operating_costs_are_paid_after_all_sales(table: Table) -> None:
    """S 6.4."""
    table.company("A").company("B")
    produced(table)
    lines = [event.__struct_config__.tag for event in table.told if getattr(event, "company", "") in ("A", "B")]
    assert [kind for kind in lines if kind != "price_moved"] == ["produced"] * 2 + ["operating_cost_paid"] * 2
