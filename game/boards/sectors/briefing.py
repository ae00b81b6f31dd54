"""What a returning player of Sectors has to know: worth and cash with their causes, lost control, new threats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from game.boards.outcomes import BAD, FIRST, NEUTRAL, Absence, Outcome, causes, moved
from game.engine.events import Event
from game.engine.language import apart, count, mark, say, say_as
from game.engine.phrases import listed, percent, thousands
from game.rulesets.sectors.events import opening, operations, orders, upkeep
from game.rulesets.sectors.view.shapes import CompanyView, SectorsView

Amounts = Counter[str]
WORTH = (mark("dividends"), mark("tax"), mark("interest"), mark("tranches"), mark("headlines"))


def since(absence: Absence) -> list[Outcome]:
    """Changes of worth and cash, diluted holdings, and new threats."""
    if absence.before is None:
        return threats(absence.story.view, absence.story.seat)
    before, now, seat = absence.before, absence.story.view, absence.story.seat
    known = {threat.key for threat in threats(before, seat)}
    lines = [worth(absence), cash(absence)]
    return [
        *(line for line in lines if line),
        *dilutions(absence),
        *(threat for threat in threats(now, seat) if threat.key not in known),
    ]


def turn_figures(view: SectorsView, seat: int) -> tuple[tuple[str, int], ...]:
    """The figures that the summary of a turn compares."""
    player = view.player(seat)
    return (mark("Net worth"), player.score), (mark("Cash"), player.cash)


# --- worth and cash


def worth(absence: Absence) -> Outcome | None:
    """The change of net worth by cause: prices of shares that were held, payments by name, and trades and the rest as
    one."""
    before, now, seat = absence.before, absence.story.view, absence.story.seat
    was, is_now = before.player(seat).score, now.player(seat).score
    amounts = flows(absence.story.events(), seat)
    bought = [event for event in absence.story.events() if isinstance(event, orders.OrderFilled)]
    parts = [(say("prices of your shares"), _price_effect(before, now, seat, bought))]
    parts += [(say(name), amounts[name]) for name in WORTH]
    rest = is_now - was - sum(amount for _, amount in parts)
    return moved(
        mark("Net worth"), was, is_now, weight=FIRST, why=causes([*parts, (say("trades and everything else"), rest)])
    )


def _price_effect(before: SectorsView, now: SectorsView, seat: int, filled: Iterable[orders.OrderFilled]) -> int:
    """The change in value, in whole dollars, of the shares that the seat holds: since `before` for those it held then,
    since the purchase for those bought later, newest purchases first."""
    was, held = before.player(seat).holdings, now.player(seat).holdings
    prices = {company.ticker: company.price for company in before.companies}
    today = {company.ticker: company.price for company in now.companies}
    moves = {ticker: price - prices.get(ticker, price) for ticker, price in today.items()}
    effect = sum(min(count, was.get(ticker, 0)) * moves[ticker] for ticker, count in held.items())
    new = {ticker: count - min(count, was.get(ticker, 0)) for ticker, count in held.items()}
    for order in reversed([event for event in filled if event.seat == seat and event.side == "buy"]):
        bought = min(order.quantity, new.get(order.company, 0))
        if bought:
            new[order.company] -= bought
            effect += bought * (today[order.company] - order.price)
    return effect


def cash(absence: Absence) -> Outcome | None:
    """The change of cash, with receipts and payments by cause."""
    before, now, seat = absence.before, absence.story.view, absence.story.seat
    amounts = flows(absence.story.events(), seat)
    was, is_now = before.player(seat).cash, now.player(seat).cash
    rest = is_now - was - sum(amounts.values())
    why = causes([*((say(cause), amount) for cause, amount in amounts.items()), (say("other"), rest)])
    line = moved(mark("Cash"), was, is_now, weight=FIRST - 1, why=why)
    return msgspec.structs.replace(line, tone=NEUTRAL) if line else None  # less cash is no loss: see the net worth


def flows(events: Iterable[Event], seat: int) -> Amounts:
    """A seat's cash flows by cause, in English; positive amounts are receipts. Every receipt and payment has an
    event."""
    amounts: Amounts = Counter()
    for event in events:
        flow = FLOWS.get(type(event))
        payers = event.payers if isinstance(event, opening.HeadlinePaid) else (getattr(event, "seat", -1),)
        if flow and seat in payers:
            amounts.update(flow(event))
    return amounts


def _trade(order: orders.OrderFilled) -> dict[str, int]:
    worth_of_it = order.quantity * order.price
    return {mark("shares bought"): -worth_of_it} if order.side == "buy" else {mark("shares sold"): worth_of_it}


FLOWS: dict[type[Event], Callable[[Any], dict[str, int]]] = {
    opening.BidRevealed: lambda event: {mark("influence points kept"): event.refund},
    opening.HeadlinePaid: lambda event: {mark("headlines"): -event.each},
    opening.TranchePaid: lambda event: {mark("tranches"): event.amount},
    orders.OrderFilled: _trade,
    orders.ShortOpened: lambda event: {mark("shorts"): event.quantity * event.price, mark("margin"): -event.margin},
    orders.ShortInterestPaid: lambda event: {mark("interest"): -event.amount},
    orders.ShortCovered: lambda event: {mark("shorts"): -event.quantity * event.price, mark("margin"): event.margin},
    orders.ShortClosed: lambda event: {mark("shorts"): -event.paid, mark("margin"): event.margin},
    orders.ContractBought: lambda event: {mark("options"): -event.premium},
    orders.OptionExercised: lambda event: {mark("options"): event.shares * (event.price - event.strike)},
    operations.DividendPaid: lambda event: {mark("dividends"): event.amount},
    operations.ShortDividendPaid: lambda event: {mark("dividends of shorts"): -event.amount},
    operations.Contributed: lambda event: {mark("contributions"): -event.cash},
    operations.LiquidationPaid: lambda event: {mark("bankruptcies"): event.amount},
    upkeep.TaxPaid: lambda event: {mark("tax"): -event.amount},
    upkeep.Divested: lambda event: {mark("forced sales"): event.shares * event.price},
}


# --- control


def dilutions(absence: Absence) -> list[Outcome]:
    """Companies in which the seat's shares have less weight than before: new shares, or others who hold more."""
    before = {company.ticker: company for company in absence.before.companies} if absence.before else {}
    seat = absence.story.seat
    return [
        line
        for company in absence.story.view.companies
        if (was := before.get(company.ticker)) and company.holdings.get(seat, 0) >= was.holdings.get(seat, 0) > 0
        if (line := _dilution(was, company, absence))
    ]


def _dilution(was: CompanyView, now: CompanyView, absence: Absence) -> Outcome | None:
    seat, ticker = absence.story.seat, now.ticker
    mine, others = now.holdings[seat], {other: held for other, held in now.holdings.items() if other != seat}
    if was.holdings[seat] * 2 > sum(was.holdings.values()) and mine <= sum(others.values()):
        text = say("You can be outvoted in {company} now.", company=ticker)
        who = listed(f"{apart(absence.story.names(other))} {held}" for other, held in others.items())
        theirs = sum(others.values())
        why = say("You hold {mine}, the others together {theirs}: {who}.", mine=mine, theirs=theirs, who=who)
        return _line("control", say("Control"), text, why, 68)
    if now.existing > was.existing:
        first, last = (100 * each.holdings[seat] // each.existing for each in (was, now))
        new = now.existing - was.existing
        text = count("{company} has {n} new share.", "{company} has {n} new shares.", new, company=ticker)
        why = say("Your share of it went from {first} to {last}.", first=percent(first), last=percent(last))
        return _line("dilution", say("Diluted"), text, why, 62)
    return None


# --- threats


def threats(view: SectorsView, seat: int) -> list[Outcome]:
    """What may soon cost the seat money, in the current position."""
    return [*_short_threats(view, seat), *_company_threats(view, seat), *_limit_threat(view, seat), *_end_threat(view)]


def _short_threats(view: SectorsView, seat: int) -> Iterable[Outcome]:
    player = view.player(seat)
    for order in view.orders:
        if order.seat == seat and order.kind == "short" and order.status == "open":
            cost, there = (order.quantity or 0) * view.company(order.company).price, player.cash + (order.margin or 0)
            if cost > there:
                text = say(
                    "You could not pay for covering your short of {quantity} {company}.",
                    quantity=order.quantity,
                    company=order.company,
                )
                why = say(
                    "It would cost {cost}; cash and margin are {there}.", cost=thousands(cost), there=thousands(there)
                )
                yield _line("threat", say("Margin"), text, why, 87, key=f"margin {order.id}")


def _company_threats(view: SectorsView, seat: int) -> Iterable[Outcome]:
    for company in view.companies:
        if company.status == "insolvent" and (held := company.holdings.get(seat, 0)):
            needed = thousands(company.shortfall)
            text = say("{company} is insolvent and needs {needed}.", company=company.ticker, needed=needed)
            why = count(
                "Below that it goes bankrupt and your {n} share is lost.",
                "Below that it goes bankrupt and your {n} shares are lost.",
                held,
            )
            yield _line("threat", say("Insolvent"), text, why, 89, key=f"insolvent {company.ticker}")


def _limit_threat(view: SectorsView, seat: int) -> Iterable[Outcome]:
    held, limit = view.player(seat).certificates, view.certificate_limit
    if held > limit:
        text = say("You hold {held} shares; the certificate limit is {limit}.", held=held, limit=limit)
        why = say("Shares above it are drawn at random and sold at the end of the turn.")
        yield _line("threat", say_as("certificate limit", "Limit"), text, why, 79, key="limit")


def _end_threat(view: SectorsView) -> Iterable[Outcome]:
    if view.bank_broke and not view.end:
        yield _line(
            "threat", say("Last turn"), say("The bank broke."), say("The game ends with this turn."), 78, key="bank"
        )


def _line(kind: str, label: str, text: str, why: str, weight: int, *, key: str = "") -> Outcome:
    return Outcome(kind=kind, label=label, text=text, reason=why, tone=BAD, weight=weight, key=key)
