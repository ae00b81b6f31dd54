"""Where a game of Sectors stands, in words: the open phase, the last result, and a player's position in emails."""

from __future__ import annotations

from typing import Any

from game.boards import base
from game.boards.base import Fact
from game.engine.language import count, mark, say
from game.engine.phrases import thousands
from game.rulesets.sectors.view.shapes import SectorsView

PHASE_RULES = {
    "influence_bid": "S 1.5",
    "influence_resolve": "S 1.5",
    "start_turn": "S 7.8",
    "headline_resolve": "S 7.8",
    "tranche_vote": "S 7.9",
    "tranche_vote_resolve": "S 7.9",
    "tranche_distribution": "S 7.9",
    "tranche_distribution_resolve": "S 7.9",
    "limit_settlement": "S 5.5",
    "stock_orders": "S 5.1",
    "order_review": "S 5.1",
    "order_reveal": "S 5.1",
    "market_orders": "S 5.3",
    "short_interest": "S 5.6",
    "cover_shorts": "S 5.6",
    "open_shorts": "S 5.6",
    "expire_contracts": "S 5.7",
    "open_options": "S 5.7",
    "exercise_options": "S 5.7",
    "open_limits": "S 5.5",
    "stock_results": "S 4.2",
    "production": "S 6.2",
    "revenue_vote": "S 6.5",
    "revenue_distribution": "S 6.5",
    "price_adjustment": "S 6.6",
    "company_vote": "S 6.7",
    "company_vote_result": "S 6.7",
    "company_action": "S 6.7",
    "contributions": "S 6.12",
    "contribution_result": "S 6.12",
    "capital_gains": "S 7.1",
    "divestment": "S 7.2",
    "end_turn": "S 7.3",
}
"""By phase, the section of the rules that explains it."""
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


def score_means(view: Any) -> str:
    """What the final score is made of."""
    return say("Net worth is cash and shares after all shorts have been settled.")


def goal_of(view: Any) -> str:
    """How to win, and what ends the game before its last turn. (S 4.5)"""
    if view.bank_broke or view.turn >= view.max_turns:
        return say("This is the last turn: the richest player after it wins.")
    return count(
        "The richest player after {n} turn wins; the bank has ${bank}, and the game ends early if it runs out.",
        "The richest player after {n} turns wins; the bank has ${bank}, and the game ends early if it runs out.",
        view.max_turns,
        bank=thousands(view.bank),
    )


def aside_of(view: Any) -> str:
    """Next to the flag: the sub-round, or the place of the acting company in the queue."""
    phase = view.phase
    if phase.name == "stock_orders":
        return say("Stock round, sub-round {n}", n=phase.sub_round)
    if phase.company and view.queue:
        place, many = view.queue.index(phase.company) + 1, len(view.queue)
        return say("Operating round, company {place} of {many}", place=place, many=many)
    return base.aside_of(view)


def where(view: Any) -> str:
    """After the title of the open phase: its company, or the sub-round."""
    phase = view.phase
    if phase.name == "stock_orders":
        return say(", sub-round {n}", n=phase.sub_round)
    return f": {phase.company}" if phase.company else ""


def company_of(view: Any) -> str:
    """The company that the open phase is about."""
    return str(view.company(view.phase.company).name) if view.phase and view.phase.company else ""


def prices_of(view: Any) -> str:
    """The stock prices under a form, for the line that says what has changed since it was opened."""
    return " ".join(f"{company.ticker}:{company.price}" for company in view.companies)


def facts(view: SectorsView, seat: int) -> tuple[Fact, ...]:
    player = view.player(seat)
    return (Fact(say("Cash"), thousands(player.cash)), Fact(say("Net worth"), thousands(player.net_worth)))


def holdings(view: SectorsView, seat: int) -> tuple[Fact, ...]:
    """Shares with their prices, by company."""
    held = view.player(seat).holdings.items()
    return tuple(
        Fact(ticker, say("{count} at {price}", count=count, price=thousands(view.company(ticker).price)))
        for ticker, count in held
        if count
    )


def result_of(view: Any) -> str:
    """The heading of the phase whose result is shown."""
    company = view.company(view.phase.company) if view.phase.company else None
    text = SENTENCES[view.phase.name]
    if view.phase.name == "contribution_result" and company and company.status == "bankrupt":
        text = NOT_SAVED
    return say(text, company=company.name if company else "")
