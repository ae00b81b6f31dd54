"""The shape of an edition's printed numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Tier:
    """A company tier. Cost and shortfall in whole dollars, supply in units per turn, actions per operating round. (S
    1.4)"""

    title: str
    cost: int
    supply: int
    actions: int
    shortfall: int


@dataclass(frozen=True)
class Edition:
    """The printed numbers that differ between editions."""

    number: int
    influence_points: int  # a seat's points for the influence bid (S 1.5)
    tiers: Mapping[str, Tier]
    start_tiers: Mapping[str, str]  # by sector (S 2.1)
    starting_companies: Mapping[int, int]  # by seats, in all (S 1.3)
    richest_sector_tier: str  # tier of the company opened in the richest sector (S 7.8)
    dead_sector_tier: str | None  # tier of the company opened in a sector without one; None: none is opened
    new_company_turns: int  # turns between two new companies
    tranche_turns: int
    tranche_pot: int  # dollars (S 1.9)
    tranche_split: str  # drawn or even
    sub_rounds: int | None  # sub-rounds of a stock round; None: until an empty one (S 4.1, 4.2)
    action_costs: Mapping[str, tuple[int, ...]]  # dollars for the 1st, 2nd, later company of a round (S 6.8, 6.9)
    action_prestige: Mapping[str, int]
    action_texts: Mapping[str, str]  # texts of actions that differ in this edition
    dearer_unit_price_costs_demand: bool  # (R-3, D29)
    headline_turn: int | None  # the first turn with headlines; None: there are none (S 1.10)
    headline_costs: Mapping[int, int]  # by size of the move
    efficiency_steps: int  # steps up for a throughput of 0 (A38)
    locks_company_order: bool  # before the first company acts (S 6.6, D22)
    tax_base: str  # income or net_worth (S 7.1)
    tax_brackets: tuple[tuple[int, int], ...]  # (up to and including dollars, percent); above the last: tax_above
    tax_above: int
    consumers_follow: str  # demand or base_demand (S 7.7, A69)
    fixed_options: Mapping[str, Any]  # options that this edition fixes (D35, D36)
    option_rates_percent: Mapping[int, int]  # by term (S 1.11, A14)
    live_seconds: Mapping[str, int]  # by phase name (S 4.4)
