"""How the house bot votes on revenue, and when it helps a company out."""

from __future__ import annotations

import msgspec

from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.outlook import VOTE, worth_of
from game.rulesets.sectors.bots.table import Request, Table
from game.rulesets.sectors.view import CompanyView

COMFORT = 250  # dollars in a treasury that wants for nothing
LEAST_RETURN = 1.3  # what a contribution must bring back for every dollar


def vote_revenue(table: Table, offered: Offered) -> list[Request]:
    """For every own company with revenue, the choice that makes a share worth most."""
    earning = [company for company in table.owned() if company.revenue]
    return [
        {"kind": "vote_revenue", "company": company.ticker, "choice": _choice(table, company)} for company in earning
    ]


def _choice(table: Table, company: CompanyView) -> str:
    """Full dividends, unless the company can make more of the money than the price would lose."""
    if company.treasury >= COMFORT or not table.turns_left:
        return "full"
    worths = table.prospects.choices(company)
    best = max if table.shares(company) >= table.shorted(company) else min
    return best(worths, key=worths.__getitem__)


def contribute(table: Table, offered: Offered) -> list[Request]:
    """Its part of what is missing, if the company will bring back more; in shares when cash is short."""
    company = table.company(table.view.acting or "")
    missing, mine = company.shortfall - company.contributed, table.shares(company)
    if missing <= 0 or not mine:
        return []
    part = -(-missing * mine // sum(company.holdings.values()))
    others = sum(table.view.player(seat).cash for seat in company.holdings if seat != table.seat)
    part = max(part, missing - others)
    saved = msgspec.structs.replace(table.prospects.outset(company), treasury=company.treasury + missing)
    gain = mine * (worth_of(saved, table.turns_left, VOTE) - company.price / 10)
    if gain < part * LEAST_RETURN:
        return []
    if part <= table.me.cash:
        return [{"kind": "contribute", "cash": part, "shares": 0}]
    shares = -(-(part - table.me.cash) // company.price)
    return [{"kind": "contribute", "cash": table.me.cash, "shares": shares}] if shares * 2 <= mine else []
