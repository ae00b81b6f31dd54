"""The expert: it continues each of its candidates as the sharp bot would, and takes the one that is best for it a turn
later."""

from __future__ import annotations

from collections.abc import Callable

from game.engine.chance import Chance
from game.engine.offers import Range
from game.engine.position import AnyPosition
from game.engine.ruleset import Bot, Offered, Ruleset
from game.engine.search import Requests, Search
from game.rulesets.sectors.bots import house_market, house_shorts
from game.rulesets.sectors.bots.house import sharp_bot
from game.rulesets.sectors.bots.prospects import prospects_of
from game.rulesets.sectors.bots.table import SHARP_TEMPERS, Table, allowed
from game.rulesets.sectors.state import VETO
from game.rulesets.sectors.view import SectorsView, Viewer

ROLLOUTS = 24
HORIZON = 1  # turns after this one that are played on
PURCHASES, PLANS = 4, 3  # most promising candidates that are tried
TRUST = 0.7  # part of what shares promise beyond their price that counts
BIDS = (0, 60, 80, 100)  # percent of the influence

Candidates = Callable[[Table, Offered], list[Requests]]


def expert_of(rules: Ruleset) -> Bot:
    """The expert bot of these rules."""
    search = Search(rules, sharp_bot, value, is_far, ROLLOUTS)

    def expert_bot(view: SectorsView, offered: Offered, chance: Chance) -> Requests:
        first = sharp_bot(view, offered, chance)
        if view.phase is None or view.phase.name not in CANDIDATES:
            return first
        more = CANDIDATES[view.phase.name](Table(view, chance, SHARP_TEMPERS), offered)
        candidates = [first, *(each for each in more if each != first)]
        return search.best(view, candidates, chance) if len(candidates) > 1 else first

    return expert_bot


def is_far(view: SectorsView, position: AnyPosition) -> bool:
    """True once the turn after the next has begun."""
    return bool(position.state.turn > view.turn + HORIZON)


def value(position: AnyPosition, seat: int) -> float:
    """The seat's lead in dollars, halfway between the best of the others and their average: net worth, and part of what
    the shares promise."""
    worths = worths_of(Viewer(position)(None))
    others = [worth for other, worth in worths.items() if other != seat]
    return worths[seat] - (max(others) + sum(others) / len(others)) / 2


def worths_of(view: SectorsView) -> dict[int, float]:
    """The worth and the expectations of every seat, from public facts."""
    if view.phase is None:
        return {player.seat: player.score for player in view.players}
    prospects = prospects_of(view)
    promise = {
        company.ticker: (prospects.outlook(company).worth - company.price) * TRUST
        for company in prospects.living
        if company.is_floated
    }
    return {
        player.seat: player.score + sum(promise.get(ticker, 0) * held for ticker, held in player.holdings.items())
        for player in view.players
    }


def orders(table: Table, offered: Offered) -> list[Requests]:
    """Candidates: to pass, the most promising purchases, to sell each holding, and the best short."""
    bought = sorted(house_market.purchases(table), key=lambda purchase: -purchase.promise)[:PURCHASES]
    sales = [
        house_market.market_sell(company, table.shares(company))
        for company in table.owned()
        if company.is_floated and company.ticker not in {order.company for order in table.orders_now()}
    ]
    short = house_shorts.best_short(table)
    each = [*(house_market.market_buy(table, purchase) for purchase in bought), *sales, *([short] if short else [])]
    return [[], *([request] for request in each)]


def bids(table: Table, offered: Offered) -> list[Requests]:
    """A small bid, a large one, and all of the influence."""
    points = next(field for offer in allowed(offered) for field in offer.fields if isinstance(field, Range))
    return [[{"kind": "bid_influence", "points": points.high * percent // 100}] for percent in BIDS]


def ballots(table: Table, offered: Offered) -> list[Requests]:
    """An empty ballot, and each of the plans that are most promising on their own."""
    company = table.company(table.view.acting or "")
    plans = sorted(table.prospects.plans(company), key=lambda plan: -plan.worth)[:PLANS]
    wishes = [[VETO], *([plan.action] for plan in plans if plan.action != VETO)]
    return [[{"kind": "vote_actions", "company": company.ticker, "actions": wish}] for wish in wishes]


def tranches(table: Table, offered: Offered) -> list[Requests]:
    """A vote for each tranche."""
    return [[{"kind": "vote_tranche", "tranche": pool.number}] for pool in table.view.tranches]


CANDIDATES: dict[str, Candidates] = {
    "influence_bid": bids,
    "tranche_vote": tranches,
    "stock_orders": orders,
    "company_vote": ballots,
}
"""What it tries besides the sharp bot's choice, by phase; everything else it decides like that bot."""
