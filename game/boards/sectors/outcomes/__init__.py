"""What became of a player's bids, pledges, votes, orders and holdings, each with its reason."""

from __future__ import annotations

from game.boards.outcomes import Outcome, Part, Story, kernel_outcome, last_of_each
from game.boards.sectors.outcomes import companies, money, opening, orders, votes
from game.boards.sectors.outcomes.prices import price_moves
from game.boards.sectors.outcomes.scene import Scene, Tellers

TELLERS: Tellers = opening.TELLERS | orders.TELLERS | votes.TELLERS | money.TELLERS | companies.TELLERS


def outcomes(story: Story) -> list[Outcome]:
    """Own inputs and what else concerns the seat, in the order in which it happened; price moves come last."""
    told = [outcome for part in story.parts for outcome in _outcomes_of(part, story)]
    return [*last_of_each(told), *price_moves(story)]


def _outcomes_of(part: Part, story: Story) -> list[Outcome]:
    found = []
    for at, event in enumerate(part.events):
        teller = TELLERS.get(type(event))
        is_mine = story.seat in event.seats()
        told = (
            teller(event, Scene(story, part, at)) if teller else kernel_outcome(event, part.serial) if is_mine else None
        )
        if told is not None:
            found.append(told)
    return found
