"""The house bot: plays sensibly and plainly, one small judgement for each kind of decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.engine.chance import Chance
from game.engine.offers import Range
from game.engine.ruleset import Offered
from game.rulesets.sectors.bots import house_orders, house_votes
from game.rulesets.sectors.bots.table import Request, Table, allowed
from game.rulesets.sectors.view import SectorsView

Judgement = Callable[[Table, Offered], list[Request]]


def house_bot(view: SectorsView, offered: Offered, chance: Chance) -> list[Request]:
    """What the house bot asks in the open phase; an empty list is a pass."""
    if view.phase is None or view.seat is None:
        return []
    judge = JUDGEMENTS.get(view.phase.name)
    return judge(Table(view, chance), offered) if judge else []


def bid(table: Table, offered: Offered) -> list[Request]:
    """About half of the influence."""
    points = next(field for offer in allowed(offered) for field in offer.fields if isinstance(field, Range))
    return [{"kind": "bid_influence", "points": table.chance.integer("bot_bid", points.high * 3 // 10, points.high * 7 // 10)}]


def pledge(table: Table, offered: Offered) -> list[Request]:
    """Now and then, for a headline that serves an own sector earlier."""
    if table.chance.below("bot_pledge", 6) or table.me.cash < 120:
        return []
    mine = {company.sector for company in table.owned()}
    good = [headline for headline in table.view.headlines if (headline.move > 0) == (headline.sector in mine)]
    return [{"kind": "pledge_headline", "headline": good[0].slot}] if good else []


def vote_tranche(table: Table, offered: Offered) -> list[Request]:
    """The richer a tranche the likelier, so that not all want the same."""
    weights = {pool.number: pool.cash + 40 * pool.prestige + 20 for pool in table.view.tranches}
    return [{"kind": "vote_tranche", "tranche": table.chance.weighted("bot_tranche", weights)}]


def distribute(table: Table, offered: Offered) -> list[Request]:
    """Keep the cash; tokens and ability go to the company of the sector in which it holds most."""
    won = next(pool for pool in table.view.tranches if pool.winner == table.seat)
    mine = [company for company in table.living() if company.sector == won.sector]
    request: Request = {"kind": "distribute_tranche"}
    if mine:
        best = max(mine, key=table.shares).ticker
        request |= {"ability_to": best} | ({"prestige_to": best} if won.prestige else {})
    return [request]


def exercise(table: Table, offered: Offered) -> list[Request]:
    """Everything that pays, or that lifts a price it gains from."""
    mine = {contract.id: contract for contract in table.view.contracts if contract.owner == table.seat}
    wanted: list[Request] = []
    for offer in allowed(offered):
        contract = mine[offer.fixed["contract"]]
        company = table.view.company(contract.company)
        if company.price > contract.strike or table.shares(company):
            wanted.append({"kind": "exercise_option", "contract": contract.id})
    return wanted


def cover(table: Table, offered: Offered) -> list[Request]:
    """Take the gain of a short that fell by a fifth, and stop the loss of one that rose by a quarter."""
    shorts = {order.id: order for order in table.view.orders if order.kind == "short" and order.seat == table.seat}
    wanted: list[dict[str, Any]] = []
    for offer in allowed(offered):
        short = shorts[offer.fixed["order"]]
        price, opened = table.view.company(short.company).price, short.price or 1
        if price * 5 <= opened * 4 or price * 4 >= opened * 5:
            wanted.append({"kind": "cover_short", "order": short.id})
    return wanted


JUDGEMENTS: dict[str, Judgement] = {
    "influence_bid": bid,
    "start_turn": pledge,
    "tranche_vote": vote_tranche,
    "tranche_distribution": distribute,
    "stock_orders": house_orders.order,
    "cover_shorts": cover,
    "exercise_options": exercise,
    "revenue_vote": house_votes.vote_revenue,
    "company_vote": house_votes.vote_actions,
    "contributions": house_votes.contribute,
}
