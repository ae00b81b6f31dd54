"""The rounds of Sectors in tables: orders from sealed to outcome, every move of a price, production, and votes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from game.boards.rounds import Phases, all_of
from game.boards.sheets import Cell, Column, Sheet, SheetRow
from game.engine.events import Event
from game.engine.phrases import listed, thousands
from game.rulesets.sectors.events import operations, orders

PLACES = {"ipo": "IPO", "market": "open market", "derivatives": "derivatives"}
CHOICES = {"full": "Full dividends", "half": "Half dividends", "retain": "Retain"}


def round_tables(key: str, phases: Phases, names: Sequence[str]) -> tuple[Sheet, ...]:
    """Every table of which something happened in this round."""
    return (
        _orders(phases, names),
        _production(phases),
        _revenue_votes(phases, names),
        _dividends(phases, names),
        _company_votes(phases, names),
        _prices(phases),
    )


def _orders(phases: Phases, names: Sequence[str]) -> Sheet:
    """An order a row: what everybody knew first, what was revealed, and what became of it."""
    placed: dict[int, list[Cell]] = {}
    for phase in phases:
        for event in phase.events:
            number = getattr(event, "order", None)
            if isinstance(number, int):
                row = placed.setdefault(number, [None, None, "", "", ""])
                _note(row, event, names)
    columns = (
        Column("player", "Player"),
        Column("company", "Company"),
        Column("concealed", "First known", "What everybody saw before the orders were revealed"),
        Column("revealed", "Revealed"),
        Column("outcome", "Outcome"),
    )
    rows = tuple(SheetRow(str(number), str(number), tuple(row)) for number, row in sorted(placed.items()))
    return Sheet("orders", "Orders", "Order", columns, rows)


def _note(row: list[Cell], event: Event, names: Sequence[str]) -> None:
    """Enter what one event says of an order."""
    seat, company = getattr(event, "seat", None), getattr(event, "company", None)
    row[0], row[1] = names[seat] if isinstance(seat, int) else row[0], company or row[1]
    match event:
        case orders.OrderSealed():
            row[2] = "company"
        case orders.OrderLocated():
            row[2] = f"company, {PLACES[event.location]}"
        case orders.OrderRevealed():
            row[3] = _revealed(event)
        case _:
            row[4] = "; ".join(filter(None, (str(row[4]), _outcome(event))))


def _revealed(order: orders.OrderRevealed) -> str:
    at = f" at {thousands(order.price)}" if order.price else ""
    return f"{order.kind} {order.side} {order.quantity}{at}, {PLACES[order.location]}".replace("  ", " ")


OUTCOMES: dict[type[Event], str] = {
    orders.OrderFilled: "filled: {quantity} × {price} = {total}",
    orders.OrderRejected: "rejected: {reason} (Rule {rule})",
    orders.LimitOpened: "open: {side} {quantity} at {price}",
    orders.LimitTriggered: "triggered at {price}",
    orders.ShortOpened: "short opened: {quantity} × {price}, margin {margin}",
    orders.ShortInterestPaid: "interest {amount}",
    orders.ShortCovered: "covered {quantity} at {price}",
    orders.ShortClosed: "closed for {paid} ({why})",
    orders.CoverDropped: "could not cover: costs {cost}, had {cash}",
    orders.ContractBought: "bought for {premium}",
}
"""What each event says of an order's outcome; others say nothing of it."""


def _outcome(event: Event) -> str:
    """What became of an order, in a few words."""
    words = msgspec.structs.asdict(event)
    words["total"] = words.get("quantity", 0) * words.get("price", 0)
    told = {name: thousands(word) if type(word) is int else word for name, word in words.items()}
    return OUTCOMES.get(type(event), "").format(**told)


def _prices(phases: Phases) -> Sheet:
    """Every step of every price with its cause, in the order in which they came."""
    moves = [(phase, event) for phase in phases for event in phase.events if isinstance(event, orders.PriceMoved)]
    columns = (
        Column("phase", "Phase"),
        Column("why", "Cause"),
        Column("was", "From"),
        Column("now", "To"),
        Column("change", "Change"),
    )
    rows = tuple(
        SheetRow(
            str(at),
            move.company,
            (f"{phase.number} {phase.title}", move.why, move.was, move.now, move.now - move.was),
        )
        for at, (phase, move) in enumerate(moves)
    )
    return Sheet("prices", "Price changes", "Company", columns, rows)


def _production(phases: Phases) -> Sheet:
    """What each company made, sold, earned and paid for it."""
    costs = {event.company: event for event in all_of(phases, operations.OperatingCostPaid)}
    columns = (
        Column("supply", "Supply"),
        Column("demand", "Demand"),
        Column("sold", "Sold"),
        Column("unit_price", "Unit price"),
        Column("revenue", "Revenue"),
        Column("throughput", "Throughput", "Distance of supply and demand"),
        Column("cost", "Operating cost"),
        Column("treasury", "Treasury left"),
        Column("prestige", "Prestige earned"),
    )
    rows = tuple(
        SheetRow(
            made.company,
            made.company,
            (
                made.supply,
                made.demand,
                made.sold,
                made.unit_price,
                made.revenue,
                made.throughput,
                costs[made.company].amount if made.company in costs else None,
                costs[made.company].treasury if made.company in costs else None,
                made.prestige,
            ),
        )
        for made in all_of(phases, operations.Produced)
    )
    before_votes = next((phase.serial for phase in phases if phase.name == "revenue_vote"), 0)
    return Sheet("production", "Production", "Company", columns, rows, before_votes)


VOTE_COLUMNS = (
    Column("choice", "Choice"),
    Column("shares", "Shares", "The weight of its votes"),
    Column("voters", "Voters", "Each with the shares that counted"),
    Column("chosen", "Chosen"),
)


def _revenue_votes(phases: Phases, names: Sequence[str]) -> Sheet:
    """How shareholders voted on the revenue of each company, a choice a row."""
    rows = [row for event in all_of(phases, operations.RevenueVoted) for row in _revenue_rows(event, names)]
    return Sheet("revenue_votes", "Votes on revenue", "Company", VOTE_COLUMNS, tuple(rows))


def _revenue_rows(event: operations.RevenueVoted, names: Sequence[str]) -> Iterator[SheetRow]:
    voters = {tally.action: _voters(tally, names) for tally in event.tallies}
    for choice, title in CHOICES.items():
        shares: int = getattr(event, choice)
        if shares or choice == event.choice:
            cells = (title, shares, voters.get(choice, ""), choice == event.choice)
            yield SheetRow(f"{event.company}.{choice}", event.company, cells)


def _company_votes(phases: Phases, names: Sequence[str]) -> Sheet:
    """How each company's action was voted on, an action a row."""
    rows = [
        SheetRow(
            f"{event.company}.{tally.action}",
            event.company,
            (tally.title, tally.shares, _voters(tally, names), tally.action in event.selected),
        )
        for event in all_of(phases, operations.CompanyVoted)
        for tally in event.tallies
    ]
    return Sheet("company_votes", "Votes on company actions", "Company", VOTE_COLUMNS, tuple(rows))


def _dividends(phases: Phases, names: Sequence[str]) -> Sheet:
    """Who was paid what on how many shares."""
    columns = (Column("player", "Player"), Column("shares", "Shares"), Column("amount", "Amount"))
    rows = tuple(
        SheetRow(f"{paid.company}.{paid.seat}", paid.company, (names[paid.seat], paid.shares, paid.amount))
        for paid in all_of(phases, operations.DividendPaid)
    )
    return Sheet("dividends", "Dividends", "Company", columns, rows)


def _voters(tally: operations.Tally, names: Sequence[str]) -> str:
    """Who voted so, each with the shares that counted."""
    if not tally.weights:
        return listed([names[seat] for seat in tally.voters]) if tally.voters else ""
    return listed([f"{names[seat]} {shares}" for seat, shares in zip(tally.voters, tally.weights, strict=True)])
