"""What earlier versions of these rules did with inputs given ahead, so that what they stored is replayed as it was."""

from __future__ import annotations

from typing import Any

from game.engine.actions import Action
from game.engine.ahead import Promises
from game.engine.flow import Phase
from game.rulesets.sectors.orders import OptionOrder, PlaceOrder


def _kept_at_a_price_if_marked(action: Action, phase: Phase, state: Any) -> Action:
    """Until version 4 an order kept its price only with the mark to be ready, and a contract none."""
    has_no_price = isinstance(action, OptionOrder) or (isinstance(action, PlaceOrder) and not action.ready)
    return action if has_no_price else action.given(state)


EARLIER: dict[int, Promises] = {
    4: Promises(
        kept=_kept_at_a_price_if_marked,
        asked=lambda met: met.doubted,
        reopens=lambda action: action.is_lasting,
    ),
}
