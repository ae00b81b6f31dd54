"""What the pictures of the rulebook show: an example on each track and board, drawn with the pieces of the game."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from game.boards.big_shoulders.charters import AssetCard, asset_card
from game.boards.big_shoulders.spaces import SpaceTile, tile_card
from game.boards.big_shoulders.tracks import bonus_on
from game.engine.language import count, say
from game.engine.phrases import thousands
from game.rulesets.big_shoulders.effects import Asset
from game.rulesets.big_shoulders.selling import revenue_from
from game.rulesets.big_shoulders.stock_checks import KIND_TITLES
from game.rulesets.big_shoulders.tables import (
    APPEAL_BONUSES,
    ASSET_SLOTS,
    COMPANIES,
    ISSUED,
    MOST_APPEAL,
    MOST_WORKERS,
    UNITS,
    VALUES,
    WORKER_PRICES,
    Company,
    Cube,
)
from game.rulesets.big_shoulders.values import steps_for
from game.rulesets.big_shoulders.view import CompanyView, FactoryView

VALUE = 60
"""The value from which the example on the track of values starts."""
BEFORE, RISE, AHEAD_AT = 4, 3, 9
"""Where the company of the example stands on the track of appeal, how far it rises, and where another one is."""
TILES = (13, 9, 6)
ASSETS: tuple[Asset, ...] = (
    "union_stockyards",
    "michigan_lumber",
    "pennsylvania_coal",
    "cincinnati_steel",
    "brilliant_marketing",
)
BOUGHT = 1
"""The place of the asset that the example buys."""
GOODS, CAPACITIES, SOLD = (1, 0, 2), (3, 4, 5), (2, 3, 0)
"""A row of demand: the goods on its tiles, their capacities, and how many the company of the example puts on each."""
SELLER: Company = "elgin"


class PicturedSpace(msgspec.Struct, frozen=True):
    """A space of a track: the company on it, or where the example would take it (`is_ghost`), and a few words."""

    number: int
    company: str = ""
    is_ghost: bool = False
    note: str = ""
    is_gained: bool = False


def pictured_values() -> tuple[PicturedSpace, ...]:
    """The track with a company, and where one step down and one, two or three up would take it. (BS 1.1, BS 7.5)"""
    at = VALUES.index(VALUE)
    notes = {at + step: f"{step:+d}".replace("-", "−") for step in (-1, 1, 2, 3)}
    return tuple(
        PicturedSpace(value, "swift" if place == at or place in notes else "", place in notes, notes.get(place, ""))
        for place, value in enumerate(VALUES)
    )


def pictured_steps() -> list[tuple[int, str]]:
    """The steps of the value with the dividends that bring them, all ten shares together."""
    least = [min(d for d in range(0, 4 * VALUE, 10) if steps_for(d, VALUE) == steps) for steps in (1, 2, 3)]
    return [(steps + 1, thousands(dividend)) for steps, dividend in enumerate(least)]


def pictured_appeal() -> tuple[PicturedSpace, ...]:
    """The track with a company that rises over two bonuses. (BS 1.5)"""
    there = {BEFORE: (SELLER, True), BEFORE + RISE: (SELLER, False), AHEAD_AT: ("swift", False)}
    return tuple(
        PicturedSpace(
            number,
            *there.get(number, ("", False)),
            note=bonus_on(number)[0],
            is_gained=number in APPEAL_BONUSES and BEFORE < number <= BEFORE + RISE,
        )
        for number in range(MOST_APPEAL + 1)
    )


class PicturedCertificate(msgspec.Struct, frozen=True):
    """A certificate and its number of shares."""

    title: str
    shares: int


def pictured_certificates() -> list[PicturedCertificate]:
    """The seven certificates of a company, the largest first. (BS 1.2)"""
    return [
        PicturedCertificate(say(KIND_TITLES[kind]), UNITS[kind])
        for kind, number in ISSUED.items()
        for _ in range(number)
    ]


def pictured_charter() -> CompanyView:
    """A company in play: the first factory with a worker, an automation and a manager, the second without. (BS 1.4)"""
    row = COMPANIES[SELLER]
    staffing = ((1, 1, True), (0, 0, False))
    return CompanyView(
        key=SELLER, title=row.title, trade=row.trade, is_started=True, director_seat=None, price=VALUE, cash=120,
        appeal=BEFORE, rank=1, goods=2, tokens=0, salespeople=1, good_price=row.prices[1], next_price=row.prices[2],
        has_slot=row.has_slot, asset=None, is_exhausted=False, cubes={"steel": 1, "coal": 2}, treasury={}, pool={},
        factories=tuple(
            FactoryView(staff=each.staff, inputs=each.inputs, goods=each.goods, workers=workers, automated=automated,
                        has_manager=has_manager)
            for each, (workers, automated, has_manager) in zip(row.factories, staffing, strict=True)
        ),
    )  # fmt: skip


class PicturedChain(msgspec.Struct, frozen=True):
    """The supply chain at one moment: the cubes of each column, none for one that is filled afterwards."""

    title: str
    columns: tuple[Mapping[Cube, int], ...]


CHAIN: tuple[Mapping[Cube, int], ...] = (
    {"steel": 1, "coal": 1},
    {"livestock": 2, "wood": 1},
    {"steel": 2, "wood": 1},
    {"livestock": 1, "coal": 2},
)


def pictured_chain() -> list[PicturedChain]:
    """The supply chain before and after a company has bought what was in column 10. (BS 1.6, BS 7.6)"""
    return [PicturedChain(say("Before"), CHAIN), PicturedChain(say("After the operation"), (*CHAIN[1:], {}))]


class MarketPlaces(msgspec.Struct, frozen=True):
    """Places of the job market with one price; `workers` of them are taken."""

    first: int
    last: int
    workers: int
    price: int


IN_MARKET = 6
"""Workers in the market of the example."""


def pictured_market() -> list[MarketPlaces]:
    """The job market from its last workers to its first, each group of places with its price. (BS 1.7)"""
    groups, last = [], MOST_WORKERS
    for first, price in WORKER_PRICES:
        groups.append(MarketPlaces(first, last, min(max(IN_MARKET - first + 1, 0), last - first + 1), price))
        last = first - 1
    return groups[::-1]


class PicturedTile(msgspec.Struct, frozen=True):
    """A tile as it lies on a track, and everything that is printed on it in words."""

    card: SpaceTile
    words: str
    workers: str


def pictured_tiles() -> list[PicturedTile]:
    """Three tiles: paid by the bank, paid by its user, and one that was used in this decade. (BS 1.10)"""
    tiles = []
    for place, tile in enumerate(TILES):
        is_last = place == len(TILES) - 1
        card = tile_card(tile, visitors=(SELLER,) if is_last else (), is_used=is_last)
        coming = count(
            "{n} worker came to the job market with it", "{n} workers came to the job market with it", card.workers
        )
        tiles.append(PicturedTile(card, card.does, coming if card.workers else ""))
    return tiles


class PicturedAsset(msgspec.Struct, frozen=True):
    """A slot of the row: the asset on it, and what the next company pays for that; 0 for the one that is bought."""

    price: int
    card: AssetCard
    next_price: int


def pictured_assets() -> list[PicturedAsset]:
    """The row with an asset that is bought: those to its right slide. (BS 1.11, B-85)"""
    return [
        PicturedAsset(price, asset_card(asset), ASSET_SLOTS[place - (place > BOUGHT)] if place != BOUGHT else 0)
        for place, (price, asset) in enumerate(zip(ASSET_SLOTS, ASSETS, strict=True))
    ]


class PicturedDemand(msgspec.Struct, frozen=True):
    """A row of the demand board: the goods and the capacity on each slot, None for a tile still to come."""

    title: str
    slots: tuple[tuple[int, int] | None, ...]


def pictured_demand() -> list[PicturedDemand]:
    """A row before a sale, after it, and after the cleanup. (BS 1.12, BS 8)"""
    before = tuple(zip(GOODS, CAPACITIES, strict=True))
    after = tuple((goods + sold, most) for (goods, most), sold in zip(before, SOLD, strict=True))
    left = tuple(slot for slot in after if slot[0] < slot[1])
    return [
        PicturedDemand(say("Before"), before),
        PicturedDemand(say("After the sale"), after),
        PicturedDemand(say("After the cleanup"), (*left, *(None for _ in range(len(after) - len(left))))),
    ]


class PicturedSale(msgspec.Struct, frozen=True):
    """What the sale of the example brings: goods times price, and the bonus of the tile that it completes."""

    title: str
    goods: int
    price: int
    bonus: int
    revenue: int


def pictured_sale() -> PicturedSale:
    """The revenue of that sale. (BS 7.4)"""
    row = COMPANIES[SELLER]
    price, goods = row.prices[1], sum(SOLD)
    rooms = [most - goods for goods, most in zip(GOODS, CAPACITIES, strict=True)]
    revenue = revenue_from({"50": SOLD[0], "20": SOLD[1], "0": SOLD[2]}, rooms, price)
    return PicturedSale(row.title, goods, price, revenue - goods * price, revenue)


PICTURE_TAGS = (
    pictured_appeal,
    pictured_assets,
    pictured_certificates,
    pictured_chain,
    pictured_charter,
    pictured_demand,
    pictured_market,
    pictured_sale,
    pictured_steps,
    pictured_tiles,
    pictured_values,
)
