"""Every company action: its cost, its effect, and when it is not possible. (S 6.9–6.11)"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.rulesets.sectors.effects import COMPANY_ACTIONS, unlocked_actions
from game.rulesets.sectors.tables.second_edition import SECOND_EDITION
from tests.rulesets.sectors.table import Table


def acts(table: Table, action: str, *, sector: str = "industrial", **company: Any) -> dict[str, Any]:
    """ACME carries the action out; what changed in it, old and new."""
    table.company("ACME", sector=sector, **{"treasury": 1000, "prestige": 3, "tier": "startup", **company}).holdings(
        "ACME", ada=2
    )
    table.at("company_vote", acting="ACME", reviews=True)
    before = msgspec.to_builtins(table.of("ACME")) | {"treasury": table.treasury("ACME")}
    table.ada.votes("ACME", action)
    table.play_to("company_action")
    after = msgspec.to_builtins(table.of("ACME")) | {"treasury": table.treasury("ACME")}
    assert table.money_is_conserved()
    return {key: (before[key], after[key]) for key in before if before[key] != after[key]}


def fails(table: Table, action: str, **company: Any) -> str:
    """The action is refused when it is its turn, and nothing at all changes; why."""
    assert acts(table, action, **company) == {}
    (failed,) = table.events("action_failed")
    return failed.reason


def test_large_marketing(table: Table) -> None:
    table.sector("industrial", consumers=4)
    assert acts(table, "large_marketing") == {"temporary_demand": (0, 4), "treasury": (1000, 700)}
    assert (table.sector_of("industrial").consumers, table.state.pool) == (7, 68)


def test_large_marketing_gathers_what_the_pool_has(table: Table) -> None:
    """A93."""
    table.with_(pool=2)
    acts(table, "large_marketing")
    assert (table.sector_of("industrial").consumers, table.state.pool) == (2, 0)


def test_small_marketing(table: Table) -> None:
    assert acts(table, "small_marketing", temporary_demand=1) == {"temporary_demand": (1, 4), "treasury": (1000, 900)}


def test_expansion_climbs_to_the_tables_supply(table: Table) -> None:
    """A49: Enterprise 6, Conglomerate 8."""
    assert acts(table, "expansion", tier="enterprise") == {
        "tier": ("enterprise", "conglomerate"),
        "treasury": (1000, 700),
    }
    assert (table.view().company("ACME").supply, table.view().company("ACME").operating_cost) == (8, 100)


@pytest.mark.parametrize("action", ["expansion", "rapid_expansion"])
def test_expansion_ends_at_titan(table: Table, action: str) -> None:
    assert "Titan already" in fails(table, action, tier="titan")


def test_downsize_descends(table: Table) -> None:
    assert acts(table, "downsize", tier="conglomerate") == {
        "tier": ("conglomerate", "enterprise"),
        "treasury": (1000, 950),
    }


def test_downsize_ends_at_incubator(table: Table) -> None:
    assert "Incubator already" in fails(table, "downsize", tier="incubator")


def test_share_buyback_destroys_one_share_and_moves_no_money(table: Table) -> None:
    """A50: from ten to nine; the cap follows."""
    assert acts(table, "share_buyback") == {}
    assert table.places("ACME") == {"ipo": 0, "market": 7, "aside": 0}
    assert (table.view().company("ACME").existing, table.view().company("ACME").cap) == (9, 5)
    assert [event.action for event in table.events("action_done")] == ["share_buyback"]


def test_share_buyback_needs_a_share_on_the_market(table: Table) -> None:
    assert "No share" in fails(table, "share_buyback", market=0, ipo=8)


def test_share_issue_costs_one_share_and_brings_two(table: Table) -> None:
    """S 6.9: nothing is paid to the treasury, the price stays."""
    assert acts(table, "share_issue", price=51) == {"treasury": (1000, 949)}
    assert table.places("ACME") == {"ipo": 0, "market": 10, "aside": 0}


def test_increase_unit_price_loses_fading_demand_first(table: Table) -> None:
    """R-3."""
    assert acts(table, "increase_unit_price", temporary_demand=2, base_demand=1) == {
        "temporary_demand": (2, 1),
        "unit_price": (50, 60),
    }


def test_increase_unit_price_loses_lasting_demand_otherwise(table: Table) -> None:
    """R-3 (over A52)."""
    assert acts(table, "increase_unit_price", base_demand=1) == {"base_demand": (1, 0), "unit_price": (50, 60)}


def test_increase_unit_price_without_demand_only_raises_it(table: Table) -> None:
    """R-3: demand never falls below 0."""
    assert acts(table, "increase_unit_price") == {"unit_price": (50, 60)}


@pytest.mark.parametrize(("was", "now"), [(50, 40), (10, 0), (4, 0)])
def test_decrease_unit_price_stops_at_nothing(table: Table, was: int, now: int) -> None:
    assert acts(table, "decrease_unit_price", unit_price=was) == {"unit_price": (was, now)}


def test_loan(table: Table) -> None:
    """S 6.9, R-4: from nowhere, the bank does not pay it."""
    assert acts(table, "loan") == {"has_loan": (False, True), "treasury": (1000, 1250)}
    assert table.bank == 7500


def test_loan_once_a_game(table: Table) -> None:
    assert "one loan of 250" in fails(table, "loan", has_loan=True)


def test_lobby_raises_the_sectors_demand_for_a_while(table: Table) -> None:
    assert acts(table, "lobby") == {"treasury": (1000, 850)}
    assert (table.sector_of("industrial").temporary_demand, table.sector_of("industrial").base_demand) == (3, 2)


@pytest.mark.parametrize(
    ("tier", "base", "was", "now"),
    [("startup", 0, 0, 3), ("startup", 2, 0, 1), ("incubator", 0, 0, 2), ("startup", 0, 1, 3)],
)
def test_outsource_fills_the_room_below_twice_the_tiers_supply(
    table: Table, tier: str, base: int, was: int, now: int
) -> None:
    """A51: and costs all prestige."""
    changed = acts(table, "outsource", tier=tier, base_supply=base, temporary_supply=was)
    assert changed == {"prestige": (3, 0), "temporary_supply": (was, now), "treasury": (1000, 800)}


def test_outsource_without_room_is_not_possible(table: Table) -> None:
    """A51: research counts towards the total; prestige is kept."""
    assert "its tier allows 6" in fails(table, "outsource", base_supply=2, temporary_supply=1)


def test_a_later_downsize_takes_no_supply_away(table: Table) -> None:
    """A51."""
    acts(table, "downsize", tier="startup", temporary_supply=3)
    assert table.view().company("ACME").supply == 5


def test_veto_halves_the_next_operating_cost_once(table: Table) -> None:
    """S 6.9, 6.4."""
    assert list(acts(table, "veto")) == ["modifiers"]
    table.play_to("production")
    assert table.treasury("ACME") == 990
    table.play_to("company_vote").ada.votes("ACME", "loan")
    table.play_to("end_turn").play_to("production")
    assert [event.amount for event in table.events("operating_cost_paid")] == [10, 20]


def test_research_draws_a_card(table: Table) -> None:
    table.with_(deck=["specialization", "robotics"])
    assert acts(table, "research") == {"cards": ([], ["specialization"]), "prestige": (3, 5), "treasury": (1000, 800)}
    assert table.state.deck == ["robotics"]


# --- the sectors' own


def test_visionary(table: Table) -> None:
    """S 6.10, A53, A54: two cards, not four; three tokens are paid."""
    table.with_(deck=["innovation"] * 5)
    changed = acts(table, "visionary", sector="technology", abilities=["innovation_surge"])
    assert changed == {
        "base_demand": (0, 1),
        "cards": ([], ["innovation"] * 2),
        "prestige": (3, 0),
        "treasury": (1000, 600),
    }


def test_strategic_reserve_covers_the_next_production(table: Table) -> None:
    """S 6.10, 6.4."""
    table.sector("materials", consumers=50)
    acts(table, "strategic_reserve", sector="materials", base_demand=3)
    assert (table.of("ACME").prestige, table.treasury("ACME")) == (0, 600)
    table.play_to("production")
    assert (table.treasury("ACME"), table.of("ACME").revenue, table.of("ACME").modifiers) == (600, 165, [])


@pytest.mark.parametrize(
    ("tier", "to"), [("startup", "established"), ("conglomerate", "titan"), ("enterprise", "titan")]
)
def test_rapid_expansion_climbs_two_tiers_as_far_as_there_are(table: Table, tier: str, to: str) -> None:
    assert acts(table, "rapid_expansion", tier=tier) == {
        "tier": (tier, to),
        "prestige": (3, 0),
        "treasury": (1000, 600),
    }


def test_fast_track_takes_up_to_three_consumers_of_each_other_sector(table: Table) -> None:
    table.sector("healthcare", consumers=1).sector("energy", consumers=5).sector("technology", consumers=2)
    changed = acts(table, "fast_track_approval", sector="healthcare")
    assert changed == {"temporary_demand": (0, 2), "prestige": (3, 0), "treasury": (1000, 600)}
    assert {key: sector.consumers for key, sector in table.state.sectors.items()} == {
        "healthcare": 6,
        "energy": 2,
        "technology": 0,
    }


def test_re_brand(table: Table) -> None:
    """A56."""
    changed = acts(table, "re_brand", sector="cyclical")
    assert changed == {
        "base_demand": (0, 1),
        "temporary_demand": (0, 1),
        "unit_price": (50, 90),
        "prestige": (3, 0),
        "treasury": (1000, 600),
    }


def test_surge_pricing_raises_the_next_revenue(table: Table) -> None:
    table.sector("energy", consumers=50)
    acts(table, "surge_pricing", sector="energy", base_demand=3, tier="startup")
    table.play_to("production")
    assert (table.of("ACME").revenue, table.of("ACME").modifiers) == (180, [])


def frozen(table: Table, **company: Any) -> Table:
    """ACME has frozen its price; the next turn's orders are open, 47 a share."""
    acts(table, "price_freeze", sector="defensive", temporary_demand=4, base_demand=2, **company)
    assert (table.of("ACME").prestige, table.treasury("ACME")) == (0, 600)
    return table


def test_price_freeze_limits_next_turns_market_moves(table: Table) -> None:
    """S 6.10, A55: the sum over the turn's sub-rounds stays within two steps either way."""
    table.seats("ada", "bob", "cid", cash=3000)
    frozen(table).play_to("stock_orders")
    start = table.of("ACME").step
    moved = []
    for name, quantity in (("bob", 6), ("cid", 2)):
        getattr(table, name).buys("ACME", quantity)
        table.play_to("market_orders").play_to("stock_orders")
        moved.append((table.of("ACME").step - start, table.filled("ACME")))
    assert moved == [(2, 0), (2, 0)]  # what is beyond is lost
    table.bob.sells("ACME", 5)
    table.play_to("market_orders")
    assert table.of("ACME").step == start - 2


def test_price_freeze_is_for_market_orders_of_one_turn_only(table: Table) -> None:
    """A55: shorts fall freely, and the turn after next is free again."""
    table.seats("ada", "bob", "cid", cash=3000)
    frozen(table, price=20).play_to("stock_orders")
    start = table.of("ACME").step
    table.bob.shorts("ACME", 4)
    table.play_to("open_shorts")
    assert table.of("ACME").step == start - 4
    table.play_to("end_turn").play_to("stock_orders")
    assert table.state.turn == 4
    start = table.of("ACME").step
    table.cid.buys("ACME", 4)
    table.play_to("market_orders")
    assert "price_freeze" not in [modifier.source for modifier in table.of("ACME").modifiers]
    assert table.of("ACME").step == start + 4


def test_a_frozen_price_keeps_its_slots_while_the_clamp_does_not_bite(table: Table) -> None:
    """A55."""
    freeze = {"number": "price_freeze", "amount": 1, "source": "price_freeze", "turn": 2}
    table.company("ACME", sector="defensive", price=47, modifiers=[freeze]).holdings("ACME", ada=5).cash_is(
        ada=3000, bob=3000, cid=3000
    )
    table.at("stock_orders", reviews=True)
    table.bob.buys("ACME", 3)
    table.play_to("market_orders")
    assert (table.price("ACME"), table.filled("ACME")) == (51, 1)
    table.play_to("stock_orders").cid.buys("ACME", 1)
    table.play_to("market_orders")
    assert (table.price("ACME"), table.filled("ACME")) == (55, 0)


def test_a_clamp_that_bites_empties_the_slots(table: Table) -> None:
    """A55 detail: two steps have been used up, one slot was filled, and the price may not move."""
    freeze = {"number": "price_freeze", "amount": 1, "source": "price_freeze", "turn": 2}
    table.company("ACME", sector="defensive", price=47, filled=1, frozen_moves=2, modifiers=[freeze]).at(
        "stock_orders", reviews=True
    )
    table.bob.buys("ACME", 1)
    table.play_to("market_orders")
    assert (table.price("ACME"), table.filled("ACME")) == (47, 0)


@pytest.mark.parametrize("action", sorted(SECOND_EDITION.action_prestige))
def test_a_sectors_action_takes_400_and_three_tokens(table: Table, action: str) -> None:
    """S 6.10, A53: each in its own sector only."""
    sector = COMPANY_ACTIONS[action].sector
    assert sector is not None
    assert "It takes 3 prestige" in fails(table, action, sector=sector, prestige=2)


@pytest.mark.parametrize("action", sorted(SECOND_EDITION.action_prestige))
def test_a_sectors_action_fails_for_lack_of_money(table: Table, action: str) -> None:
    """A47."""
    assert "It costs 400" in fails(table, action, sector=COMPANY_ACTIONS[action].sector, treasury=399)


def test_the_catalogue_is_the_rulebooks(table: Table) -> None:
    """S 6.9, 6.10: 14 actions for everybody, one for each sector, and no others without an ability."""
    table.company("ACME", sector="industrial").at("stock_orders")
    general = [key for key, action in COMPANY_ACTIONS.items() if action.sector is None and action.ability is None]
    assert len(general) == 14
    assert unlocked_actions(table.state, table.of("ACME")) == [*general, "rapid_expansion"]
    assert set(COMPANY_ACTIONS) == set(SECOND_EDITION.action_costs)
    assert sorted(action.sector for action in COMPANY_ACTIONS.values() if action.sector) == sorted(
        ["technology", "materials", "industrial", "healthcare", "defensive", "cyclical", "energy"]
    )
