"""What a company action would make of the next production, as far as it can be foreseen from what is public."""

from __future__ import annotations

import msgspec

from game.engine.chance import Chance
from game.engine.play import Play
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects import COMPANY_ACTIONS
from game.rulesets.sectors.state import SectorsState

UNFORESEEN = frozenset({"research", "visionary", "spend_prestige", "extract", "manufacture"})
"""Actions that draw, or show a space of the track that nobody has seen."""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(SectorsState)


class Forecast(msgspec.Struct, frozen=True):
    """Units and dollars of the next production if nothing else happens; `steps` down for the throughput. (S 6.2–6.4)"""

    supply: int
    demand: int
    throughput: int
    steps: int
    cost: int


def forecast(state: SectorsState, ticker: str, key: str) -> Forecast | None:
    """The next production after the action, tried out on a copy; None where it cannot be foreseen."""
    if key in UNFORESEEN:
        return None
    copy = _decoder.decode(_encoder.encode(state))
    company = copy.companies[ticker]
    COMPANY_ACTIONS[key].body(Play(copy, copy.ledger, Chance("forecast"), {}), company)
    throughput = numbers.throughput_of(copy, company)
    return Forecast(
        supply=numbers.supply_of(copy, company),
        demand=numbers.demand_of(company),
        throughput=throughput,
        steps=numbers.throughput_steps(throughput),
        cost=numbers.operating_cost_of(copy, company),
    )
