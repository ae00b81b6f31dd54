"""What a phase without decisions has just done, as the sentence that stands over its result."""

from __future__ import annotations

from typing import Any

from game.engine.language import mark, say

SENTENCES = {
    "influence_resolve": mark("The bids are revealed."),
    "start_turn": mark("A new turn begins."),
    "headline_resolve": mark("The headlines are settled."),
    "tranche_vote_resolve": mark("The tranche votes are counted."),
    "tranche_distribution_resolve": mark("The tranches are split."),
    "limit_settlement": mark("The triggered limit orders are settled."),
    "order_review": mark("You can see who ordered where; the details follow."),
    "order_reveal": mark("The orders are revealed."),
    "market_orders": mark("The market orders are resolved."),
    "short_interest": mark("The interest on shorts is charged."),
    "open_shorts": mark("The new shorts are open."),
    "expire_contracts": mark("Contracts are one turn closer to expiry."),
    "open_options": mark("Option orders are resolved."),
    "open_limits": mark("The new limit orders are active."),
    "stock_results": mark("The stock round is over."),
    "production": mark("The companies have produced and sold."),
    "revenue_distribution": mark("The revenue is paid out or retained."),
    "price_adjustment": mark("The prices follow the revenue."),
    "company_vote_result": mark("{company} has decided."),
    "company_action": mark("{company} has acted."),
    "contribution_result": mark("{company} is saved."),
    "capital_gains": mark("The tax on gains is settled."),
    "divestment": mark("The certificate limit is checked."),
    "end_turn": mark("The turn is over."),
}
NOT_SAVED = mark("{company} is bankrupt.")  # instead of `is saved`
ENDINGS = {"bank": mark("The bank broke in turn {turn}."), "turns": mark("Played to the end of turn {turn}.")}


def result_of(view: Any) -> str:
    """The heading of the phase that is being looked at."""
    company = view.company(view.phase.company) if view.phase.company else None
    text = SENTENCES[view.phase.name]
    if view.phase.name == "contribution_result" and company and company.status == "bankrupt":
        text = NOT_SAVED
    return say(text, company=company.name if company else "")
