"""The orders of a stock round as a table: a sentence for each order, what became of it, why, and its cash."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from game.boards.outcomes import BAD, GOOD, NEUTRAL
from game.boards.reports import Phases, all_of
from game.boards.sectors.outcomes.order_words import shortage_words
from game.boards.sheets import Cell, Column, Sheet, SheetRow
from game.engine.events import Event
from game.engine.language import mark, mark_as, say
from game.engine.phrases import capitalised, listed, thousands
from game.rulesets.sectors import causes
from game.rulesets.sectors.events import orders

ASKING = "stock_orders"
UNTIL_REVEALED = {ASKING, "order_review", "order_reveal"}
PLACES = {
    "ipo": mark("Sealed order for {company} in the IPO"),
    "market": mark("Sealed order for {company} on the open market"),
    "derivatives": mark("Sealed order for {company} on the derivatives market"),
}
"""An order of which the market is known, and nothing else."""
SENTENCES = {
    "buy ipo": mark("Buy {quantity} {company} from the IPO"),
    "buy market": mark("Buy {quantity} {company} on the open market"),
    "sell market": mark("Sell {quantity} {company} on the open market"),
    "bid ipo": mark("Buy {quantity} {company} from the IPO, bidding {price} a share"),
    "bid market": mark("Buy {quantity} {company} on the open market, bidding {price} a share"),
    "limit buy": mark("Buy {quantity} {company} at {price} or less"),
    "limit sell": mark("Sell {quantity} {company} at {price} or more"),
    "short": mark("Sell {quantity} {company} short"),
    "option": mark("Buy the option on {quantity} {company}"),
    "bid option": mark("Buy the option on {quantity} {company}, bidding {price}"),
}
"""A whole order, as its player would say it."""

OF_SHORTS = (orders.ShortInterestPaid, orders.ShortCovered, orders.ShortClosed, orders.CoverDropped)


class OrderLine(msgspec.Struct):
    """What is known of an order: its sub-round, its seat and company, its sentence, its last result, the causes of its
    results, what they moved in the player's cash, and whether the last one is good or bad."""

    sub_round: int
    seat: int | None = None
    company: str = ""
    sentence: str = ""
    outcome: str = ""
    causes: list[str] = []
    cash: int | None = None
    tone: str = NEUTRAL

    @property
    def cells(self) -> tuple[Cell, ...]:
        return (self.company, self.sentence, self.outcome, "; ".join(self.causes), self.cash)


def orders_table(phases: Phases, names: Sequence[str]) -> Sheet:
    """One row per order, in the order of the stock round; after each sub-round who passed."""
    lines: dict[int, OrderLine] = {}
    sub_round = 0
    for phase in phases:
        sub_round += phase.name == ASKING
        for event in phase.events:
            number = getattr(event, "order", None)
            if isinstance(number, int):
                _note(lines.setdefault(number, OrderLine(sub_round)), event)
    columns = (
        Column("company", say("Company"), is_further=True),
        Column("order", say("Order")),
        Column("outcome", say("Outcome")),
        Column("why", say("Why")),
        Column("cash", say("Cash"), say("How the order changed the player’s cash"), is_change=True),
    )
    placed = [(line.sub_round, _order_row(str(number), line, names)) for number, line in sorted(lines.items())]
    rows = sorted([*placed, *_passes(phases, names)], key=lambda each: each[0])
    return Sheet("orders", say("Orders"), say("Player"), columns, tuple(row for _, row in rows))


def _order_row(key: str, line: OrderLine, names: Sequence[str]) -> SheetRow:
    name = "" if line.seat is None else names[line.seat]
    return SheetRow(key, name, line.cells, seat=line.seat, tone=line.tone)


def _passes(phases: Phases, names: Sequence[str]) -> Iterator[tuple[int, SheetRow]]:
    """The players who gave no order, by sub-round whose orders have been revealed."""
    starts = [at for at, phase in enumerate(phases) if phase.name == ASKING]
    for sub_round, (first, last) in enumerate(pairwise([*starts, len(phases)]), 1):
        if last == len(phases) and all(phase.name in UNTIL_REVEALED for phase in phases[first:last]):
            return
        seats = {event.seat for event in all_of(phases[first:last], orders.OrderRevealed)}
        passed = [name for seat, name in enumerate(names) if seat not in seats]
        if passed:
            who = listed(passed) if seats else say("Everybody")
            cells = ("", say("passed in sub-round {n}", n=sub_round), "", "", None)
            yield sub_round, SheetRow(f"pass.{sub_round}", who, cells, tone=NEUTRAL)


def _note(line: OrderLine, event: Event) -> None:
    """Update an order by one event."""
    seat = getattr(event, "seat", None)
    line.seat = seat if isinstance(seat, int) else line.seat
    line.company = getattr(event, "company", "") or line.company
    line.sentence = _sentence(event, whole=line.sentence) or line.sentence
    if result := RESULTS.get(type(event)):
        word, cause = result
        line.outcome, line.tone = say(word), TONES.get(type(event), NEUTRAL)
        line.causes += [words] if (words := _cause(cause, event)) else []
    if type(event) in CASH:
        line.cash = (line.cash or 0) + CASH[type(event)](event)


def _sentence(event: Any, *, whole: str) -> str:
    """The sentence about an order; for one placed in another turn, from its first event in this turn."""
    match event:
        case orders.OrderSealed():
            return say("Sealed order for {company}", company=event.company)
        case orders.OrderLocated():
            return say(PLACES[event.location], company=event.company)
        case orders.OrderRevealed():
            return _in_words(event, event.kind, event.side, event.location)
        case _:
            return "" if whole else _sentence_of_earlier(event)


def _sentence_of_earlier(event: Any) -> str:
    if isinstance(event, orders.LimitTriggered):
        return _in_words(event, "limit", event.side, "")
    if isinstance(event, OF_SHORTS):
        return say("Short in {company}", company=event.company)
    if getattr(event, "kind", ""):
        return _in_words(event, event.kind, event.side, event.location)
    return say("Order for {company}", company=event.company)


def _in_words(event: Any, kind: str, side: str, location: str) -> str:
    has_bid = bool(event.price) and isinstance(event, orders.OrderRevealed)
    if kind == "limit":
        key = f"limit {side}"
    elif kind == "option":
        key = "bid option" if has_bid else "option"
    elif kind == "market":
        key = f"bid {location}" if has_bid and side == "buy" else f"{side} {location}"
    else:
        key = kind
    return say(SENTENCES[key], quantity=thousands(event.quantity), company=event.company, price=thousands(event.price))


def _cause(text: str, event: Event) -> str:
    words = msgspec.structs.asdict(event)
    words |= {name: causes.cause_words(words[name]) for name in ("why", "reason") if name in words}
    if isinstance(event, orders.OrderRejected):
        words["reason"] = shortage_words(event) or words["reason"]
    return capitalised(
        say(text, **{name: thousands(word) if type(word) is int else word for name, word in words.items()})
    )


RESULTS: dict[type[Event], tuple[str, str]] = {
    orders.OrderFilled: (mark("Filled"), mark("{price} a share")),
    orders.OrderRejected: (mark("Rejected"), mark("{reason} (Rule {rule})")),
    orders.LimitOpened: (mark_as("limit order", "Open"), mark("it waits for this price")),
    orders.LimitTriggered: (mark("Triggered"), mark("the price came to {price}")),
    orders.ShortOpened: (mark("Filled"), mark("{price} a share, with a margin of {margin}")),
    orders.ShortInterestPaid: (mark_as("limit order", "Open"), mark("interest of {amount} was due")),
    orders.ShortCovered: (mark("Covered"), mark("{quantity} bought back at {price}, which freed {margin}")),
    orders.ShortClosed: (mark("Closed"), mark("{why}; it cost {paid} and freed {margin}")),
    orders.CoverDropped: (mark("Not covered"), mark("it cost {cost}, cash and margin were {cash}")),
    orders.ContractBought: (mark("Filled"), mark("for a premium of {premium}")),
}
"""The result of an order and its cause, by event type; other events say nothing about it."""
TONES: Mapping[type[Event], str] = {
    orders.OrderFilled: GOOD,
    orders.OrderRejected: BAD,
    orders.ShortOpened: GOOD,
    orders.ShortCovered: GOOD,
    orders.CoverDropped: BAD,
    orders.ContractBought: GOOD,
}
CASH: Mapping[type[Event], Callable[[Any], int]] = {
    orders.OrderFilled: lambda event: event.quantity * event.price * (1 if event.side == "sell" else -1),
    orders.ShortOpened: lambda event: event.quantity * event.price - event.margin,
    orders.ShortInterestPaid: lambda event: -event.amount,
    orders.ShortCovered: lambda event: event.margin - event.quantity * event.price,
    orders.ShortClosed: lambda event: event.margin - event.paid,
    orders.ContractBought: lambda event: -event.premium,
}
"""What an event moves in the cash of its player. (S 5.4, S 5.6, S 5.7)"""
