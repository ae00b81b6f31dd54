"""The ranking. (S 4.5)"""

from __future__ import annotations

from game.engine.leaving import ranked
from game.engine.ruleset import Standing
from game.rulesets.sectors.numbers import net_worth
from game.rulesets.sectors.state import SectorsState


def standings(state: SectorsState) -> list[Standing]:
    """Seats by net worth, best first; equal worths share the place (1, 1, 3). Resigned seats are below all others."""
    return ranked([net_worth(state, seat) for seat in range(state.seats)], state.left)
