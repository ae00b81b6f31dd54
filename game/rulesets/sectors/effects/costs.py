"""The cost of a company action now, and why a company cannot take it. (S 6.7–6.11)"""

from __future__ import annotations

from game.engine.actions import Refused
from game.rulesets.sectors import causes, numbers
from game.rulesets.sectors.effects.company_actions import COMPANY_ACTIONS
from game.rulesets.sectors.state import Company, SectorsState


def cost_of(state: SectorsState, company: Company, key: str) -> int:
    """The cost in dollars: tiered actions become dearer with every company that took them this round; a share issue
    costs one share. (S 6.8)"""
    costs = state.tables.action_costs[key]
    return costs[min(state.executed.get(key, 0), len(costs) - 1)] if costs else company.price


def prestige_cost_of(state: SectorsState, key: str) -> int:
    """The cost in prestige tokens. (S 6.10, A53)"""
    return state.tables.action_prestige.get(key, 0)


def unlocked_actions(state: SectorsState, company: Company) -> list[str]:
    """The actions that a company can be voted to take: general, its sector's, and those unlocked by its abilities."""
    return [key for key in COMPANY_ACTIONS if is_unlocked(state, company, key)]


def is_unlocked(state: SectorsState, company: Company, key: str) -> bool:
    """True if the company can be voted to take this action at all."""
    action = COMPANY_ACTIONS[key]
    if action.ability:
        return bool(numbers.modifier(state, company, f"unlocks:{action.ability}"))
    return action.sector in (None, company.sector)


def refusal_of(state: SectorsState, company: Company, key: str) -> Refused | None:
    """Why the company cannot carry out the action now; None if it can. (S 6.7, A47)"""
    cost, tokens, treasury = cost_of(state, company, key), prestige_cost_of(state, key), state.treasury(company.ticker)
    if cost > treasury:
        rule = "S 6.8" if state.executed.get(key) else "S 6.7"
        return Refused(causes.TREASURY_TOO_LOW, rule, cost=cost, treasury=treasury, code="treasury_too_low")
    if tokens > company.prestige:
        return Refused(
            causes.PRESTIGE_TOO_LOW,
            "S 6.10",
            tokens=tokens,
            company=company.ticker,
            prestige=company.prestige,
            code="prestige_too_low",
        )
    return COMPANY_ACTIONS[key].refuse(state, company)
