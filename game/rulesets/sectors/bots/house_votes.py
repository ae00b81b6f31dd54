"""How the house bot votes its shares, and when it helps a company out."""

from __future__ import annotations

from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.table import Request, Table, allowed
from game.rulesets.sectors.tables.sectors import SECTORS
from game.rulesets.sectors.view import CompanyView

COMFORT = 100  # dollars a treasury should keep beyond two operating costs


def vote_revenue(table: Table, offered: Offered) -> list[Request]:
    """Full dividends, or what leaves the treasury enough for the costs to come."""
    return [_revenue_vote(table, table.view.company(offer.fixed["company"])) for offer in allowed(offered)]


def _revenue_vote(table: Table, company: CompanyView) -> Request:
    short = company.treasury < 2 * company.operating_cost + 40 and table.turns_left > 0
    choice = "full" if not short else "half" if company.treasury + company.revenue // 2 > company.operating_cost else "retain"
    return {"kind": "vote_revenue", "company": company.ticker, "choice": choice}


def vote_actions(table: Table, offered: Offered) -> list[Request]:
    """A ballot for the company now acting; those of later companies wait until their situation is known."""
    company = table.view.company(table.view.acting or "")
    wishes = _wishes(table, company)
    return [{"kind": "vote_actions", "company": company.ticker, "actions": wishes[: company.actions]}]


def _wishes(table: Table, company: CompanyView) -> list[str]:
    """What the company should do, best first: stay alive, match demand to supply, grow, and use its tokens."""
    spare = company.treasury - 2 * company.operating_cost
    lacking, consumers = company.supply - company.demand, table.consumers[company.sector]
    able_to_sell = consumers + table.demands[company.sector]
    wishes: list[str] = []
    if table.turns_left == 0:
        return ["increase_unit_price"] if company.demand > company.supply else ["veto"]
    if spare < COMFORT and not company.has_loan:
        wishes.append("loan")
    if company.prestige >= 3 and spare >= 400 and lacking >= 0 and company.sector != "defensive":
        wishes.append(SECTORS[company.sector].active)
    if company.prestige >= table.view.track.cost:
        wishes.append("spend_prestige")
    if lacking >= 4 and spare >= 300 + COMFORT and able_to_sell < company.supply:
        wishes.append("large_marketing")
    if lacking >= 2 and spare >= 100:
        wishes.append("small_marketing")
    if lacking <= -1 and spare >= 300 and able_to_sell > company.supply and table.turns_left > 2:
        wishes.append("expansion")
    if lacking <= 0:
        wishes.append("increase_unit_price")
    if spare >= 200 + 2 * COMFORT and table.turns_left > 2:
        wishes.append("research")
    return wishes or ["veto"]


def contribute(table: Table, offered: Offered) -> list[Request]:
    """Its part of what is missing, if the company still earns and the part is worth less than the stake."""
    company = table.view.company(table.view.acting or "")
    missing, mine = company.shortfall - company.contributed, table.shares(company)
    stake, all_shares = mine * company.price, sum(company.holdings.values())
    if missing <= 0 or not mine or stake < missing * mine // all_shares or table.turns_left == 0:
        return []
    others = sum(table.view.player(seat).cash for seat in company.holdings if seat != table.seat)
    part = max(-(-missing * mine // all_shares), missing - others)
    if part > table.me.cash or part > stake:
        return []
    return [{"kind": "contribute", "cash": part, "shares": 0}]
