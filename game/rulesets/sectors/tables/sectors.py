"""The seven sectors and their companies' names. (S 2.1, 2.3, 2.4)"""

from dataclasses import dataclass

from game.engine.language import mark


@dataclass(frozen=True)
class SectorCard:
    """A sector's printed numbers. Prices in whole dollars, `float_percent` of all shares, volatility in percent."""

    title: str
    demand: int
    float_percent: int
    ipo: tuple[int, int]
    unit_price: tuple[int, int]
    volatility_percent: int
    active: str
    passive: str


SECTORS = {
    "defensive": SectorCard(mark("Consumer Defensive"), 2, 30, (45, 60), (50, 65), 20, "price_freeze", "steady_demand"),
    "healthcare": SectorCard(
        mark("Healthcare"), 2, 60, (35, 70), (45, 80), 60, "fast_track_approval", "regulatory_shield"
    ),
    "materials": SectorCard(mark("Materials"), 2, 50, (60, 100), (30, 60), 50, "strategic_reserve", "extract"),
    "energy": SectorCard(mark("Energy"), 2, 60, (30, 50), (20, 50), 45, "surge_pricing", "carbon_credit"),
    "industrial": SectorCard(mark("Industrial"), 2, 50, (55, 70), (40, 70), 40, "rapid_expansion", "manufacture"),
    "cyclical": SectorCard(mark("Consumer Cyclical"), 3, 50, (30, 70), (40, 80), 70, "re_brand", "boom_cycle"),
    "technology": SectorCard(mark("Technology"), 1, 70, (20, 80), (30, 90), 90, "visionary", "innovation_surge"),
}
"""In the order of initial sector priority, best first. (S 1.6)"""
