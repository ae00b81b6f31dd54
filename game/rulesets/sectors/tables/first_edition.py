"""The first edition's printed numbers. (S 8)"""

from dataclasses import replace

from game.engine.language import mark
from game.rulesets.sectors.tables.second_edition import SECOND_EDITION

_SHORTFALLS = {
    "incubator": 100,
    "startup": 150,
    "growth": 200,
    "established": 400,
    "enterprise": 600,
    "conglomerate": 900,
    "titan": 1500,
}

FIRST_EDITION = replace(
    SECOND_EDITION,
    number=1,
    influence_points=100,
    tiers={key: replace(tier, shortfall=_SHORTFALLS[key]) for key, tier in SECOND_EDITION.tiers.items()},
    start_tiers={**SECOND_EDITION.start_tiers, "defensive": "growth"},
    starting_companies=dict.fromkeys(range(1, 9), 6),
    richest_sector_tier="established",
    dead_sector_tier=None,
    tranche_pot=500,
    tranche_split="even",
    sub_rounds=3,
    action_costs={
        **SECOND_EDITION.action_costs,
        "large_marketing": (220,),
        "share_issue": (50,),
        "lobby": (120,),
        "outsource": (200,),
    },
    dearer_unit_price_costs_demand=False,
    action_texts={"increase_unit_price": mark("Unit price +10.")},
    headline_turn=None,
    efficiency_steps=1,
    locks_company_order=False,
    tax_base="net_worth",
    tax_brackets=((500, 0), (750, 2), (1000, 3), (1500, 4), (2000, 5)),
    consumers_follow="base_demand",
    fixed_options={
        "limit_orders": True,
        "short_orders": True,
        "option_orders": True,
        "ipo_discount": False,
        "no_round_trips": False,
    },
    live_seconds={
        **SECOND_EDITION.live_seconds,
        "influence_bid": 40,
        "tranche_vote": 50,
        "stock_orders": 45,
        "revenue_vote": 45,
        "company_vote": 30,
        "contributions": 80,
    },
)
