"""The decisions of Sectors, one in each file, from its fields to its summary."""

from __future__ import annotations

from collections.abc import Mapping

from game.boards.decision import Decision
from game.boards.sectors.decisions.ballot import CompanyVote
from game.boards.sectors.decisions.bid import Bid
from game.boards.sectors.decisions.contribution import Contribution
from game.boards.sectors.decisions.cover import Cover
from game.boards.sectors.decisions.distribution import Distribution
from game.boards.sectors.decisions.exercise import Exercise
from game.boards.sectors.decisions.order import StockOrder
from game.boards.sectors.decisions.pledge import Pledge
from game.boards.sectors.decisions.revenue import RevenueVote
from game.boards.sectors.decisions.tranche import TrancheVote

DECISIONS: Mapping[str, Decision] = {
    "influence_bid": Bid(),
    "start_turn": Pledge(),
    "tranche_vote": TrancheVote(),
    "tranche_distribution": Distribution(),
    "stock_orders": StockOrder(),
    "cover_shorts": Cover(),
    "exercise_options": Exercise(),
    "revenue_vote": RevenueVote(),
    "company_vote": CompanyVote(),
    "contributions": Contribution(),
}
"""By phase."""
