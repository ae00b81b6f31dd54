"""Where the figures of Sectors that grow come from: every change of them, read from what happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from game.engine.breakdown import Part, Trace, by_turns
from game.engine.events import Event, PhaseOpened
from game.engine.phrases import plural, thousands
from game.rulesets.sectors.events import opening, operations, orders
from game.rulesets.sectors.state import Company, SectorsState
from game.rulesets.sectors.tables.sectors import SECTORS

Events = Sequence[Event]
Parts = tuple[Part, ...]
UNIT_PRICE_MOVES = {"increase_unit_price": 10, "decrease_unit_price": -10, "re_brand": 40}
NEW_TURN = "start_turn"  # the phase in which the figures of a turn begin anew
MOST = 10_000  # tokens: more than a company can hold


def _of_company(found: Callable[[SectorsState, Events, Company], Parts]) -> Trace:
    def parts(state: SectorsState, events: Events, subject: str) -> Parts:
        return found(state, events, state.companies[subject]) if subject in state.companies else ()

    return parts


def price(state: SectorsState, events: Events, company: Company) -> Parts:
    """The price at its foundation and every move since. (S 3)"""
    parts = []
    for turn, event in by_turns(events):
        match event:
            case opening.CompanyOpened() if event.company == company.ticker:
                parts = [Part("Founded at its IPO price", event.ipo_price, turn)]
            case orders.PriceMoved() if event.company == company.ticker:
                parts.append(Part(event.why[:1].upper() + event.why[1:], event.now - event.was, turn))
    return tuple(parts)


def revenue(state: SectorsState, events: Events, company: Company) -> Parts:
    """What it sold this turn, and what effects added. (S 6.2, A86)"""
    parts: Parts = ()
    for turn, event in by_turns(events):
        match event:
            case PhaseOpened() if event.phase == NEW_TURN:
                parts = ()
            case operations.WentBankrupt() if event.company == company.ticker:
                parts = ()
            case operations.Produced() if event.company == company.ticker:
                parts = _sales(event, turn)
    return parts or (Part("Nothing sold this turn", 0),)


def _sales(made: operations.Produced, turn: int) -> Parts:
    amount = made.unit_price * made.sold
    sold = Part(f"{plural(made.sold, 'unit')} sold at {thousands(made.unit_price)}", amount, turn)
    return (sold, Part("Raised by effects", made.revenue - amount, turn)) if made.revenue != amount else (sold,)


def prestige(state: SectorsState, events: Events, company: Company) -> Parts:
    """Every token won, spent and lost. (S 1.8, 6.2, 6.10)"""
    parts: list[Part] = []
    held, is_bankrupt = 0, False
    for turn, event in by_turns(events):
        is_bankrupt = is_bankrupt or (isinstance(event, operations.WentBankrupt) and event.company == company.ticker)
        for label, change in _prestige_of(state, event, company, is_bankrupt=is_bankrupt):
            moved = max(change, -held)
            held += moved
            parts += [Part(label, moved, turn)] if moved else []
    return tuple(parts) or (Part("No token yet", 0),)


def _prestige_of(
    state: SectorsState, event: Event, company: Company, *, is_bankrupt: bool
) -> Iterator[tuple[str, int]]:
    """How many tokens an event brings or takes; never more than there are."""
    mine = getattr(event, "company", None) == company.ticker
    match event:
        case operations.Produced() if mine and event.prestige:
            yield "Sold all it could", 1
        case opening.PrestigeGiven() if mine:
            yield "Given with a tranche", event.tokens
        case operations.ActionDone() if mine:
            yield f"Paid for {event.title}", -event.prestige
            if event.action == "outsource":
                yield f"Lost by {event.title}", -MOST
        case operations.PrestigeSpent() if mine and event.bought:
            yield f"Spent on {event.title}", -event.cost
        case operations.CardDrawn() if mine and event.card == "specialization":
            yield event.title, 2
        case operations.CardDrawn() if event.card == "corporate_espionage" and not mine and not is_bankrupt:
            if state.companies[event.company].sector == company.sector:
                yield f"{event.title} of {event.company}", -2


def unit_price(state: SectorsState, events: Events, company: Company) -> Parts:
    """The price a unit was drawn to sell for at first, and every action on it since. (S 1.3, 6.9, 6.10)"""
    about = [(turn, event) for turn, event in by_turns(events) if getattr(event, "company", None) == company.ticker]
    low, high = SECTORS[company.sector].unit_price
    for first in range(low, high + 1):
        parts = list(_unit_prices(first, about))
        if sum(part.amount for part in parts) == company.unit_price:
            return tuple(parts)
    return ()


def _unit_prices(first: int, about: Iterable[tuple[int, Event]]) -> Iterator[Part]:
    """The changes of a unit price that began so; what it was when the company produced must agree."""
    now = first
    for turn, event in about:
        match event:
            case opening.CompanyOpened():
                yield Part("Drawn at its foundation", first, turn)
            case operations.Produced() if event.unit_price != now:
                return
            case operations.ActionDone() if move := max(UNIT_PRICE_MOVES.get(event.action, 0), -now):
                now += move
                yield Part(event.title, move, turn)


def income(state: SectorsState, events: Events, subject: str) -> Parts:
    """What a player realised this turn, which capital gains tax is on. (S 7.1)"""
    if not subject.isdecimal() or int(subject) >= state.seats:
        return ()
    parts: list[Part] = []
    for turn, event in by_turns(events):
        if isinstance(event, PhaseOpened) and event.phase == NEW_TURN:
            parts = []
        elif getattr(event, "seat", None) == int(subject):
            parts += [Part(label, amount, turn) for label, amount in _incomes_of(event)]
    return tuple(parts) or (Part("Nothing realised this turn", 0, state.turn),)


def _incomes_of(event: Event) -> Iterator[tuple[str, int]]:
    match event:
        case operations.DividendPaid():
            yield f"Dividends of {event.company} on {plural(event.shares, 'share')}", event.amount
        case opening.TranchePaid():
            yield f"Tranche {event.pool}", event.amount
        case orders.OrderFilled() if event.side == "sell":
            yield f"Sold {event.quantity} {event.company} at {event.price}", event.quantity * event.price
        case orders.ShortOpened():
            yield f"Shorted {event.quantity} {event.company} at {event.price}", event.quantity * event.price
        case orders.OptionExercised():
            gain = (event.price - event.strike) * event.shares
            yield f"Option on {event.shares} {event.company} exercised", gain


TRACES: Mapping[str, Trace] = {
    "price": _of_company(price),
    "revenue": _of_company(revenue),
    "prestige": _of_company(prestige),
    "unit_price": _of_company(unit_price),
    "income": income,
}
