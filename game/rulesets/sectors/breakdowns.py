"""The parts of Sectors' public figures: the same sums as in `numbers`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from game.engine.breakdown import Breakdown, Part
from game.engine.language import count, say
from game.engine.ledger import hand_of
from game.engine.modifiers import Modifier
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects import ABILITIES, COMPANY_ACTIONS, RESEARCH_CARDS
from game.rulesets.sectors.state import Company, Order, SectorsState
from game.rulesets.sectors.tables.edition import Tier

Parts = tuple[Part, ...]


def _of_company(parts_of: Callable[[SectorsState, Company], Parts]) -> Breakdown:
    def parts(state: SectorsState, subject: str) -> Parts:
        return parts_of(state, state.companies[subject]) if subject in state.companies else ()

    return parts


def demand(state: SectorsState, subject: str) -> Parts:
    """Permanent and this turn's demand of a company or a sector. (S 6.1, 7.7)"""
    has_demand = state.companies.get(subject) or state.sectors.get(subject)
    if has_demand is None:
        return ()
    return (
        Part(say("Lasting demand"), has_demand.base_demand),
        Part(say("Demand of this turn only"), has_demand.temporary_demand),
    )


def supply(state: SectorsState, company: Company) -> Parts:
    """The tier's supply, and additions. (S 6.1)"""
    tier = numbers.tier(state, company)
    return (
        Part(_tier(tier), tier.supply),
        Part(say("Lasting supply"), company.base_supply),
        Part(say("Supply of this turn only"), company.temporary_supply),
    )


def throughput(state: SectorsState, company: Company) -> Parts:
    """The difference of supply and demand, and the reduction by an ability. (S 6.2, A58)"""
    supply, demand = numbers.supply_of(state, company), numbers.demand_of(company)
    more, less = (say("Supply"), say("Less demand")) if supply >= demand else (say("Demand"), say("Less supply"))
    parts = (Part(more, max(supply, demand)), Part(less, -min(supply, demand)))
    spared = abs(supply - demand) - numbers.throughput_at(state, company, supply, demand)
    return (*parts, Part(say("At most 1 with Carbon Credit"), -spared)) if spared else parts


def operating_cost(state: SectorsState, company: Company) -> Parts:
    """The tier's cost, then halvings, then additions by effects, never below 0. (S 6.4)"""
    tier, cost = numbers.tier(state, company), numbers.tier(state, company).cost
    parts = [Part(_tier(tier), cost)]
    if numbers.modifier(state, company, "cost_free"):
        return (*parts, Part(say("Free of cost this turn"), -cost))
    halvings = {
        say("Halved by an effect"): bool(numbers.modifier(state, company, "cost_halved")),
        say("Halved: supply meets demand"): numbers.throughput_of(state, company) == 0,
    }
    for label, is_halved in halvings.items():
        if is_halved:
            parts.append(Part(label, cost // 2 - cost))
            cost //= 2
    added = [each for each in company.modifiers if each.number == "operating_cost" and each.turn in {None, state.turn}]
    parts += [Part(_source(each), each.amount) for each in added]
    below = sum(part.amount for part in parts)
    return (*parts, Part(say("Never below 0"), -below)) if below < 0 else tuple(parts)


def _tier(tier: Tier) -> str:
    return say("Tier {tier}", tier=say(tier.title))


def _source(modifier: Modifier) -> str:
    """The source of a lasting effect, by its title."""
    kind, _, key = modifier.source.rpartition(":")
    known: Mapping[str, Mapping[str, object]] = {"ability": ABILITIES, "card": RESEARCH_CARDS, "": COMPANY_ACTIONS}
    source = known.get(kind, {}).get(key)
    return say(str(getattr(source, "title", ""))) or key.replace("_", " ").capitalize()


def net_worth(state: SectorsState, subject: str) -> Parts:
    """Cash, margin and shares at their prices, less the cost of covering the open shorts."""
    if not subject.isdecimal() or int(subject) >= state.seats:
        return ()
    seat = int(subject)
    held = state.ledger.held_in(hand_of(seat))
    return (
        Part(say("Cash"), state.cash(seat)),
        Part(say("Margin locked for shorts"), state.margin(seat)),
        *(_shares(state.companies[ticker], shares) for ticker, shares in held.items()),
        *(_short(state, short) for short in numbers.open_shorts(state, seat)),
    )


def certificates(state: SectorsState, subject: str) -> Parts:
    """A player's own shares, company by company."""
    if not subject.isdecimal() or int(subject) >= state.seats:
        return ()
    held = state.ledger.held_in(hand_of(int(subject)))
    parts = tuple(Part(say("Shares of {ticker}", ticker=ticker), shares) for ticker, shares in held.items())
    return parts or (Part(say("No share"), 0),)


def _short(state: SectorsState, short: Order) -> Part:
    price = state.companies[short.company].price
    label = count(
        "Short of {n} share of {ticker} at {price}",
        "Short of {n} shares of {ticker} at {price}",
        short.quantity,
        ticker=short.company,
        price=price,
    )
    return Part(label, -price * short.quantity)


def _shares(company: Company, shares: int) -> Part:
    label = count(
        "{n} share of {ticker} at {price}",
        "{n} shares of {ticker} at {price}",
        shares,
        ticker=company.ticker,
        price=company.price,
    )
    return Part(label, company.price * shares)


BREAKDOWNS: Mapping[str, Breakdown] = {
    "demand": demand,
    "supply": _of_company(supply),
    "operating_cost": _of_company(operating_cost),
    "throughput": _of_company(throughput),
    "net_worth": net_worth,
    "score": net_worth,
    "certificates": certificates,
}
