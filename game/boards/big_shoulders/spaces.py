"""The spaces and tiles on which partners are placed: a few words on each, whom it pays, and who was there. (BS 6.2)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from game.engine.language import count, mark, say
from game.engine.offers import Offer
from game.engine.phrases import thousands
from game.rulesets.big_shoulders.descriptions import space_in_words
from game.rulesets.big_shoulders.effects import GENERAL_SPACES, SPACES, TILES, Effect, GeneralSpace, Space
from game.rulesets.big_shoulders.supply import counted
from game.rulesets.big_shoulders.tables import Company, Cube
from game.rulesets.big_shoulders.view import ShouldersView

SHORT: dict[GeneralSpace, str] = {
    "hire_workers": mark("Hire workers"),
    "advertising": mark("Advertise"),
    "fund_40": mark("Raise $40"),
    "fund_60": mark("Raise $60"),
    "fund_80": mark("Raise $80"),
    "hire_manager": mark("Hire manager"),
    "hire_salesperson": mark("Hire salesperson"),
    "capital_investment": mark("Capital investment"),
    "extra_dividend": mark("Extra dividend"),
}


class SpaceTile(msgspec.Struct, frozen=True):
    """A space or a tile. `title` says in a few words what it does; for a tile these are its effect. `cost` is what the
    company pays, or what it gets if it begins with a plus. `fee` goes to `owner`; the bank pays it if
    `is_paid_by_bank`. `visitors` are the companies with a partner there. `state` is empty, used, closed (until a later
    decade) or no (not possible for the chosen company). `workers` is how many came to the job market when it was
    built."""

    space: Space
    title: str
    does: str
    is_tile: bool
    cost: str = ""
    fee: int = 0
    is_paid_by_bank: bool = False
    owner: int | None = None
    visitors: tuple[Company, ...] = ()
    state: str = ""
    note: str = ""
    workers: int = 0
    cubes: dict[Cube, int] = {}
    checked: bool = False

    @property
    def key(self) -> str:
        return str(self.space)


def space_tiles(
    view: ShouldersView, offers: Sequence[Offer] = (), company: str = "", chosen: str = ""
) -> tuple[SpaceTile, ...]:
    """All general spaces, then the tiles of each player. If a company is named, its offers decide which of them it can
    use."""
    refused: dict[Any, list[Offer]] = {}
    for offer in offers:
        if offer.kind == "place" and offer.fixed["company"] == company:
            refused.setdefault(offer.fixed["space"], []).append(offer)
    tiles = [_general(view, space) for space in GENERAL_SPACES]
    tiles += [_tile(view, tile, player.seat) for player in view.players for tile in player.built]
    return tuple(
        msgspec.structs.replace(tile, **_stands(tile, refused.get(tile.space)), checked=tile.key == chosen)
        for tile in tiles
    )


def _stands(tile: SpaceTile, offers: list[Offer] | None) -> dict[str, str]:
    """The changes to a tile that cannot be chosen, with the reason; empty if it can, or if no company is named."""
    if tile.state or offers is None or any(not offer.refused for offer in offers):
        return {}
    return {"state": "no", "note": offers[0].refused}


def visitors_of(view: ShouldersView, space: Space) -> tuple[Company, ...]:
    return tuple(visit.company for visit in view.visits if visit.space == space)


def _general(view: ShouldersView, space: GeneralSpace) -> SpaceTile:
    row = SPACES[space]
    is_closed = view.turn < row.since
    state = "closed" if is_closed else "used" if space in view.used else ""
    note = say("from decade {n} on", n=row.since) if is_closed else say("used in this decade") if state else ""
    cost = thousands(row.costs) if row.costs else thousands(row.effect.dividend) if row.effect.dividend else ""
    if row.effect.hires:
        cost = thousands(view.worker_price)
    if row.gives:
        cost = f"+{thousands(row.gives)}"
    return SpaceTile(
        space, say(SHORT[space]), space_in_words(space), is_tile=False, cost=cost, visitors=visitors_of(view, space),
        state=state, note=note,
    )  # fmt: skip


def _tile(view: ShouldersView, tile: int, owner: int) -> SpaceTile:
    return tile_card(tile, owner, visitors_of(view, tile), is_used=tile in view.used)


def tile_card(
    tile: int, owner: int | None = None, visitors: tuple[Company, ...] = (), *, is_used: bool = False
) -> SpaceTile:
    """A building tile as it lies on a track."""
    row = TILES[tile]
    return SpaceTile(
        tile,
        short_words(row.effect),
        space_in_words(tile),
        is_tile=True,
        cost="" if row.is_paid_by_bank else thousands(row.fee),
        fee=row.fee,
        is_paid_by_bank=row.is_paid_by_bank,
        owner=owner,
        visitors=visitors,
        state="used" if is_used else "",
        note=say("used in this decade") if is_used else "",
        workers=row.workers,
        cubes=counted(row.effect.fixed),
    )


def short_words(effect: Effect) -> str:
    """What a tile does in as few words as fit on it; without the fixed cubes, which are shown as icons."""
    parts = [
        count("{n} worker", "{n} workers", effect.workers) if effect.workers else "",
        count("{n} manager", "{n} managers", effect.managers) if effect.managers else "",
        count("{n} salesperson", "{n} salespeople", effect.salespeople) if effect.salespeople else "",
        count("automate {n}", "automate {n}", effect.automations) if effect.automations else "",
        count("+{n} good", "+{n} goods", effect.goods) if effect.goods else "",
        say("appeal +{n}", n=effect.appeal) if effect.appeal else "",
        say("dividend of {n}", n=effect.dividend) if effect.dividend else "",
        say("asset for {n} less", n=effect.discount) if effect.discount else "",
        say(CHOICES[effect.choosing], n=effect.cubes) if effect.cubes else "",
    ]
    return ", ".join(part for part in parts if part)


CHOICES = {"different": mark("{n} cubes of different kinds"), "same": mark("{n} cubes of one kind")}
