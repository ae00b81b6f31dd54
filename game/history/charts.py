"""What the page of charts draws: prices, scores, cash by source and ownership, turn by turn."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from game.boards.rows import OrderRow
from game.boards.sheets import Column, Sheet, SheetRow
from game.engine.language import say, say_as
from game.engine.ledger import cash_of
from game.engine.phrases import capitalised, thousands
from game.history.ledger import Movement
from game.history.viewer import Sight

LIVE = frozenset({"pending", "open", "filled_pending_settlement"})
"""What an order is called while it can still be filled."""


class Series(NamedTuple):
    """A line: its label, its classes, and a value for each label of the chart; None where it has none."""

    label: str
    css: str
    values: Sequence[int | None]


class Ghost(NamedTuple):
    """An order of the reader's own on the price chart: the company, the price, and the order in words."""

    label: str
    price: int
    said: str


class Flow(NamedTuple):
    """Money of one kind, turn by turn: above zero it came in."""

    source: str
    amounts: Sequence[int]

    @property
    def total(self) -> int:
        """All turns together."""
        return sum(self.amounts)


def labels_of(course: Sequence[Mapping[str, Any]]) -> list[str]:
    """The turns of the course; the first moment is the start."""
    return [str(point["turn"]) if point["turn"] else say_as("moment", "Start") for point in course]


def price_series(course: Sequence[Mapping[str, Any]], mine: frozenset[str]) -> list[Series]:
    """The prices of every company that was ever priced; `mine` are those whose shares the reader holds."""
    companies = dict.fromkeys(company for point in course for company in point["prices"])
    return [
        Series(
            company,
            f"{'c-mine mine' if company in mine else 'c-ink'} d{at % 5 + 1}",
            [point["prices"].get(company) for point in course],
        )
        for at, company in enumerate(companies)
    ]


def worth_series(sight: Sight, course: Sequence[Mapping[str, Any]]) -> list[Series]:
    """Every player's score."""
    return [
        Series(
            place.name,
            f"{place.css} d{place.number % 5 + 1}{' mine' if place.is_you else ''}",
            [point["worth"][place.number] for point in course],
        )
        for place in sight.seats
    ]


def ghosts_of(sight: Sight, requests: Iterable[Mapping[str, Any]], prices: Mapping[str, int]) -> list[Ghost]:
    """What the reader has ordered and would order: open orders, what is submitted and what is saved as a draft."""
    own = [order for order in sight.board.rows(sight.view).orders if order.seat == sight.seat and order.status in LIVE]
    ordered = [_ghost_of_order(order, prices) for order in own]
    asked = [
        Ghost(say("Your {company}", company=request["company"]), request.get("price") or prices[request["company"]],
              capitalised(sight.board.sentence(request, sight.view)))
        for request in requests
        if request.get("company") in prices and isinstance(request.get("price", 0), int)
    ]  # fmt: skip
    return list(dict.fromkeys([*ordered, *asked]))


def _ghost_of_order(order: OrderRow, prices: Mapping[str, int]) -> Ghost:
    price = order.price or prices.get(order.company, 0)
    side = say_as("side of an order", order.side) if order.side else ""
    asked = " ".join(str(part) for part in (side, order.quantity, order.company) if part)
    said = say("Your order: {order} at {price}", order=asked, price=thousands(price))
    return Ghost(say("Your {company}", company=order.company), price, said)


def flows_of(movements: Iterable[Movement], seat: int, turns: Sequence[int]) -> list[Flow]:
    """Where a player's cash came from and went, by the reason the rules give; the largest first. A turn that passed
    without a stop is not among `turns`: its money counts in the next one."""
    account = cash_of(seat)
    found: dict[str, list[int]] = {}
    for _, transfer in movements:
        sign = (transfer.payee == account) - (transfer.payer == account)
        if sign and turns:
            at = min(bisect_left(turns, transfer.turn), len(turns) - 1)
            found.setdefault(transfer.why, [0] * len(turns))[at] += sign * transfer.amount
    flows = [Flow(source, amounts) for source, amounts in found.items()]
    return sorted(flows, key=lambda flow: (-sum(map(abs, flow.amounts)), flow.source))


def ownership_of(course: Sequence[Mapping[str, Any]], company: str) -> list[list[int]]:
    """The shares of one company in each hand, by moment and seat; nothing for moments of which it is not known."""
    return [list(point.get("held", {}).get(company, ())) for point in course]


def series_sheet(key: str, title: str, labels: Sequence[str], lines: Sequence[Series]) -> Sheet:
    """The same figures as a table, a line a row."""
    columns = tuple(Column(f"turn_{at}", label) for at, label in enumerate(labels))
    rows = tuple(SheetRow(line.label, line.label, tuple(line.values)) for line in lines)
    return Sheet(key, title, say("Turn"), columns, rows)


def flows_sheet(labels: Sequence[str], flows: Sequence[Flow]) -> Sheet:
    """Cash by source as a table, with the totals of each source and turn."""
    columns = (*(Column(f"turn_{at}", label) for at, label in enumerate(labels)), Column("total", say("Total")))
    rows = [SheetRow(flow.source, capitalised(say(flow.source)), (*flow.amounts, flow.total)) for flow in flows]
    sums = [sum(flow.amounts[at] for flow in flows) for at in range(len(labels))]
    return Sheet(
        "cash",
        say("Cash by source"),
        say("Turn"),
        columns,
        (*rows, SheetRow("sum", say("Sum"), (*sums, sum(sums)))),
    )


def ownership_sheet(labels: Sequence[str], names: Sequence[str], held: Sequence[Sequence[int]]) -> Sheet:
    """Shares by player and turn."""
    columns = tuple(Column(f"turn_{at}", label) for at, label in enumerate(labels))
    rows = tuple(
        SheetRow(name, name, tuple(moment[seat] if seat < len(moment) else 0 for moment in held))
        for seat, name in enumerate(names)
    )
    return Sheet("ownership", say("Ownership"), say("Turn"), columns, rows)
