"""Notes next to a newcomer's first decisions in Sectors."""

from __future__ import annotations

from game.boards.lessons import Note
from game.engine.language import mark

NOTES = (
    Note(
        "bid",
        "influence_bid",
        mark(
            "All players bid at once, hidden from each other. The highest bid comes first in player priority, which "
            "decides who gets scarce shares. Every point you keep becomes a dollar, so a bid of 0 is a fair choice."
        ),
    ),
    Note(
        "order",
        "stock_orders",
        mark(
            "Choose a company and a number of shares. Shares from the IPO have a fixed price and never move the stock "
            "price. When enough of them are sold, the company floats and begins to operate. The box under the form "
            "says what your order would do."
        ),
        "ladder",
        mark("The stock chart"),
    ),
    Note(
        "revenue",
        "revenue_vote",
        mark(
            "Your companies have sold their goods. Each of your shares is a vote: revenue paid out goes to the "
            "shareholders and can raise the price, revenue retained stays in the company and lowers the price a step."
        ),
        "h-sectors",
        mark("The companies"),
    ),
    Note(
        "company",
        "company_vote",
        mark(
            "Shareholders choose what the company does with its treasury. You see what each action costs and what it "
            "would change. If nobody votes, the company chooses Veto: it does nothing this turn."
        ),
        "queue",
        mark("The order of companies"),
    ),
)
