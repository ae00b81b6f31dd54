"""How the house bot opens a turn: influence, headlines and tranches."""

from __future__ import annotations

from game.engine.offers import Range
from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.table import Request, Table, allowed

TOKEN_WORTH = 40  # dollars
POOR = 120  # dollars of cash below which it pays for no headline


def bid(table: Table, offered: Offered) -> list[Request]:
    """A share of the influence."""
    points = next(field for offer in allowed(offered) for field in offer.fields if isinstance(field, Range))
    low, high = (points.high * percent // 100 for percent in table.temper.bid)
    return [{"kind": "bid_influence", "points": table.chance.integer("bot_bid", low, high)}]


def pledge(table: Table, offered: Offered) -> list[Request]:
    """Now and then, for a headline that serves an own sector earlier."""
    one_in = table.temper.pledges_one_in
    if not one_in or table.chance.below("bot_pledge", one_in) or table.me.cash < POOR:
        return []
    mine = {company.sector for company in table.owned()}
    good = [headline for headline in table.view.headlines if (headline.move > 0) == (headline.sector in mine)]
    return [{"kind": "pledge_headline", "headline": good[0].slot}] if good else []


def vote_tranche(table: Table, offered: Offered) -> list[Request]:
    """The richer a tranche the likelier, so that not all want the same."""
    weights = {pool.number: pool.cash + TOKEN_WORTH * pool.prestige + 20 for pool in table.view.tranches}
    return [{"kind": "vote_tranche", "tranche": table.chance.weighted("bot_tranche", weights)}]


def distribute(table: Table, offered: Offered) -> list[Request]:
    """Keep the cash; tokens and ability go to the company of the sector in which it holds most."""
    won = next(pool for pool in table.view.tranches if pool.winner == table.seat)
    mine = [company for company in table.prospects.living if company.sector == won.sector]
    request: Request = {"kind": "distribute_tranche"}
    if mine:
        best = max(mine, key=table.shares).ticker
        request |= {"ability_to": best} | ({"prestige_to": best} if won.prestige else {})
    return [request]
