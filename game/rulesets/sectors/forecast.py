"""The foreseeable public effects of a company action on its company and the next production."""

from __future__ import annotations

import msgspec

from game.engine.chance import Chance
from game.engine.language import grouped, say
from game.engine.play import Play
from game.rulesets.sectors import numbers
from game.rulesets.sectors.ledger import MARKET
from game.rulesets.sectors.phases.votes import carry_out
from game.rulesets.sectors.state import Company, SectorsState
from game.rulesets.sectors.tables.sectors import SECTORS

UNFORESEEN = frozenset({"research", "visionary", "extract", "manufacture"})
"""Actions that draw."""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(SectorsState)


class Change(msgspec.Struct, frozen=True):
    """A public figure that changes: its name, and its values before and after, as text."""

    figure: str
    was: str
    now: str


class Forecast(msgspec.Struct, frozen=True):
    """Units and dollars of the next production if nothing else happens; `steps` is the fall by the throughput. (S
    6.2–6.4) `changes` are the immediate effects of the action."""

    supply: int
    demand: int
    throughput: int
    steps: int
    cost: int
    changes: tuple[Change, ...] = ()


def forecast(state: SectorsState, ticker: str, key: str) -> Forecast | None:
    """The company after the action, tried out on a copy; None if it cannot be foreseen."""
    return (
        None if key in UNFORESEEN else forecast_from(pack(state), figures(state, state.companies[ticker]), ticker, key)
    )


def pack(state: SectorsState) -> bytes:
    """A packed position, of which any number of copies can be made."""
    return _encoder.encode(state)


def forecast_from(packed: bytes, before: dict[str, str], ticker: str, key: str) -> Forecast | None:
    """The forecast from a packed position and the company's figures in it: a ballot tries many actions on one
    position. None if the effect of the action cannot be foreseen."""
    if key in UNFORESEEN:
        return None
    copy = _decoder.decode(packed)
    company = copy.companies[ticker]
    carry_out(Play(copy, copy.ledger, Chance("forecast"), {}), company, key)
    throughput, after = numbers.throughput_of(copy, company), figures(copy, company)
    return Forecast(
        supply=numbers.supply_of(copy, company),
        demand=numbers.demand_of(company),
        throughput=throughput,
        steps=numbers.throughput_steps(throughput),
        cost=numbers.operating_cost_of(copy, company),
        changes=tuple([Change(name, was, after[name]) for name, was in before.items() if after[name] != was]),
    )


def figures(state: SectorsState, company: Company) -> dict[str, str]:
    """The public figures that an action can change, by name."""
    sector, ticker = state.sectors[company.sector], company.ticker
    title = say(SECTORS[company.sector].title)
    values: dict[str, int | str] = {
        say("Treasury"): state.treasury(ticker),
        say("Company tier"): say(numbers.tier(state, company).title),
        say("Supply"): numbers.supply_of(state, company),
        say("Demand"): numbers.demand_of(company),
        say("Operating cost"): numbers.operating_cost_of(state, company),
        say("Unit price"): company.unit_price,
        say("Prestige"): company.prestige,
        say("Stock price"): company.price,
        say("Shares"): state.ledger.existing(ticker),
        say("On the open market"): state.ledger.at(ticker, MARKET),
        say("Demand of {sector}", sector=title): numbers.sector_demand(sector),
        say("Waiting in {sector}", sector=title): sector.consumers,
    }
    return {name: grouped(value) if isinstance(value, int) else value for name, value in values.items()}
