"""The rounds of Sectors in tables: orders from sealed to outcome, every price move, production, and votes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from game.boards.outcomes import BAD, GOOD, NEUTRAL
from game.boards.reports import Phases, all_of
from game.boards.sheets import Cell, Column, Sheet, SheetRow
from game.engine.events import Event
from game.engine.language import apart, mark, say, say_as
from game.engine.phrases import listed, thousands
from game.rulesets.sectors import causes
from game.rulesets.sectors.events import operations, orders

ASKING = "stock_orders"
UNTIL_REVEALED = {ASKING, "order_review", "order_reveal"}
PLACES = {"ipo": mark("IPO"), "market": mark("open market"), "derivatives": mark("derivatives")}
CHOICES = {"full": mark("Full dividends"), "half": mark("Half dividends"), "retain": mark("Retain")}
REVEALED = {
    ("market", "buy"): mark("market buy {quantity}, {place}"),
    ("market", "sell"): mark("market sell {quantity}, {place}"),
    ("limit", "buy"): mark("limit buy {quantity} at {price}, {place}"),
    ("limit", "sell"): mark("limit sell {quantity} at {price}, {place}"),
    ("short", "sell"): mark("short sell {quantity}, {place}"),
    ("option", "buy"): mark("option buy {quantity}, {place}"),
}
"""The text of an order by its kind and side."""
WITH_BID = {
    "market": mark("market buy {quantity} at {price}, {place}"),
    "option": mark("option buy {quantity} at {price}, {place}"),
}
"""The text of an order that bids more than the asking price, by its kind."""


def round_tables(key: str, phases: Phases, names: Sequence[str]) -> tuple[Sheet, ...]:
    """Every table that is not empty in this round."""
    return (
        _orders(phases, names),
        _production(phases),
        _revenue_votes(phases, names),
        _dividends(phases, names),
        _company_votes(phases, names),
        _prices(phases),
    )


class OrderLine(msgspec.Struct):
    """What is known of an order: its sub-round, seat, cells, and whether its outcome is good or bad."""

    sub_round: int
    seat: int | None = None
    cells: list[Cell] = []
    tone: str = NEUTRAL


def _orders(phases: Phases, names: Sequence[str]) -> Sheet:
    """One row per order, in the order of the stock round: who, what everybody knew first, what was
    revealed, the outcome and what it moved in the player's cash; after each sub-round who passed."""
    lines: dict[int, OrderLine] = {}
    sub_round = 0
    for phase in phases:
        sub_round += phase.name == ASKING
        for event in phase.events:
            number = getattr(event, "order", None)
            if isinstance(number, int):
                line = lines.setdefault(number, OrderLine(sub_round, cells=[None, "", "", "", None]))
                seat = getattr(event, "seat", None)
                line.seat = seat if isinstance(seat, int) else line.seat
                _note(line.cells, event)
                line.tone = TONES.get(type(event), line.tone)
    columns = (
        Column("company", say("Company")),
        Column("concealed", say("Known first"), say("What everybody saw before the orders were revealed")),
        Column("revealed", say("Revealed")),
        Column("outcome", say("Outcome")),
        Column("cash", say("Cash"), say("How the order changed the player’s cash"), is_change=True),
    )
    placed = [(line.sub_round, _order_row(str(number), line, names)) for number, line in sorted(lines.items())]
    rows = sorted([*placed, *_passes(phases, names)], key=lambda each: each[0])
    return Sheet("orders", say("Orders"), say("Player"), columns, tuple(row for _, row in rows))


def _order_row(key: str, line: OrderLine, names: Sequence[str]) -> SheetRow:
    name = "" if line.seat is None else names[line.seat]
    return SheetRow(key, name, tuple(line.cells), seat=line.seat, tone=line.tone)


def _passes(phases: Phases, names: Sequence[str]) -> Iterator[tuple[int, SheetRow]]:
    """Sub-rounds whose orders have been revealed, with the players who gave none."""
    starts = [at for at, phase in enumerate(phases) if phase.name == ASKING]
    for sub_round, (first, last) in enumerate(pairwise([*starts, len(phases)]), 1):
        if last == len(phases) and all(phase.name in UNTIL_REVEALED for phase in phases[first:last]):
            return
        seats = {event.seat for event in all_of(phases[first:last], orders.OrderRevealed)}
        for seat, name in enumerate(names):
            if seat not in seats:
                cells = (None, "", say("passed in sub-round {n}", n=sub_round), "", None)
                yield sub_round, SheetRow(f"pass.{sub_round}.{seat}", name, cells, seat=seat, tone=NEUTRAL)


def _note(row: list[Cell], event: Event) -> None:
    """Update an order by one event."""
    row[0] = getattr(event, "company", None) or row[0]
    match event:
        case orders.OrderSealed():
            row[1] = say("company")
        case orders.OrderLocated():
            row[1] = say("company, {place}", place=say(PLACES[event.location]))
        case orders.OrderRevealed():
            row[2] = _revealed(event)
        case _:
            row[3] = "; ".join(filter(None, (str(row[3]), _outcome(event))))
            if type(event) in CASH:
                row[4] = int(row[4] or 0) + CASH[type(event)](event)


def _revealed(order: orders.OrderRevealed) -> str:
    text = WITH_BID.get(order.kind) if order.price else None
    facts = {
        "quantity": thousands(order.quantity),
        "price": thousands(order.price),
        "place": say(PLACES[order.location]),
    }
    return say(text or REVEALED[order.kind, order.side], **facts)


OUTCOMES: dict[type[Event], str] = {
    orders.OrderFilled: mark("filled: {quantity} × {price} = {total}"),
    orders.OrderRejected: mark("rejected: {reason} (Rule {rule})"),
    orders.LimitTriggered: mark("triggered at {price}"),
    orders.ShortOpened: mark("short opened: {quantity} × {price}, margin {margin}"),
    orders.ShortInterestPaid: mark("interest {amount}"),
    orders.ShortCovered: mark("covered {quantity} at {price}"),
    orders.ShortClosed: mark("closed for {paid} ({why})"),
    orders.CoverDropped: mark("could not cover: costs {cost}, had {cash}"),
    orders.ContractBought: mark("bought for {premium}"),
}
"""The outcome of an order by event type; other events say nothing about it."""
TONES: dict[type[Event], str] = {
    orders.OrderFilled: GOOD,
    orders.OrderRejected: BAD,
    orders.ShortOpened: GOOD,
    orders.ShortCovered: GOOD,
    orders.CoverDropped: BAD,
    orders.ContractBought: GOOD,
}
CASH: dict[type[Event], Callable[[Any], int]] = {
    orders.OrderFilled: lambda event: event.quantity * event.price * (1 if event.side == "sell" else -1),
    orders.ShortOpened: lambda event: event.quantity * event.price - event.margin,
    orders.ShortInterestPaid: lambda event: -event.amount,
    orders.ShortCovered: lambda event: event.margin - event.quantity * event.price,
    orders.ShortClosed: lambda event: event.margin - event.paid,
    orders.ContractBought: lambda event: -event.premium,
}
"""What an event moves in the cash of its player. (S 5.4, S 5.6, S 5.7)"""
LIMITS = {"buy": mark("open: buy {quantity} at {price}"), "sell": mark("open: sell {quantity} at {price}")}
"""The text of an open limit order by its side."""


def _outcome(event: Event) -> str:
    """The outcome of an order in a few words."""
    text = LIMITS[event.side] if isinstance(event, orders.LimitOpened) else OUTCOMES.get(type(event))
    if text is None:
        return ""
    words = msgspec.structs.asdict(event)
    words["total"] = words.get("quantity", 0) * words.get("price", 0)
    words |= {name: causes.cause_words(words[name]) for name in ("why", "reason") if name in words}
    return say(text, **{name: thousands(word) if type(word) is int else word for name, word in words.items()})


def _prices(phases: Phases) -> Sheet:
    """Every step of every price with its cause, in order."""
    moves = [(phase, event) for phase in phases for event in phase.events if isinstance(event, orders.PriceMoved)]
    columns = (
        Column("phase", say("Phase")),
        Column("why", say("Cause")),
        Column("was", say_as("price", "From")),
        Column("now", say_as("price", "To")),
        Column("change", say("Change"), is_change=True),
    )
    rows = tuple(
        SheetRow(
            str(at),
            move.company,
            (
                f"{phase.number} {say(phase.title)}",
                causes.cause_words(move.why),
                move.was,
                move.now,
                move.now - move.was,
            ),
        )
        for at, (phase, move) in enumerate(moves)
    )
    return Sheet("prices", say("Price changes"), say("Company"), columns, rows)


def _production(phases: Phases) -> Sheet:
    """What each company made and sold, what it earned, and what it paid."""
    costs = {event.company: event for event in all_of(phases, operations.OperatingCostPaid)}
    columns = (
        Column("supply", say("Supply")),
        Column("demand", say("Demand")),
        Column("sold", say("Sold")),
        Column("unit_price", say("Unit price")),
        Column("revenue", say("Revenue")),
        Column("throughput", say("Throughput"), say("Gap between supply and demand")),
        Column("cost", say("Operating cost")),
        Column("treasury", say("Treasury left")),
        Column("prestige", say("Prestige earned")),
    )
    rows = tuple(
        SheetRow(
            production.company,
            production.company,
            (
                production.supply,
                production.demand,
                production.sold,
                production.unit_price,
                production.revenue,
                production.throughput,
                costs[production.company].amount if production.company in costs else None,
                costs[production.company].treasury if production.company in costs else None,
                production.prestige,
            ),
        )
        for production in all_of(phases, operations.Produced)
    )
    before_votes = next((phase.serial for phase in phases if phase.name == "revenue_vote"), 0)
    return Sheet("production", say("Production"), say("Company"), columns, rows, before_votes)


def _vote_columns() -> tuple[Column, ...]:
    return (
        Column("choice", say("Choice")),
        Column("shares", say("Shares"), say("One vote for each share")),
        Column("voters", say("Voters"), say("Each with the shares that counted")),
        Column("chosen", say("Chosen")),
    )


def _revenue_votes(phases: Phases, names: Sequence[str]) -> Sheet:
    """How shareholders voted on each company's revenue, one row per choice."""
    rows = [row for event in all_of(phases, operations.RevenueVoted) for row in _revenue_rows(event, names)]
    return Sheet("revenue_votes", say("Votes on revenue"), say("Company"), _vote_columns(), tuple(rows))


def _revenue_rows(event: operations.RevenueVoted, names: Sequence[str]) -> Iterator[SheetRow]:
    voters = {tally.action: _voters(tally, names) for tally in event.tallies}
    for choice, title in CHOICES.items():
        shares: int = getattr(event, choice)
        if shares or choice == event.choice:
            cells = (say(title), shares, voters.get(choice, ""), choice == event.choice)
            yield SheetRow(f"{event.company}.{choice}", event.company, cells)


def _company_votes(phases: Phases, names: Sequence[str]) -> Sheet:
    """The votes on each company's action, one row per action."""
    rows = [
        SheetRow(
            f"{event.company}.{tally.action}",
            event.company,
            (say(tally.title), tally.shares, _voters(tally, names), tally.action in event.selected),
        )
        for event in all_of(phases, operations.CompanyVoted)
        for tally in event.tallies
    ]
    return Sheet("company_votes", say("Votes on company actions"), say("Company"), _vote_columns(), tuple(rows))


def _dividends(phases: Phases, names: Sequence[str]) -> Sheet:
    """Payments to each player, by shares."""
    columns = (Column("player", say("Player")), Column("shares", say("Shares")), Column("amount", say("Amount")))
    rows = tuple(
        SheetRow(f"{paid.company}.{paid.seat}", paid.company, (names[paid.seat], paid.shares, paid.amount))
        for paid in all_of(phases, operations.DividendPaid)
    )
    return Sheet("dividends", say("Dividends"), say("Company"), columns, rows)


def _voters(tally: operations.Tally, names: Sequence[str]) -> str:
    """The voters of one choice, each with their counted shares."""
    if not tally.weights:
        return listed([names[seat] for seat in tally.voters]) if tally.voters else ""
    return listed([f"{apart(names[seat])} {shares}" for seat, shares in zip(tally.voters, tally.weights, strict=True)])
