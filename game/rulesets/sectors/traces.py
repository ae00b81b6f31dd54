"""The sources of those figures of Sectors that accumulate: every change, read from the events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from game.engine.breakdown import Part, Trace, by_turns
from game.engine.events import Event, PhaseOpened
from game.engine.language import count, mark, say
from game.engine.phrases import capitalised, thousands
from game.rulesets.sectors.causes import cause_words
from game.rulesets.sectors.events import opening, operations, orders
from game.rulesets.sectors.sector_figures import TRACES_OF_SECTORS
from game.rulesets.sectors.state import Company, SectorsState
from game.rulesets.sectors.tables.sectors import SECTORS

Events = Sequence[Event]
Parts = tuple[Part, ...]
UNIT_PRICE_MOVES = {"increase_unit_price": 10, "decrease_unit_price": -10, "re_brand": 40}
NEW_TURN = "start_turn"  # the phase in which the figures of a turn start again
SOLD, SHORTED = mark("Sold {quantity} {company} at {price}"), mark("Shorted {quantity} {company} at {price}")
MOST = 10_000  # tokens: more than a company can hold


def _of_company(parts_of: Callable[[SectorsState, Events, Company], Parts]) -> Trace:
    def parts(state: SectorsState, events: Events, subject: str) -> Parts:
        return parts_of(state, events, state.companies[subject]) if subject in state.companies else ()

    return parts


def price(state: SectorsState, events: Events, company: Company) -> Parts:
    """The price at the founding and every move since. (S 3)"""
    parts = []
    for turn, event in by_turns(events):
        match event:
            case opening.CompanyOpened() if event.company == company.ticker:
                parts = [Part(say("Founded at its IPO price"), event.ipo_price, turn)]
            case orders.PriceMoved() if event.company == company.ticker:
                parts.append(Part(capitalised(cause_words(event.why)), event.now - event.was, turn))
    return tuple(parts)


def revenue(state: SectorsState, events: Events, company: Company) -> Parts:
    """The sales of this turn, and additions by effects. (S 6.2, A86)"""
    parts: Parts = ()
    for turn, event in by_turns(events):
        match event:
            case PhaseOpened() if event.phase == NEW_TURN:
                parts = ()
            case operations.WentBankrupt() if event.company == company.ticker:
                parts = ()
            case operations.Produced() if event.company == company.ticker:
                parts = _sales(event, turn)
    return parts or (Part(say("Nothing sold this turn"), 0),)


def _sales(production: operations.Produced, turn: int) -> Parts:
    amount = production.unit_price * production.sold
    label = count(
        "{n} unit sold at {price}", "{n} units sold at {price}", production.sold, price=thousands(production.unit_price)
    )
    sold, more = Part(label, amount, turn), production.revenue - amount
    return (sold, Part(say("Raised by effects"), more, turn)) if more else (sold,)


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
    return tuple(parts) or (Part(say("No token yet"), 0),)


def _prestige_of(
    state: SectorsState, event: Event, company: Company, *, is_bankrupt: bool
) -> Iterator[tuple[str, int]]:
    """The tokens that an event adds or removes; never more than there are."""
    mine = getattr(event, "company", None) == company.ticker
    match event:
        case operations.Produced() if mine and event.prestige:
            yield say("Sold all it could"), 1
        case opening.PrestigeGiven() if mine:
            yield say("Given with a tranche"), event.tokens
        case operations.ActionDone() if mine:
            yield say("Paid for {title}", title=say(event.title)), -event.prestige
            if event.action == "outsource":
                yield say("Lost by {title}", title=say(event.title)), -MOST
        case operations.PrestigeSpent() if mine and event.bought:
            yield say("Spent on {title}", title=say(event.title)), -event.cost
        case operations.CardDrawn() if mine and event.card == "specialization":
            yield say(event.title), 2
        case operations.CardDrawn() if event.card == "corporate_espionage" and not mine and not is_bankrupt:
            if state.companies[event.company].sector == company.sector:
                yield say("{title} of {company}", title=say(event.title), company=event.company), -2


def unit_price(state: SectorsState, events: Events, company: Company) -> Parts:
    """The unit price that was drawn at first, and every action on it since. (S 1.3, 6.9, 6.10)"""
    about = [(turn, event) for turn, event in by_turns(events) if getattr(event, "company", None) == company.ticker]
    low, high = SECTORS[company.sector].unit_price
    for first in range(low, high + 1):
        parts = list(_unit_prices(first, about))
        if sum(part.amount for part in parts) == company.unit_price:
            return tuple(parts)
    return ()


def _unit_prices(first: int, about: Iterable[tuple[int, Event]]) -> Iterator[Part]:
    """The changes of a unit price from this start; they must lead to the price at the company's production."""
    now = first
    for turn, event in about:
        match event:
            case opening.CompanyOpened():
                yield Part(say("Drawn when it was founded"), first, turn)
            case operations.Produced() if event.unit_price != now:
                return
            case operations.ActionDone() if move := max(UNIT_PRICE_MOVES.get(event.action, 0), -now):
                now += move
                yield Part(say(event.title), move, turn)


def income(state: SectorsState, events: Events, subject: str) -> Parts:
    """A player's realised income of this turn, on which capital gains tax is paid. (S 7.1)"""
    if not subject.isdecimal() or int(subject) >= state.seats:
        return ()
    parts: list[Part] = []
    for turn, event in by_turns(events):
        if isinstance(event, PhaseOpened) and event.phase == NEW_TURN:
            parts = []
        elif getattr(event, "seat", None) == int(subject):
            parts += [Part(label, amount, turn) for label, amount in _incomes_of(event)]
    return tuple(parts) or (Part(say("Nothing realised this turn"), 0, state.turn),)


def _incomes_of(event: Event) -> Iterator[tuple[str, int]]:
    match event:
        case operations.DividendPaid():
            dividends = count(
                "Dividends of {company} on {n} share",
                "Dividends of {company} on {n} shares",
                event.shares,
                company=event.company,
            )
            yield dividends, event.amount
        case opening.TranchePaid():
            yield say("Tranche {pool}", pool=event.pool), event.amount
        case orders.OrderFilled() if event.side == "sell":
            yield _deal(SOLD, event), event.quantity * event.price
        case orders.ShortOpened():
            yield _deal(SHORTED, event), event.quantity * event.price
        case orders.OptionExercised():
            gain = (event.price - event.strike) * event.shares
            yield say("Option on {shares} {company} exercised", shares=event.shares, company=event.company), gain


def _deal(text: str, event: orders.OrderFilled | orders.ShortOpened) -> str:
    return say(text, quantity=event.quantity, company=event.company, price=event.price)


TRACES: Mapping[str, Trace] = {
    "price": _of_company(price),
    "revenue": _of_company(revenue),
    "prestige": _of_company(prestige),
    "unit_price": _of_company(unit_price),
    "income": income,
    **TRACES_OF_SECTORS,
}
