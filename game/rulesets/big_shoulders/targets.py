"""The targets that an effect needs, and the checks before it is carried out. (BS 6.3)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from game.engine.actions import Refused
from game.engine.language import mark, say
from game.engine.phrases import thousands
from game.rulesets.big_shoulders.effects import ASSETS, NO_EFFECT, Asset, Effect
from game.rulesets.big_shoulders.staff import FactoryKey, Move, after_move, moves_in, sales_left, unmanaged
from game.rulesets.big_shoulders.state import HAYMARKET, ShouldersState
from game.rulesets.big_shoulders.supply import counted
from game.rulesets.big_shoulders.tables import (
    ASSET_SLOTS,
    COMPANIES,
    CUBE_TITLES,
    MOST_APPEAL,
    Company,
    Cube,
    Factory,
)

Number = Annotated[int, Meta(ge=0, le=99)]
AssetSlot = Literal[40, 50, 60, 70, 80]
TITLES: Mapping[str, str] = {
    "workers": mark("Workers"),
    "managers": mark("Managers"),
    "automate": mark("Automation"),
    "then_automate": mark("Second automation"),
    "cubes": mark("Cubes"),
    "asset_slot": mark("Asset"),
    "keep": mark("Keep the asset"),
    "claim": mark("Claim the first place"),
}
"""What a request may name for an effect."""


class Targets(msgspec.Struct, frozen=True, kw_only=True):
    """A request's targets for an effect: workers and cubes by number, managers and automations by factory."""

    workers: dict[FactoryKey, Number] = {}
    managers: list[Factory] = []
    automate: Move | None = None
    then_automate: Move | None = None
    cubes: dict[Cube, Number] = {}
    asset_slot: AssetSlot | None = None
    keep: bool | None = None
    claim: bool = False


def asset_in(state: ShouldersState, slot: AssetSlot | None) -> Asset | None:
    """The asset for sale in a slot."""
    return None if slot is None else state.assets[ASSET_SLOTS.index(slot)]


def bonus_of(state: ShouldersState, effect: Effect, slot: AssetSlot | None) -> Effect:
    """The immediate bonus of the asset that an effect buys."""
    asset = asset_in(state, slot) if effect.discount is not None else None
    return ASSETS[asset].bonus if asset else NO_EFFECT


def check_targets(state: ShouldersState, company: Company, effect: Effect, targets: Targets) -> None:
    """Raises `Refused` unless the targets are exactly those that the effect and the bonus of a bought asset need.
    (B-103)"""
    _check_asset(state, company, effect, targets)
    bonus = bonus_of(state, effect, targets.asset_slot)
    _check_workers(state, company, effect, effect.workers or bonus.workers, targets)
    _check_managers(state, company, effect.managers, targets)
    _check_automations(state, company, effect.automations or bonus.automations, targets)
    check_cubes(state.cubes_at(HAYMARKET), effect, targets.cubes)
    if targets.claim and not effect.claims:
        raise superfluous_target("claim")


def superfluous_target(field: str) -> Refused:
    """The refusal of a target that the effect does not use."""
    return Refused(
        "{what} cannot be named here.", "B-103", what=say(TITLES[field]), code="superfluous_target", field=field
    )


def _check_asset(state: ShouldersState, company: Company, effect: Effect, targets: Targets) -> None:
    if effect.discount is None:
        for field in ("asset_slot", "keep"):
            if getattr(targets, field) is not None:
                raise superfluous_target(field)
        return
    if asset_in(state, targets.asset_slot) is None:
        raise Refused("Name a slot with an asset.", "BS 6.3", code="no_asset_there", field="asset_slot")
    has_slot = COMPANIES[company].has_slot
    if has_slot and targets.keep is None:
        raise Refused(
            "Say whether {company} keeps the asset.",
            "B-39",
            company=COMPANIES[company].title,
            code="keep_or_not",
            field="keep",
        )
    if not has_slot and targets.keep is not None:
        raise Refused(
            "{company} has no slot for an asset.",
            "B-39",
            company=COMPANIES[company].title,
            code="no_asset_slot",
            field="keep",
        )


def _check_workers(state: ShouldersState, company: Company, effect: Effect, granted: int, targets: Targets) -> None:
    free = state.free_spaces(company)
    named = sum(targets.workers.values())
    least = 1 if effect.hires else min(granted, sum(free))
    most = sum(free) if effect.hires else least
    if named and not effect.hires and not granted:
        raise superfluous_target("workers")
    if effect.hires and not most:
        raise Refused("No staff space is free.", "B-31", code="no_free_space", field="workers")
    if not least <= named <= most:
        raise Refused(
            "Workers to place: {least} to {most}; you named {named}.",
            "B-31",
            least=least,
            most=most,
            named=named,
            code="wrong_number_of_workers",
            field="workers",
        )
    for key, number in targets.workers.items():
        spaces = free[int(key) - 1] if int(key) <= len(free) else 0
        if number > spaces:
            raise Refused(
                "Free spaces in factory {factory}: {free}; you named {number}.",
                "BS 6.3",
                factory=key,
                free=spaces,
                number=number,
                code="no_free_space",
                field="workers",
            )


def _check_managers(state: ShouldersState, company: Company, granted: int, targets: Targets) -> None:
    open_factories = unmanaged(state, company)
    if targets.managers and not granted:
        raise superfluous_target("managers")
    if len(targets.managers) != min(granted, len(open_factories)):
        raise Refused(
            "Managers to place: {wanted}; you named {named}.",
            "B-81",
            wanted=min(granted, len(open_factories)),
            named=len(targets.managers),
            code="wrong_number_of_managers",
            field="managers",
        )
    for at, factory in enumerate(targets.managers):
        if factory not in open_factories or factory in targets.managers[:at]:
            raise Refused(
                "Factory {factory} cannot get a manager.", "BS 1.7", factory=factory, code="has_manager",
                field="managers",
            )  # fmt: skip


def _check_automations(state: ShouldersState, company: Company, granted: int, targets: Targets) -> None:
    """Check automations: the second one sees the result of the first, and one of two may be omitted. (B-81)"""
    workers, free = state.workers_in(company), state.free_spaces(company)
    check_move(workers, free, targets.automate, "automate", is_granted=granted > 0)
    if targets.automate is None or granted < 2:
        if targets.then_automate is not None:
            raise superfluous_target("then_automate")
        return
    if targets.then_automate is not None:
        workers, free = after_move(workers, free, targets.automate)
        check_move(workers, free, targets.then_automate, "then_automate", is_granted=True)


def check_move(workers: list[int], free: list[int], move: Move | None, field: str, *, is_granted: bool) -> None:
    """Raises `Refused` unless the move is a possible automation, or none where none is possible. (B-41)"""
    possible = moves_in(workers, free) if is_granted else []
    if move is None and not possible:
        return
    if not is_granted:
        raise superfluous_target(field)
    if move not in possible:
        raise Refused(
            "This automation is not possible. Choose one of {known}.",
            "BS 6.4",
            known=", ".join(possible) or "–",
            code="no_such_automation",
            field=field,
        )


def check_cubes(there: Mapping[Cube, int], effect: Effect, named: Mapping[Cube, int]) -> None:
    """Raises `Refused` unless as many cubes are named as granted, or fewer where Haymarket lacks them. (B-43)"""
    chosen = {cube: number for cube, number in named.items() if number}
    if not effect.cubes:
        if chosen:
            raise superfluous_target("cubes")
        return
    for cube, number in chosen.items():
        if number > there.get(cube, 0):
            raise Refused(
                "Haymarket has {there} of {cube}, not {number}.",
                "BS 6.3",
                there=there.get(cube, 0),
                cube=say(CUBE_TITLES[cube]),
                number=number,
                code="not_in_haymarket",
                field="cubes",
            )
    if chosen not in choices_of_cubes(there, effect) and not _is_any(there, effect, chosen):
        raise Refused(
            "Choose other cubes: {wanted}.",
            "B-43",
            wanted=say(WANTED[effect.choosing], n=effect.cubes),
            code="wrong_cubes",
            field="cubes",
        )


WANTED: Mapping[str, str] = {
    "any": mark("any {n}, or all that are there"),
    "different": mark("{n} of different kinds, or the one kind that is there"),
    "same": mark("{n} of one kind, or the one that is there"),
}


def _is_any(there: Mapping[Cube, int], effect: Effect, chosen: Mapping[Cube, int]) -> bool:
    return effect.choosing == "any" and sum(chosen.values()) == min(effect.cubes, sum(there.values()))


def choices_of_cubes(there: Mapping[Cube, int], effect: Effect) -> list[dict[Cube, int]]:
    """The possible choices where the cubes must be all different or all the same."""
    kinds = [cube for cube, number in there.items() if number]
    if effect.choosing == "same":
        return [{cube: min(effect.cubes, there[cube])} for cube in kinds]
    if effect.choosing != "different":
        return []
    if len(kinds) < effect.cubes:
        return [dict.fromkeys(kinds, 1)]
    return [{one: 1, other: 1} for at, one in enumerate(kinds) for other in kinds[at + 1 :]]


def check_possible(state: ShouldersState, company: Company, effect: Effect, *, claim: bool) -> None:
    """Raises `Refused` if no part of the effect can be carried out. (B-27)"""
    if effect != NO_EFFECT and not does_anything(state, company, effect, claim=claim):
        raise Refused(
            "Nothing would happen for {company} there.",
            "B-27",
            company=COMPANIES[company].title,
            code="no_effect",
            field="space",
        )


def does_anything(state: ShouldersState, company: Company, effect: Effect, *, claim: bool = False) -> bool:
    """True if any part of an effect is possible now."""
    there = state.cubes_at(HAYMARKET)
    return bool(
        effect.goods
        or effect.dividend
        or claim
        or (effect.discount is not None and any(state.assets))
        or ((effect.hires or effect.workers) and any(state.free_spaces(company)))
        or (effect.managers and unmanaged(state, company))
        or (effect.salespeople and sales_left(state, company))
        or (effect.automations and any(state.workers_in(company)))
        or any(cube in there for cube in effect.fixed)
        or (effect.cubes and there)
        or (effect.appeal and state.companies[company].appeal < MOST_APPEAL)
    )


def fixed_cubes(state: ShouldersState, effect: Effect) -> dict[Cube, int]:
    """The fixed cubes of an effect that Haymarket has."""
    there = state.cubes_at(HAYMARKET)
    return {cube: min(number, there[cube]) for cube, number in counted(effect.fixed).items() if cube in there}


def check_cash(state: ShouldersState, company: Company, cost: int, rule: str, field: str) -> None:
    """Raises `Refused` if a company has less cash than `cost`. (B-33)"""
    if cost > state.treasury(company):
        raise Refused(
            "This costs {cost}; {company} has {cash}.",
            rule,
            cost=thousands(cost),
            company=COMPANIES[company].title,
            cash=thousands(state.treasury(company)),
            code="not_enough_cash",
            field=field,
        )
