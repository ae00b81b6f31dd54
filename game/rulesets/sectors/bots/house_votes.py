"""How the house bot votes on what a company does: it weighs every action by what it makes of its own holdings."""

from __future__ import annotations

from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.foresight import STEP_PERCENT, Plan
from game.rulesets.sectors.bots.table import Request, Table
from game.rulesets.sectors.state import VETO
from game.rulesets.sectors.view import CompanyView

LEAST_GAIN = 0.05  # dollars below which an action is not worth a vote
CHANCE_TO_BUY = 0.5  # of getting shares that an issue brings to the market
NEW_SHARES = {"share_issue": 2, "investor_confidence": 3}
FOR_THE_SECTOR = ("lobby", "sector_elasticity", "magnet_effect")
OPPOSITES = {
    "increase_unit_price": "decrease_unit_price",
    "decrease_unit_price": "increase_unit_price",
    "expansion": "downsize",
    "downsize": "expansion",
    "share_issue": "share_buyback",
    "share_buyback": "share_issue",
}


def vote_actions(table: Table, offered: Offered) -> list[Request]:
    """A ballot for the company now acting; those of later companies wait until their situation is known."""
    company = table.company(table.view.acting or "")
    return [{"kind": "vote_actions", "company": company.ticker, "actions": _wishes(table, company)}]


def _wishes(table: Table, company: CompanyView) -> list[str]:
    """The best action, then the best after it, as many as the tier allows; VETO when nothing is better than nothing."""
    open_plans = table.prospects.plans(company)
    wishes: list[str] = []
    barred: set[str] = set()
    for _ in range(company.actions):
        best = _best(table, company, open_plans, barred)
        if best is None:
            break
        wishes.append(best.action)
        barred |= {best.action, OPPOSITES.get(best.action, "")}
        if len(wishes) < company.actions:
            open_plans = table.prospects.plans_after(company, best)
    return wishes or [VETO]


def _best(table: Table, company: CompanyView, open_plans: tuple[Plan, ...], barred: set[str]) -> Plan | None:
    """The plan from which the seat gains most dollars on its shares less its shorts; None when doing nothing is
    better."""
    held, likes = table.shares(company), table.temper.likes
    stake = held - table.shorted(company)
    nothing = next(plan.worth for plan in open_plans if plan.action == VETO)
    best, most = None, LEAST_GAIN
    for plan in open_plans:
        gain = stake * (plan.worth - nothing) + held * likes.get(plan.action, 0)
        if plan.effect in NEW_SHARES or plan.effect in FOR_THE_SECTOR:
            gain += _gain_beside(table, company, plan, plan.worth - nothing)
        if gain > most and plan.action not in barred and plan.action != VETO:
            best, most = plan, gain
    return best


def _gain_beside(table: Table, company: CompanyView, plan: Plan, gain: float) -> float:
    """Dollars gained by buying the new shares, or on its shares of other companies of the sector."""
    if plan.effect in NEW_SHARES:
        return _wanted(table, company, NEW_SHARES[plan.effect]) * max(plan.worth - company.price, 0) * CHANCE_TO_BUY
    neighbours = [c for c in table.prospects.sectors[company.sector].companies if c.is_floated and c is not company]
    if plan.effect == "magnet_effect":
        return sum(table.shares(c) * c.price for c in neighbours) * STEP_PERCENT / 100
    return sum(table.shares(c) for c in neighbours) * max(gain, 0) / 2


def _wanted(table: Table, company: CompanyView, new: int) -> int:
    """New shares it would buy: it has idle cash, and nothing of the company is left to buy."""
    if company.ipo or company.market:
        return 0
    room = table.view.certificate_limit - table.me.certificates
    wanted: int = min(new, room, table.me.cash // company.price, company.cap + 1 - table.shares(company))
    return max(wanted, 0)
