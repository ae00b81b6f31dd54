"""How scenarios write certificates, cubes, factories and demand tiles: `D 2C`, `SSL`, `wwm`, `3/1`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from game.engine.scenarios.language import DescriptionError
from game.rulesets.big_shoulders.state import ShouldersState
from game.rulesets.big_shoulders.tables import CUBES, ISSUED, LETTERS, Company, Cube, Trade

LETTER_OF: Mapping[Cube, str] = {cube: letter for letter, cube in LETTERS.items()}


def certificates_in(words: str) -> dict[str, int]:
    """`D 2C` as numbers by kind."""
    counts: dict[str, int] = {}
    for part in words.split():
        match = re.fullmatch(r"(\d*)([DPC])", part)
        if match is None:
            raise DescriptionError(f"“{part}” is not a number of certificates; write D, P and C, such as 2C")
        counts[match[2]] = counts.get(match[2], 0) + int(match[1] or 1)
    return counts


def certificates_as(counts: Mapping[str, int]) -> str:
    """Numbers by kind as `D 2C`, without zeros."""
    return " ".join(kind if counts[kind] == 1 else f"{counts[kind]}{kind}" for kind in ISSUED if counts.get(kind, 0))


def cubes_in(letters: str) -> dict[Cube, int]:
    """`SSL` as numbers by kind."""
    if unknown := set(letters) - set(LETTERS):
        raise DescriptionError(f"“{min(unknown)}” is not a cube; the cubes are L, S, C and W")
    return {cube: number for cube in CUBES if (number := letters.count(LETTER_OF[cube]))}


def cubes_as(cubes: Mapping[Cube, int]) -> str:
    return "".join(LETTER_OF[cube] * cubes.get(cube, 0) for cube in CUBES)


def factory_as(state: ShouldersState, company: Company, at: int) -> str:
    """Workers, automation tokens and manager of a factory: `wam`."""
    own = state.companies[company].factories[at]
    return "w" * state.workers_in(company)[at] + "a" * own.automated + "m" * own.has_manager


def demand_as(state: ShouldersState, trade: Trade) -> list[str]:
    """Capacity and goods of each slot: `3/1`; the printed $20 slot has `6`, an empty slot nothing."""
    row = [f"{tile.capacity}/{tile.goods}" if tile else "" for tile in state.demand[trade]]
    if not row[1] and state.printed[trade]:
        row[1] = f"printed/{state.printed[trade]}"
    return row
