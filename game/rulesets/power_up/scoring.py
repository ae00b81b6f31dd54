"""The ranking. (PU 6)"""

from __future__ import annotations

from collections.abc import Sequence

from game.engine.leaving import ranked
from game.engine.ruleset import Standing
from game.rulesets.power_up.forecast import Table
from game.rulesets.power_up.numbers import payouts, price_at
from game.rulesets.power_up.state import PowerUpState, table_of


def worths(cash: Sequence[int], table: Table) -> list[int]:
    """Each seat's cash if the game ended now; after the final sale, its cash."""
    worth = list(cash)
    for company, size in table.sizes.items():
        for payout in payouts(table.holdings[company], price_at(company, size)):
            if payout.seat is not None:
                worth[payout.seat] += payout.total
    return worth


def standings(state: PowerUpState) -> list[Standing]:
    """Seats by worth, best first; resigned seats are below all others. (P-8, P-10, P-16)"""
    return ranked(worths([state.cash(seat) for seat in range(state.seats)], table_of(state)), state.left)
