"""The results of a player's bids, pledges, votes, orders and holdings, each with its reason."""

from __future__ import annotations

from game.boards.outcomes import Outcome, Story, last_of_each, outcomes_by_teller
from game.boards.sectors.outcomes import companies, money, opening, orders, votes
from game.boards.sectors.outcomes.companies import price_moves
from game.boards.sectors.outcomes.scene import Scene, Tellers

TELLERS: Tellers = opening.TELLERS | orders.TELLERS | votes.TELLERS | money.TELLERS | companies.TELLERS


def outcomes(story: Story) -> list[Outcome]:
    """The results of the seat's inputs and what else concerns it, in order; price moves come last."""
    own = outcomes_by_teller(TELLERS, lambda teller, part, at: teller(part.events[at], Scene(story, part, at)), story)
    return [*last_of_each(own), *price_moves(story)]
