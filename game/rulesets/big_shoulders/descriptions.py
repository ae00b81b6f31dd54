"""What spaces, tiles and assets do, in words. (BS 1.9 to 1.11)"""

from __future__ import annotations

from collections.abc import Iterator

from game.engine.language import count, kept, say
from game.rulesets.big_shoulders.effects import SPACES, TILES, AssetRow, Effect, Space
from game.rulesets.big_shoulders.supply import counted
from game.rulesets.big_shoulders.telling import cubes_in_words


def effect_in_words(effect: Effect) -> str:
    """`1 worker from the supply, 1 manager`; empty for no effect."""
    return ", ".join([*_staff(effect), *_goods(effect), *_money(effect)])


def _staff(effect: Effect) -> Iterator[str]:
    if effect.hires:
        yield say("workers from the job market")
    if effect.workers:
        yield count("{n} worker from the supply", "{n} workers from the supply", effect.workers)
    if effect.managers:
        yield count("{n} manager", "{n} managers", effect.managers)
    if effect.salespeople:
        yield count("{n} salesperson", "{n} salespeople", effect.salespeople)
    if effect.automations:
        yield say("automate 1 worker") if effect.automations == 1 else say("automate up to 2 workers")


def _goods(effect: Effect) -> Iterator[str]:
    if effect.fixed:
        yield cubes_in_words(counted(effect.fixed))
    if effect.choosing == "different":
        yield say("{n} cubes of different kinds", n=effect.cubes)
    elif effect.choosing == "same":
        yield say("{n} cubes of one kind", n=effect.cubes)
    if effect.goods:
        yield count("{n} good", "{n} goods", effect.goods)


def _money(effect: Effect) -> Iterator[str]:
    if effect.appeal:
        yield say("appeal +{n}", n=effect.appeal)
    if effect.dividend:
        yield say("a dividend of {amount}", amount=effect.dividend)
    if effect.discount is not None:
        yield say("a capital asset, {n} cheaper", n=effect.discount) if effect.discount else say("a capital asset")
    if effect.claims:
        yield say("the first place in the next sequence may be claimed")


def use_in_words(row: AssetRow) -> str:
    """What using an asset does; empty for Price Protection."""
    parts = [effect_in_words(row.use)] if effect_in_words(row.use) else []
    if row.cost:
        parts.append(say("for {amount}", amount=row.cost))
    if row.revenue:
        parts.append(say("revenue +{amount}", amount=row.revenue))
    if row.steps:
        parts.append(say("value one step up"))
    return " ".join(parts)


@kept()
def tile_in_words(tile: int) -> str:
    """`4 (appeal +1)`: a tile within a sentence."""
    return say("{tile} ({effect})", tile=tile, effect=effect_in_words(TILES[tile].effect))


@kept()
def space_in_words(space: Space) -> str:
    """What a space does for the company, and whom it pays."""
    if not isinstance(space, int):
        row = SPACES[space]
        money = say("for {amount}", amount=row.costs) if row.costs else ""
        return " ".join(part for part in (effect_in_words(row.effect), money) if part)
    tile = TILES[space]
    effect = effect_in_words(tile.effect)
    if tile.is_paid_by_bank:
        return say("{effect}; the bank pays its owner {amount}", effect=effect, amount=tile.fee)
    return say("{effect}; the company pays its owner {amount}", effect=effect, amount=tile.fee)


def asset_in_words(row: AssetRow) -> str:
    """An asset's immediate bonus and its use, in words."""
    use = use_in_words(row) or say("keeps the value from falling")
    return say("when bought: {bonus}; then: {use}", bonus=effect_in_words(row.bonus), use=use)
