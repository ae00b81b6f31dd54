"""Notes next to a newcomer's first decisions in Sectors."""

from __future__ import annotations

from game.boards.lessons import Note
from game.engine.language import mark

NOTES = (
    Note(
        "bid",
        "influence_bid",
        mark(
            "The highest bid comes first in player priority, which decides who gets scarce shares. Everybody bids "
            "at once and in secret. Every point you keep becomes a dollar, but whoever comes late in turn 1 may find "
            "the shares they want sold."
        ),
    ),
    Note(
        "headline",
        "start_turn",
        mark(
            "A headline moves a sector earlier or later in sector priority, which decides whose companies get "
            "consumers first. The players who pledge to it share its cost. Skipping costs nothing."
        ),
        "h-sectors",
        mark("The companies"),
    ),
    Note(
        "tranche",
        "tranche_vote",
        mark(
            "A tranche is a prize of cash, prestige and an ability for a company of its sector. You win it only if "
            "nobody else votes for it, so the best one is not always the best choice."
        ),
    ),
    Note(
        "order",
        "stock_orders",
        mark(
            "Choose a company and a number of shares. Shares from the IPO have a fixed price and never move the stock "
            "price. When enough of them are sold, the company floats and begins to operate. If you can pay for all "
            "the shares that it needs, the form suggests them. The box under the form says what your order would do."
        ),
        "ladder",
        mark("The stock chart"),
    ),
    Note(
        "revenue",
        "revenue_vote",
        mark(
            "Each of your shares is a vote on what a company does with the money it has earned. Revenue paid out "
            "goes to the shareholders and can raise the price. Revenue retained stays in the company and lowers "
            "the price a step."
        ),
        "h-sectors",
        mark("The companies"),
    ),
    Note(
        "company",
        "company_vote",
        mark(
            "Shareholders choose what the company does with its treasury. A new company has no demand: it sells "
            "nothing, and its price falls. A marketing campaign gives it demand, so that it can sell in the next "
            "turn. You see what each action costs and what it would change. If nobody votes, the company chooses "
            "Veto: it does nothing this turn."
        ),
        "queue",
        mark("The order of companies"),
    ),
)
