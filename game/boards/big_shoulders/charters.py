"""The rows next to the companies: assets for sale, managers' additions, demand by trade, leaders of goals."""

from __future__ import annotations

import msgspec

from game.engine.language import say
from game.rulesets.big_shoulders.descriptions import effect_in_words, use_in_words
from game.rulesets.big_shoulders.effects import ASSETS, Asset
from game.rulesets.big_shoulders.tables import ASSET_SLOTS, COMPANIES, GOALS, TRADE_TITLES, TRADES, Company
from game.rulesets.big_shoulders.view import DemandView, GoalView, ShouldersView


class AssetCard(msgspec.Struct, frozen=True):
    """A capital asset: its immediate bonus and what its use brings."""

    title: str
    bonus: str
    use: str
    price: int = 0


def asset_card(asset: Asset, price: int = 0) -> AssetCard:
    row = ASSETS[asset]
    return AssetCard(
        row.title, effect_in_words(row.bonus), use_in_words(row) or say("keeps the value from falling"), price
    )


def assets_in_row(view: ShouldersView) -> list[AssetCard]:
    """The assets for sale, the cheapest first."""
    return [
        asset_card(asset, price) for price, asset in zip(ASSET_SLOTS, view.assets, strict=True) if asset is not None
    ]


def manager_words(key: Company, number: int) -> str:
    """What a manager adds to a run of a factory."""
    row = COMPANIES[key].factory(number)
    parts = []
    if row.cubes:
        parts.append(say("+{n} cubes", n=row.cubes) if row.cubes > 1 else say("+1 cube"))
    if row.appeal:
        parts.append(say("appeal +{n}", n=row.appeal))
    if row.extra:
        parts.append(say("+1 good"))
    return ", ".join(parts)


class TradeRow(msgspec.Struct, frozen=True):
    """A row of the demand board with the started companies that sell there."""

    title: str
    slots: tuple[DemandView, ...]
    companies: tuple[Company, ...]


def slots_by_trade(view: ShouldersView) -> list[TradeRow]:
    return [
        TradeRow(
            say(TRADE_TITLES[trade]),
            tuple(slot for slot in view.demand if slot.trade == trade),
            tuple(company.key for company in view.companies if company.trade == trade and company.is_started),
        )
        for trade in TRADES
    ]


class GoalRow(msgspec.Struct, frozen=True):
    """A goal with its present leader, and the count of every seat."""

    title: str
    leaders: tuple[int, ...]
    most: int
    counts: tuple[int, ...]


def leaders_of(view: ShouldersView) -> list[GoalRow]:
    return [_goal(goal) for goal in view.goals]


def _goal(goal: GoalView) -> GoalRow:
    most = max(goal.counts)
    leaders = tuple(seat for seat, number in enumerate(goal.counts) if number == most and most)
    return GoalRow(say(GOALS[goal.goal]), leaders, most, goal.counts)
