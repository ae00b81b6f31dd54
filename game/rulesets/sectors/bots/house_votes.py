"""How the house bot votes on tranches, revenue and company actions: by the effect on its own holdings."""

from __future__ import annotations

import msgspec

from game.engine.offers import Range
from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.foresight import STEP_PERCENT, Plan
from game.rulesets.sectors.bots.outlook import VOTE, worth_of
from game.rulesets.sectors.bots.table import Request, Table, allowed
from game.rulesets.sectors.state import VETO
from game.rulesets.sectors.view import CompanyView

LEAST_GAIN = 0.05  # dollars below which an action is not worth a vote
CHANCE_TO_BUY = 0.5  # chance of getting shares that an issue brings to the market
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
TOKEN_WORTH = 40  # dollars
POOR = 120  # dollars of cash below which it pays for no headline
COMFORT = 250  # dollars in a treasury that needs no more
LEAST_RETURN = 1.3  # what a contribution must bring back for every dollar


def vote_actions(table: Table, offered: Offered) -> list[Request]:
    """A ballot for the acting company; those of later companies wait until their situation is known."""
    company = table.company(table.view.acting or "")
    return [{"kind": "vote_actions", "company": company.ticker, "actions": _wishes(table, company)}]


def _wishes(table: Table, company: CompanyView) -> list[str]:
    """The best action, then the best after it, up to the number that the tier allows; VETO if no action improves
    anything."""
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
    """The plan with the largest gain in dollars on the seat's shares less its shorts; None if doing nothing is
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
    """The further gain in dollars from buying the new shares, or on its shares of other companies of the sector."""
    if plan.effect in NEW_SHARES:
        return _wanted(table, company, NEW_SHARES[plan.effect]) * max(plan.worth - company.price, 0) * CHANCE_TO_BUY
    neighbours = [c for c in table.prospects.sectors[company.sector].companies if c.is_floated and c is not company]
    if plan.effect == "magnet_effect":
        return sum(table.shares(c) * c.price for c in neighbours) * STEP_PERCENT / 100
    return sum(table.shares(c) for c in neighbours) * max(gain, 0) / 2


def _wanted(table: Table, company: CompanyView, new: int) -> int:
    """New shares that it would buy: it has idle cash, and no share of the company is left to buy."""
    if company.ipo or company.market:
        return 0
    room = table.view.certificate_limit - table.me.certificates
    wanted: int = min(new, room, table.me.cash // company.price, company.cap + 1 - table.shares(company))
    return max(wanted, 0)


def bid(table: Table, offered: Offered) -> list[Request]:
    """A bid of a part of the influence."""
    points = next(field for offer in allowed(offered) for field in offer.fields if isinstance(field, Range))
    low, high = (points.high * percent // 100 for percent in table.temper.bid)
    return [{"kind": "bid_influence", "points": table.chance.integer("bot_bid", low, high)}]


def pledge(table: Table, offered: Offered) -> list[Request]:
    """A pledge, sometimes, for a headline that moves one of its sectors earlier."""
    one_in = table.temper.pledges_one_in
    if not one_in or table.chance.below("bot_pledge", one_in) or table.me.cash < POOR:
        return []
    mine = {company.sector for company in table.owned()}
    good = [headline for headline in table.view.headlines if (headline.move > 0) == (headline.sector in mine)]
    return [{"kind": "pledge_headline", "headline": good[0].slot}] if good else []


def vote_tranche(table: Table, offered: Offered) -> list[Request]:
    """A vote for a tranche, drawn with more weight for richer ones, so that not all bots want the same."""
    weights = {pool.number: pool.cash + TOKEN_WORTH * pool.prestige + 20 for pool in table.view.tranches}
    return [{"kind": "vote_tranche", "tranche": table.chance.weighted("bot_tranche", weights)}]


def distribute(table: Table, offered: Offered) -> list[Request]:
    """Keep the cash; give tokens and ability to the company of the sector in which it holds most."""
    won = next(pool for pool in table.view.tranches if pool.winner == table.seat)
    mine = [company for company in table.prospects.living if company.sector == won.sector]
    request: Request = {"kind": "distribute_tranche"}
    if mine:
        best = max(mine, key=table.shares).ticker
        request |= {"ability_to": best} | ({"prestige_to": best} if won.prestige else {})
    return [request]


def vote_revenue(table: Table, offered: Offered) -> list[Request]:
    """A vote for each company of its own with revenue: the choice with the highest value of a share."""
    earning = [company for company in table.owned() if company.revenue]
    return [
        {"kind": "vote_revenue", "company": company.ticker, "choice": _choice(table, company)} for company in earning
    ]


def _choice(table: Table, company: CompanyView) -> str:
    """The choice about revenue: full dividends, unless the company gains more with the money than the price would
    lose."""
    if company.treasury >= COMFORT or not table.turns_left:
        return "full"
    worths = table.prospects.choices(company)
    best = max if table.shares(company) >= table.shorted(company) else min
    return best(worths, key=worths.__getitem__)


def contribute(table: Table, offered: Offered) -> list[Request]:
    """A contribution of its part of the missing amount, if the company will return more; in shares if cash is short."""
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
