"""The house bot: plays sensibly and simply, with one small judgement for each kind of decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from game.engine.chance import Chance
from game.engine.ruleset import Offered
from game.rulesets.sectors.bots import house_market, house_shorts, house_votes
from game.rulesets.sectors.bots.table import SHARP_TEMPERS, TEMPERS, Request, Table, Temper
from game.rulesets.sectors.view import SectorsView

Judgement = Callable[[Table, Offered], list[Request]]

ORDERS: tuple[Callable[[Table], Request | None], ...] = (
    house_market.best_sale,
    house_market.best_purchase,
    house_shorts.best_short,
    house_shorts.best_option,
    house_market.best_limit,
)
"""The kinds of order it considers in a sub-round, most urgent first; it places the first that seems worthwhile."""


def house_bot(
    view: SectorsView, offered: Offered, chance: Chance, tempers: Sequence[Temper] = TEMPERS
) -> list[Request]:
    """The house bot's requests in the open phase; an empty list is a pass."""
    if view.phase is None or view.seat is None:
        return []
    judge = JUDGEMENTS.get(view.phase.name)
    return judge(Table(view, chance, tempers), offered) if judge else []


def sharp_bot(view: SectorsView, offered: Offered, chance: Chance) -> list[Request]:
    """The requests of a house bot with a sharper temper: it bids high, buys shares that float a company at once, and
    keeps no reserve."""
    return house_bot(view, offered, chance, SHARP_TEMPERS)


def order(table: Table, offered: Offered) -> list[Request]:
    """The order of this sub-round, or None."""
    placed = next((request for think in ORDERS if (request := think(table))), None)
    return [placed] if placed else []


JUDGEMENTS: dict[str, Judgement] = {
    "influence_bid": house_votes.bid,
    "start_turn": house_votes.pledge,
    "tranche_vote": house_votes.vote_tranche,
    "tranche_distribution": house_votes.distribute,
    "stock_orders": order,
    "cover_shorts": house_shorts.cover,
    "exercise_options": house_shorts.exercise,
    "revenue_vote": house_votes.vote_revenue,
    "company_vote": house_votes.vote_actions,
    "contributions": house_votes.contribute,
}
