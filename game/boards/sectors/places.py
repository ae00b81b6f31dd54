"""Where a game of Sectors stands, in words."""

from __future__ import annotations

from typing import Any

from game.boards import base


def aside_of(view: Any) -> str:
    """Beside the flag: the sub-round, or the place of the acting company in the queue."""
    phase = view.phase
    if phase.name == "stock_orders":
        return f"Stock round, pass {phase.sub_round}"
    if phase.company and view.queue:
        return f"Operating round, company {view.queue.index(phase.company) + 1} of {len(view.queue)}"
    return base.aside_of(view)


def where(view: Any) -> str:
    """Behind the title of the open phase: the company it is about, or the sub-round."""
    phase = view.phase
    return (
        f", pass {phase.sub_round}" if phase.name == "stock_orders" else f": {phase.company}" if phase.company else ""
    )


def company_of(view: Any) -> str:
    """The company that the open phase is about."""
    return str(view.company(view.phase.company).name) if view.phase and view.phase.company else ""


def prices_of(view: Any) -> str:
    """The stock prices under a form, for the line that says what has changed since it was opened."""
    return " ".join(f"{company.ticker}:{company.price}" for company in view.companies)
