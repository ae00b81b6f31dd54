"""The effect of each company action on its company, as the bot knows it from the rulebook, and the change in value of a
share."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from game.rulesets.sectors.bots.outlook import VOTED, Outset, worth_of
from game.rulesets.sectors.options import EDITIONS
from game.rulesets.sectors.state import VETO
from game.rulesets.sectors.tables.chart import LAST, PRICES
from game.rulesets.sectors.tables.common import LOAN

STEP_PERCENT = 7  # part of a price that a step of the chart is, roughly
PLENTY = 350  # dollars in a treasury that needs no loan and may spend on luck

HOPES: dict[str, float] = {
    "research": 0.12,
    "visionary": 0.24,
    "price_freeze": 0.05,
}
"""Price steps that an action is expected to bring beyond what can be foreseen: cards, a less crowded market."""

AMBITIONS: dict[str, float] = {
    "re_brand": 5.0,
    "visionary": 1.0,
    "fast_track_approval": 1.0,
    "rapid_expansion": 1.0,
    "surge_pricing": 0.7,
    "strategic_reserve": 0.7,
    "price_freeze": 0.3,
}
"""The value, in dollars per share, of every prestige token saved towards the sector's own action, as long as that can
still be afforded."""
LEAST_AHEAD = 2  # turns that must be left to save for it


class Scene(msgspec.Struct, frozen=True):
    """The surroundings of a company when it votes. Tiers by name; `dearer` and `cheaper`: rivals ahead and behind at
    another unit price."""

    edition: int
    tier: str
    prestige: int
    market: int  # shares of it on the open market
    on_sale: int  # shares of it there and in its IPO
    pool: int
    elsewhere: int  # consumers that Fast-track Approval would bring
    space: str  # the next space of the prestige track
    space_cost: int
    injection: int
    dearer: tuple[int, int]
    cheaper: tuple[int, int]
    executed: tuple[tuple[str, int], ...]  # tiered actions that others took this round, as far as it shows
    unlocked: tuple[str, ...]  # its sector's own action first
    turns: int  # productions still to come


class Plan(msgspec.Struct, frozen=True):
    """An action that could be carried out now, the company afterwards, and the resulting value of a share in
    dollars."""

    action: str
    effect: str  # the action, or the space of the track that it buys
    after: Outset  # its cost not yet paid
    cost: int
    worth: float


Change = Callable[[Outset, Scene], Outset | None]
_set = msgspec.structs.replace


def _lacks(now: Outset) -> int:
    """Units by which supply exceeds demand."""
    return now.supply + now.extra_supply - now.base_demand - now.extra_demand


def _tiers(by: int) -> Change:
    """A change of tier: up only if more could be sold, down only if less is in demand."""

    def change(now: Outset, scene: Scene) -> Outset | None:
        tiers = EDITIONS[scene.edition].tiers
        names = list(tiers)
        was, place = tiers[scene.tier], names.index(scene.tier)
        new = tiers[names[min(max(place + by, 0), len(names) - 1)]]
        is_idle = now.consumers - now.ahead <= now.supply if by > 0 else _lacks(now) < 2
        if new is was or is_idle:
            return None
        return _set(now, supply=now.supply - was.supply + new.supply, cost=new.cost, actions=new.actions)

    return change


def _marketing(demand: int, consumers: int) -> Change:
    """The change counts only if demand does not greatly exceed supply."""

    def change(now: Outset, scene: Scene) -> Outset | None:
        if _lacks(now) < 0:
            return None
        return _set(now, extra_demand=now.extra_demand + demand, consumers=now.consumers + min(consumers, scene.pool))

    return change


def _demand(extra: int, base: int = 0, unit_price: int = 0) -> Change:
    return lambda now, scene: _set(
        now,
        extra_demand=now.extra_demand + extra,
        base_demand=now.base_demand + base,
        unit_price=now.unit_price + unit_price,
    )


def _lobby(now: Outset, scene: Scene) -> Outset | None:
    """The change counts only if the sector follows its demand and lacks consumers."""
    if EDITIONS[scene.edition].consumers_follow != "demand" or now.consumers - now.ahead >= 2 * now.supply:
        return None
    return _set(now, lobby=now.lobby + 3)


def _increase_unit_price(now: Outset, scene: Scene) -> Outset:
    ahead, behind = scene.dearer
    extra, base = now.extra_demand, now.base_demand
    if now.costs_demand:
        extra, base = (extra - 1, base) if extra else (extra, max(base - 1, 0))
    return _set(now, unit_price=now.unit_price + 10, extra_demand=extra, base_demand=base, ahead=ahead, behind=behind)


def _decrease_unit_price(now: Outset, scene: Scene) -> Outset | None:
    """The change counts only if the company is then served before a rival."""
    ahead, behind = scene.cheaper
    if ahead >= now.ahead:
        return None
    return _set(now, unit_price=max(now.unit_price - 10, 0), ahead=ahead, behind=behind)


def _share_buyback(now: Outset, scene: Scene) -> Outset | None:
    return _set(now, existing=now.existing - 1) if scene.market else None


def _share_issue(now: Outset, scene: Scene) -> Outset | None:
    """The change counts only if no player can buy any shares now."""
    return None if scene.on_sale else _set(now, existing=now.existing + 2)


def _loan(now: Outset, scene: Scene) -> Outset | None:
    """The change counts only if money may run short."""
    if now.has_loan or now.treasury > PLENTY:
        return None
    return _set(now, treasury=now.treasury + LOAN, has_loan=True)


def _outsource(now: Outset, scene: Scene) -> Outset | None:
    tier_supply = EDITIONS[scene.edition].tiers[scene.tier].supply
    room = 2 * tier_supply - now.supply - now.extra_supply
    return _set(now, extra_supply=now.extra_supply + min(3, room)) if room > 0 > _lacks(now) else None


def _spend_prestige(now: Outset, scene: Scene) -> Outset | None:
    if scene.prestige < scene.space_cost or scene.space not in SPACES:
        return None
    return SPACES[scene.space](now, scene)


def _step_up(now: Outset, scene: Scene) -> Outset:
    return _set(now, step=min(now.step + 1, LAST))


SPACES: dict[str, Change] = {
    "sector_elasticity": lambda now, scene: _set(now, pull=now.pull + 1),
    "magnet_effect": _step_up,
    "investor_confidence": lambda now, scene: _set(now, existing=now.existing + 3),
    "capital_injection": lambda now, scene: _set(now, treasury=now.treasury + scene.injection),
    "bull_signal": _step_up,
    "influencer": _demand(0, base=1),
}
"""Every space of the prestige track. (S 1.8)"""

CHANGES: dict[str, Change] = {
    "large_marketing": _marketing(4, 3),
    "small_marketing": _marketing(3, 0),
    "research": lambda now, scene: now if now.treasury > PLENTY or not scene.turns else None,
    "expansion": _tiers(1),
    "downsize": _tiers(-1),
    "share_buyback": _share_buyback,
    "share_issue": _share_issue,
    "increase_unit_price": _increase_unit_price,
    "decrease_unit_price": _decrease_unit_price,
    "spend_prestige": _spend_prestige,
    "loan": _loan,
    "lobby": _lobby,
    "outsource": _outsource,
    VETO: lambda now, scene: _set(now, is_thrifty=True),
    "visionary": _demand(0, base=1),
    "strategic_reserve": lambda now, scene: _set(now, is_free=True, bonus=now.bonus + 10),
    "rapid_expansion": _tiers(2),
    "fast_track_approval": lambda now, scene: _set(
        now, extra_demand=now.extra_demand + 2, consumers=now.consumers + scene.elsewhere
    ),
    "price_freeze": lambda now, scene: now,
    "re_brand": _demand(1, base=1, unit_price=40),
    "surge_pricing": lambda now, scene: _set(now, bonus=now.bonus + 20),
    "extract": lambda now, scene: _set(now, extra_supply=now.extra_supply + 1),
    "manufacture": lambda now, scene: _set(now, extra_supply=now.extra_supply + 1),
}
"""The foreseeable effects of every company action of the rulebook on its company. (S 6.9–6.11)"""

ACTIVE_ACTIONS = frozenset(
    {
        "visionary",
        "strategic_reserve",
        "rapid_expansion",
        "fast_track_approval",
        "price_freeze",
        "re_brand",
        "surge_pricing",
    }
)


def plans(now: Outset, scene: Scene) -> tuple[Plan, ...]:
    """The possible actions, VETO included, with the resulting value of a share."""
    return tuple(plan for action in _open_to(scene) if (plan := _plan(action, now, scene)))


def _open_to(scene: Scene) -> tuple[str, ...]:
    return (*_GENERAL, *(action for action in scene.unlocked if action in CHANGES))


_GENERAL = tuple(key for key in CHANGES if key not in ACTIVE_ACTIONS and key not in ("extract", "manufacture"))


def _plan(action: str, now: Outset, scene: Scene) -> Plan | None:
    """The action tried out; None if it cannot be paid or would do nothing. It never spends the last dollar. (A47,
    A48)"""
    edition = EDITIONS[scene.edition]
    costs = edition.action_costs[action] or (PRICES[now.step],)
    cost = costs[min(dict(scene.executed).get(action, 0), len(costs) - 1)]
    if (cost and cost >= now.treasury) or edition.action_prestige.get(action, 0) > scene.prestige:
        return None
    after = CHANGES[action](now, scene)
    if after is None:
        return None
    worth = (
        worth_of(after, scene.turns, VOTED, spent=cost) + PRICES[now.step] * STEP_PERCENT * HOPES.get(action, 0) / 100
    )
    if scene.turns >= LEAST_AHEAD:
        worth += _hoarded(action, after.treasury - cost, scene)
    return Plan(action, scene.space if action == "spend_prestige" else action, after, cost, worth)


def _hoarded(action: str, treasury: int, scene: Scene) -> float:
    """The value, in dollars per share, of the tokens that an action leaves for the sector's own action, up to its price
    and as far as the company has the cash."""
    own = scene.unlocked[0]
    edition = EDITIONS[scene.edition]
    needed, cost = edition.action_prestige[own], edition.action_costs[own][0]
    spent = scene.space_cost if action == "spend_prestige" else scene.prestige if action in ("outsource", own) else 0
    return AMBITIONS.get(own, 0) * min(scene.prestige - spent, needed) * min(treasury / cost, 1)
