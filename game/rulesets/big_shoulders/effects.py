"""The effects of spaces, building tiles and capital assets, as data. (BS 1.9 to 1.11)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from msgspec import Meta

from game.engine.language import mark
from game.rulesets.big_shoulders.tables import Cube, cubes_of

GeneralSpace = Literal[
    "hire_workers",
    "advertising",
    "fund_40",
    "fund_60",
    "fund_80",
    "hire_manager",
    "hire_salesperson",
    "capital_investment",
    "extra_dividend",
]
GENERAL_SPACES: tuple[GeneralSpace, ...] = get_args(GeneralSpace)
TileNumber = Annotated[int, Meta(ge=1, le=44)]
Space = GeneralSpace | TileNumber
Choosing = Literal["", "any", "different", "same"]
Asset = Literal[
    "union_stockyards",
    "michigan_lumber",
    "pennsylvania_coal",
    "cincinnati_steel",
    "brilliant_marketing",
    "brand_recognition",
    "price_protection",
    "mail_order_catalogue",
    "color_catalog",
    "catalogue_empire",
    "popular_partners",
    "backroom_deals",
    "refrigeration",
    "foundry",
    "workshop",
    "abattoir",
]
ASSET_KEYS: tuple[Asset, ...] = get_args(Asset)


@dataclass(frozen=True)
class Effect:
    """The effect of a space, a tile or an asset for a company. `hires`: any number of workers from the market;
    `workers` come from the supply; `automations` may be fewer than two; `fixed` cubes come from Haymarket, and so do
    `cubes` of choice, which are any, all different or all the same; `discount` on a capital asset (None: none is
    bought); `claims`: the first place in the next sequence may be claimed."""

    hires: bool = False
    workers: int = 0
    managers: int = 0
    salespeople: int = 0
    automations: int = 0
    fixed: tuple[Cube, ...] = ()
    cubes: int = 0
    choosing: Choosing = ""
    goods: int = 0
    appeal: int = 0
    dividend: int = 0
    discount: int | None = None
    claims: bool = False


NO_EFFECT = Effect()


@dataclass(frozen=True)
class SpaceRow:
    """A general space. `gives` is paid by the bank, `costs` to it; `is_single`: one partner in a decade; it is open
    from decade `since` on."""

    title: str
    effect: Effect = NO_EFFECT
    costs: int = 0
    gives: int = 0
    is_single: bool = False
    since: int = 1


SPACES: Mapping[GeneralSpace, SpaceRow] = {
    "hire_workers": SpaceRow(mark("Hire workers"), Effect(hires=True)),
    "advertising": SpaceRow(mark("Advertising"), Effect(appeal=1, claims=True), costs=20),
    "fund_40": SpaceRow(mark("Fund raising of $40"), gives=40),
    "fund_60": SpaceRow(mark("Fund raising of $60"), gives=60, is_single=True, since=3),
    "fund_80": SpaceRow(mark("Fund raising of $80"), gives=80, is_single=True, since=5),
    "hire_manager": SpaceRow(mark("Hire a manager"), Effect(managers=1), costs=60, is_single=True),
    "hire_salesperson": SpaceRow(mark("Hire a salesperson"), Effect(salespeople=1), costs=70, is_single=True),
    "capital_investment": SpaceRow(mark("Capital investment"), Effect(discount=0)),
    "extra_dividend": SpaceRow(mark("Extra dividend"), Effect(dividend=100)),
}


@dataclass(frozen=True)
class TileRow:
    """A building tile: the smallest number of players with it, the workers it brings to the job market, what its owner
    gets, and from whom: the bank or the company that uses it."""

    era: int
    least_seats: int
    workers: int
    fee: int
    is_paid_by_bank: bool
    effect: Effect


def _tile(era: int, least_seats: int, workers: int, fee: str, effect: Effect) -> TileRow:
    """`fee` is dollars and who pays: `20 B` the bank, `20 C` the company."""
    amount, payer = fee.split()
    return TileRow(era, least_seats, workers, int(amount), payer == "B", effect)


def _fixed(letters: str) -> Effect:
    return Effect(fixed=cubes_of(letters))


DIFFERENT, SAME = Effect(cubes=2, choosing="different"), Effect(cubes=2, choosing="same")

TILES: Mapping[int, TileRow] = dict(
    enumerate(
        (
            _tile(1, 2, 2, "20 B", Effect(discount=10)),
            _tile(1, 2, 1, "20 C", Effect(salespeople=1)),
            _tile(1, 3, 0, "20 B", _fixed("WL")),
            _tile(1, 4, 2, "10 C", Effect(appeal=1)),
            _tile(1, 3, 0, "20 B", _fixed("WC")),
            _tile(1, 2, 1, "40 C", Effect(automations=1)),
            _tile(1, 3, 0, "20 B", _fixed("WS")),
            _tile(1, 4, 0, "10 C", DIFFERENT),
            _tile(1, 2, 1, "30 C", Effect(appeal=2)),
            _tile(1, 2, 2, "20 C", Effect(goods=1)),
            _tile(1, 2, 1, "20 C", Effect(managers=1)),
            _tile(1, 4, 2, "10 C", SAME),
            _tile(2, 2, 2, "20 B", _fixed("SL")),
            _tile(2, 2, 1, "30 C", Effect(managers=1)),
            _tile(2, 2, 2, "20 B", _fixed("CS")),
            _tile(2, 3, 1, "30 C", Effect(appeal=2)),
            _tile(2, 2, 2, "20 B", _fixed("CL")),
            _tile(2, 3, 1, "10 C", DIFFERENT),
            _tile(2, 2, 1, "20 B", Effect(discount=20)),
            _tile(2, 3, 2, "10 C", SAME),
            _tile(2, 4, 0, "90 C", Effect(automations=2)),
            _tile(2, 2, 1, "40 C", Effect(salespeople=1)),
            _tile(2, 4, 0, "60 C", Effect(managers=2)),
            _tile(2, 2, 1, "40 C", Effect(automations=1)),
            _tile(2, 4, 0, "80 C", Effect(salespeople=2)),
            _tile(2, 4, 0, "50 C", Effect(workers=2)),
            _tile(2, 3, 2, "40 C", Effect(goods=2)),
            _tile(2, 2, 1, "50 C", Effect(appeal=3)),
            _tile(3, 3, 0, "30 B", Effect(dividend=150)),
            _tile(3, 4, 0, "40 B", Effect(dividend=200)),
            _tile(3, 3, 0, "50 B", Effect(dividend=250)),
            _tile(3, 4, 0, "60 B", Effect(dividend=300)),
            _tile(3, 3, 0, "50 C", Effect(salespeople=2)),
            _tile(3, 2, 1, "40 C", _fixed("CCL")),
            _tile(3, 3, 0, "40 C", Effect(managers=2)),
            _tile(3, 2, 1, "40 C", _fixed("LLS")),
            _tile(3, 2, 1, "40 C", _fixed("WWC")),
            _tile(3, 2, 1, "40 C", _fixed("SSW")),
            _tile(3, 2, 1, "60 C", Effect(appeal=3)),
            _tile(3, 2, 2, "40 B", Effect(discount=30)),
            _tile(3, 2, 1, "60 C", Effect(goods=3)),
            _tile(3, 2, 1, "90 C", Effect(automations=2)),
            _tile(3, 4, 0, "40 C", Effect(workers=1, managers=1)),
            _tile(3, 4, 0, "50 C", Effect(workers=1, salespeople=1)),
        ),
        start=1,
    )
)
ERAS = {1: 1, 2: 2, 3: 2, 4: 3, 5: 3}
"""Decade -> the era whose building tiles are dealt. (BS 6.1)"""


@dataclass(frozen=True)
class AssetRow:
    """A capital asset: its immediate bonus, and what its use once a decade does: cubes from Haymarket for `cost`
    dollars, appeal, `revenue` or a step of the stock value. Price Protection has no use. (BS 1.11)"""

    title: str
    bonus: Effect
    use: Effect = NO_EFFECT
    cost: int = 0
    revenue: int = 0
    steps: int = 0


_AUTOMATE, _WORKER, _APPEAL = Effect(automations=1), Effect(workers=1), Effect(appeal=2)
ASSETS: Mapping[Asset, AssetRow] = {
    "union_stockyards": AssetRow("Union Stockyards", _AUTOMATE, _fixed("LL"), cost=10),
    "michigan_lumber": AssetRow("Michigan Lumber", _AUTOMATE, _fixed("WW"), cost=10),
    "pennsylvania_coal": AssetRow("Pennsylvania Coal", _AUTOMATE, _fixed("CC"), cost=10),
    "cincinnati_steel": AssetRow("Cincinnati Steel", _AUTOMATE, _fixed("SS"), cost=10),
    "brilliant_marketing": AssetRow("Brilliant Marketing", _AUTOMATE, Effect(appeal=1)),
    "brand_recognition": AssetRow("Brand Recognition", _AUTOMATE, Effect(appeal=2)),
    "price_protection": AssetRow("Price Protection", Effect(automations=1, appeal=2)),
    "mail_order_catalogue": AssetRow("Mail Order Catalogue", _WORKER, revenue=40),
    "color_catalog": AssetRow("Color Catalog", _WORKER, revenue=60),
    "catalogue_empire": AssetRow("Catalogue Empire", _WORKER, revenue=80),
    "popular_partners": AssetRow("Popular Partners", _WORKER, steps=1),
    "backroom_deals": AssetRow("Backroom Deals", _WORKER, steps=1),
    "refrigeration": AssetRow("Refrigeration", _APPEAL, _fixed("LL")),
    "foundry": AssetRow("Foundry", _APPEAL, _fixed("SW")),
    "workshop": AssetRow("Workshop", _APPEAL, _fixed("SC")),
    "abattoir": AssetRow("Abattoir", _APPEAL, _fixed("WC")),
}
START_ASSETS: tuple[Asset, ...] = ASSET_KEYS[:4]
LAST_START_ASSET: Asset = "brilliant_marketing"
PRICE_PROTECTION: Asset = "price_protection"


def tiles_of(era: int, seats: int) -> list[int]:
    """The tiles of an era, by the number of players. (BS 1.10)"""
    return [number for number, row in TILES.items() if row.era == era and row.least_seats <= seats]
