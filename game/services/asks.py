"""What a phase asks of a person, as the sentence that a mail and a row of the lobby begin with."""

from __future__ import annotations

from typing import Any

from game.engine.flow import Phase

ASKS = {
    "influence_bid": "Bid for your place in the order",
    "start_turn": "Pay for a headline, or let them pass",
    "tranche_vote": "Vote for one tranche",
    "tranche_distribution": "Share out your tranche",
    "stock_orders": "Place one stock order, or pass",
    "cover_shorts": "Cover a short, or leave it open",
    "exercise_options": "Exercise a contract, or keep it",
    "revenue_vote": "Vote what your companies do with their revenue",
    "company_vote": "Choose what {company} does",
    "contributions": "Save {company}, or let it close",
}


def ask_of(view: Any) -> str:
    """The sentence without its full stop; a phase without one of its own is named."""
    if view.phase is None:
        return ""
    ticker = view.phase.company
    company = view.company(ticker).name if ticker else "the company"
    return ASKS.get(view.phase.name, view.phase.title).format(company=company)


def ask_in(phase: Phase) -> str:
    """The same where the position is not unpacked and nobody knows which company it is."""
    return ASKS.get(phase.name, phase.title).format(company="a company of yours")
