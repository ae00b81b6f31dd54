"""What a player of Sectors who comes back has to know: worth and cash with their causes, lost control, new threats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from game.boards.briefing import FIRST, Absence, causes, moved
from game.boards.outcomes import BAD, NEUTRAL, Outcome
from game.engine.events import Event
from game.engine.phrases import listed, plural, thousands
from game.rulesets.sectors.events import opening, operations, orders, upkeep
from game.rulesets.sectors.view.shapes import CompanyView, SectorsView

Amounts = Counter[str]


def since(absence: Absence) -> list[Outcome]:
    """Worth, cash, shares that weigh less, and threats that were not there before."""
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


# --- worth and cash


def worth(absence: Absence) -> Outcome | None:
    """Net worth from and to: what prices did to what was kept, money that came and went, and trades for the rest."""
    before, now, seat = absence.before, absence.story.view, absence.story.seat
    was, is_now = before.player(seat).score, now.player(seat).score
    amounts = flows(absence.story.events(), seat)
    parts = [("prices of your shares", _price_effect(before, now, seat))]
    parts += [(name, amounts[name]) for name in ("dividends", "tax", "interest", "tranches", "headlines")]
    rest = is_now - was - sum(amount for _, amount in parts)
    return moved("Net worth", was, is_now, weight=FIRST, why=causes([*parts, ("trades and the rest", rest)]))


def _price_effect(before: SectorsView, now: SectorsView, seat: int) -> int:
    """Dollars that moving prices gave the shares which the seat had before and has still."""
    was, held = before.player(seat).holdings, now.player(seat).holdings
    prices = {company.ticker: company.price for company in before.companies}
    moves = {company.ticker: company.price - prices.get(company.ticker, company.price) for company in now.companies}
    return sum(min(count, was.get(ticker, 0)) * moves[ticker] for ticker, count in held.items())


def cash(absence: Absence) -> Outcome | None:
    """Cash from and to, with what was paid and received by cause."""
    before, now, seat = absence.before, absence.story.view, absence.story.seat
    amounts = flows(absence.story.events(), seat)
    was, is_now = before.player(seat).cash, now.player(seat).cash
    rest = is_now - was - sum(amounts.values())
    line = moved("Cash", was, is_now, weight=FIRST - 1, why=causes([*amounts.items(), ("other", rest)]))
    return msgspec.structs.replace(line, tone=NEUTRAL) if line else None  # less cash is no loss: see the net worth


def flows(events: Iterable[Event], seat: int) -> Amounts:
    """What moved a seat's cash, by cause: dollars in are positive. Every dollar that a seat gets or pays has its
    event."""
    amounts: Amounts = Counter()
    for event in events:
        flow = FLOWS.get(type(event))
        if flow and seat in _paid(event):
            amounts.update(flow(event))
    return amounts


def _paid(event: Event) -> tuple[int, ...]:
    """Whose cash an event moved: of a tranche it is the taker's, though its giver is named too."""
    return event.payers if isinstance(event, opening.HeadlinePaid) else (getattr(event, "seat", -1),)


def _trade(order: orders.OrderFilled) -> dict[str, int]:
    worth_of_it = order.quantity * order.price
    return {"shares bought": -worth_of_it} if order.side == "buy" else {"shares sold": worth_of_it}


FLOWS: dict[type[Event], Callable[[Any], dict[str, int]]] = {
    opening.BidRevealed: lambda event: {"influence points kept": event.refund},
    opening.HeadlinePaid: lambda event: {"headlines": -event.each},
    opening.TranchePaid: lambda event: {"tranches": event.amount},
    orders.OrderFilled: _trade,
    orders.ShortOpened: lambda event: {"shorts": event.quantity * event.price, "margin": -event.margin},
    orders.ShortInterestPaid: lambda event: {"interest": -event.amount},
    orders.ShortCovered: lambda event: {"shorts": -event.quantity * event.price, "margin": event.margin},
    orders.ShortClosed: lambda event: {"shorts": -event.paid, "margin": event.margin},
    orders.ContractBought: lambda event: {"options": -event.premium},
    orders.OptionExercised: lambda event: {"options": event.shares * (event.price - event.strike)},
    operations.DividendPaid: lambda event: {"dividends": event.amount},
    operations.ShortDividendPaid: lambda event: {"dividends of shorts": -event.amount},
    operations.Contributed: lambda event: {"contributions": -event.cash},
    operations.LiquidationPaid: lambda event: {"bankruptcies": event.amount},
    upkeep.TaxPaid: lambda event: {"tax": -event.amount},
    upkeep.Divested: lambda event: {"forced sales": event.shares * event.price},
}


# --- control


def dilutions(absence: Absence) -> list[Outcome]:
    """Companies in which the same shares weigh less than before: new shares, or others who hold more."""
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
        text = f"You can be outvoted in {ticker} now."
        who = listed(f"{absence.story.names(other)} {held}" for other, held in others.items())
        return _line(
            "control", "Control", text, f"You hold {mine}, the others together {sum(others.values())}: {who}.", 68
        )
    if now.existing > was.existing:
        part = f"{100 * was.holdings[seat] // was.existing}% to {100 * mine // now.existing}%"
        text = f"{ticker} has {plural(now.existing - was.existing, 'new share')}."
        return _line("dilution", "Diluted", text, f"Your part went from {part}.", 62)
    return None


# --- threats


def threats(view: SectorsView, seat: int) -> list[Outcome]:
    """What may cost the seat something soon, as the position stands."""
    return [*_short_threats(view, seat), *_company_threats(view, seat), *_limit_threat(view, seat), *_end_threat(view)]


def _short_threats(view: SectorsView, seat: int) -> Iterable[Outcome]:
    player = view.player(seat)
    for order in view.orders:
        if order.seat == seat and order.kind == "short" and order.status == "open":
            cost, there = (order.quantity or 0) * view.company(order.company).price, player.cash + (order.margin or 0)
            if cost > there:
                text = f"You could not pay for covering your short of {order.quantity} {order.company}."
                why = f"It would cost {thousands(cost)}; cash and margin are {thousands(there)}."
                yield _line("threat", "Margin", text, why, 87, key=f"margin {order.id}")


def _company_threats(view: SectorsView, seat: int) -> Iterable[Outcome]:
    for company in view.companies:
        if company.status == "insolvent" and (held := company.holdings.get(seat, 0)):
            text = f"{company.ticker} is insolvent and needs {thousands(company.shortfall)}."
            why = f"Below that it goes bankrupt and your {plural(held, 'share')} are lost."
            yield _line("threat", "Insolvent", text, why, 89, key=f"insolvent {company.ticker}")


def _limit_threat(view: SectorsView, seat: int) -> Iterable[Outcome]:
    held, limit = view.player(seat).certificates, view.certificate_limit
    if held > limit:
        text = f"You hold {held} shares; the certificate limit is {limit}."
        yield _line(
            "threat", "Limit", text, "What is above it is drawn and sold at the end of the turn.", 79, key="limit"
        )


def _end_threat(view: SectorsView) -> Iterable[Outcome]:
    if view.bank_broke and not view.end:
        yield _line("threat", "Last turn", "The bank broke.", "The game ends with this turn.", 78, key="bank")


def _line(kind: str, label: str, text: str, why: str, weight: int, *, key: str = "") -> Outcome:
    return Outcome(kind=kind, label=label, text=text, reason=why, tone=BAD, weight=weight, key=key)
