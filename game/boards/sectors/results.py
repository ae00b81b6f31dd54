"""What a phase without decisions has just done, as the sentence that stands over its result."""

from __future__ import annotations

from typing import Any

SENTENCES = {
    "influence_resolve": "The bids are revealed.",
    "start_turn": "A new turn begins.",
    "headline_resolve": "The headlines are settled.",
    "tranche_vote_resolve": "The tranche votes are counted.",
    "tranche_distribution_resolve": "The tranches are split.",
    "limit_settlement": "The triggered limit orders are settled.",
    "order_review": "You can see who ordered where; the details follow.",
    "order_reveal": "The orders are revealed.",
    "market_orders": "The market orders are resolved.",
    "short_interest": "The interest on shorts is charged.",
    "open_shorts": "The new shorts are open.",
    "expire_contracts": "Contracts are one turn closer to expiry.",
    "open_options": "Option orders are resolved.",
    "open_limits": "The new limit orders are active.",
    "stock_results": "The stock round is over.",
    "production": "The companies have produced and sold.",
    "revenue_distribution": "The revenue is paid out or retained.",
    "price_adjustment": "The prices follow the revenue.",
    "company_vote_result": "{company} has decided.",
    "company_action": "{company} has acted.",
    "contribution_result": "{company} {fate}.",
    "capital_gains": "The tax on gains is settled.",
    "divestment": "The certificate limit is checked.",
    "end_turn": "The turn is over.",
}
ENDINGS = {"bank": "The bank broke in turn {turn}.", "turns": "Played to the end of turn {turn}."}


def result_of(view: Any) -> str:
    """The heading of the phase that is being looked at."""
    company = view.company(view.phase.company) if view.phase.company else None
    fate = "is bankrupt" if company and company.status == "bankrupt" else "is saved"
    return SENTENCES[view.phase.name].format(company=company.name if company else "", fate=fate)
