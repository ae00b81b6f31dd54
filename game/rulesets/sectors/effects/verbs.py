"""The small changes of which effects consist."""

from __future__ import annotations

from game.engine.ledger import OUTSIDE, treasury_of
from game.engine.modifiers import Modifier
from game.engine.play import Play
from game.rulesets.sectors.state import Company, SectorsState
from game.rulesets.sectors.tables.edition import Edition


def grant(play: Play[SectorsState], company: Company, amount: int, why: str) -> None:
    """Money from outside into the treasury."""
    play.pay(OUTSIDE, treasury_of(company.ticker), amount, why=why)


def lose_demand(company: Company) -> None:
    """One demand less: temporary if there is any, otherwise permanent; the total never falls below 0. (R-3)"""
    if company.temporary_demand:
        company.temporary_demand -= 1
    elif company.base_demand:
        company.base_demand -= 1


def gather_consumers(state: SectorsState, sector: str, count: int) -> None:
    """Move up to `count` consumers from the pool to a sector. (A93)"""
    moved = min(count, state.pool)
    state.pool -= moved
    state.sectors[sector].consumers += moved


def change_tier(tables: Edition, company: Company, by: int) -> None:
    """Climb or descend tiers, at most to the last one."""
    names = list(tables.tiers)
    company.tier = names[min(max(names.index(company.tier) + by, 0), len(names) - 1)]


def add_modifier(
    company: Company, number: str, amount: int, source: str, *, turn: int | None = None, once: bool = False
) -> None:
    """Enter a lasting effect."""
    company.modifiers = [*company.modifiers, Modifier(number, amount, source, turn, once)]
