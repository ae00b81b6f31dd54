"""Data of the charts page: prices, scores, cash by source and ownership, turn by turn."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from game.boards.base import Board
from game.boards.sheets import Column, Sheet, SheetRow
from game.engine.language import say, say_as
from game.engine.ledger import cash_of
from game.engine.phrases import capitalised
from game.engine.ruleset import Ruleset
from game.history.ledger import Movement
from game.history.viewer import Viewer
from game.store.board_rows import places_of


class Series(NamedTuple):
    """A line: its label, its CSS classes, and a value for each label of the chart, None where it has none."""

    label: str
    css: str
    values: Sequence[int | None]


class Flow(NamedTuple):
    """Money from one source, turn by turn; positive amounts came in."""

    source: str
    amounts: Sequence[int]

    @property
    def total(self) -> int:
        return sum(self.amounts)


def labels_of(course: Sequence[Mapping[str, Any]]) -> list[str]:
    """The turns of the course; the first point is the start."""
    return [str(point["turn"]) if point["turn"] else say_as("moment", "Start") for point in course]


def moments_of(course: Sequence[Mapping[str, Any]], rules: Ruleset) -> list[str]:
    """The same within a sentence: `year 3`."""
    return [rules.turn_inside(point["turn"]) if point["turn"] else say("the start") for point in course]


def price_series(board: Board, course: Sequence[Mapping[str, Any]], held_companies: frozenset[str]) -> list[Series]:
    """The prices of every company that ever had one; `held_companies` are those whose shares the reader holds."""
    lines = []
    for company, place in places_of(course).items():
        css, name = board.line(company, place)
        mine = " mine" if company in held_companies else ""
        lines.append(Series(name, f"{css}{mine}", [point["prices"].get(company) for point in course]))
    return lines


def worth_series(viewer: Viewer, course: Sequence[Mapping[str, Any]]) -> list[Series]:
    return [
        Series(
            place.name,
            f"{place.css} d{place.number % 5 + 1}{' mine' if place.is_you else ''}",
            [point["worth"][place.number] for point in course],
        )
        for place in viewer.seats
    ]


def flows_of(movements: Iterable[Movement], seat: int, turns: Sequence[int]) -> list[Flow]:
    """A player's cash by reason and turn, the largest reason first. A turn without a stop is not among `turns`; its
    money counts in the next one."""
    account = cash_of(seat)
    amounts_by_reason: dict[str, list[int]] = {}
    for _, transfer in movements:
        sign = (transfer.payee == account) - (transfer.payer == account)
        if sign and turns:
            index = min(bisect_left(turns, transfer.turn), len(turns) - 1)
            amounts_by_reason.setdefault(transfer.why, [0] * len(turns))[index] += sign * transfer.amount
    flows = [Flow(source, amounts) for source, amounts in amounts_by_reason.items()]
    return sorted(flows, key=lambda flow: (-sum(map(abs, flow.amounts)), flow.source))


def ownership_of(course: Sequence[Mapping[str, Any]], company: str) -> list[list[int]]:
    """The shares of one company by moment and seat; empty for moments without a record."""
    return [list(point.get("held", {}).get(company, ())) for point in course]


def series_sheet(key: str, title: str, labels: Sequence[str], lines: Sequence[Series], turn: str) -> Sheet:
    """The same figures as a table, one row a line; `turn` is what the game calls a turn."""
    columns = tuple(Column(f"turn_{index}", label) for index, label in enumerate(labels))
    rows = tuple(SheetRow(line.label, line.label, tuple(line.values)) for line in lines)
    return Sheet(key, title, turn, columns, rows)


def flows_sheet(labels: Sequence[str], flows: Sequence[Flow], turn: str) -> Sheet:
    """Cash by source as a table, with totals by source and by turn."""
    columns = (*(Column(f"turn_{index}", label) for index, label in enumerate(labels)), Column("total", say("Total")))
    rows = [SheetRow(flow.source, capitalised(say(flow.source)), (*flow.amounts, flow.total)) for flow in flows]
    sums = [sum(flow.amounts[index] for flow in flows) for index in range(len(labels))]
    return Sheet(
        "cash",
        say("Cash by source"),
        turn,
        columns,
        (*rows, SheetRow("sum", say("Sum"), (*sums, sum(sums)))),
    )


def ownership_sheet(
    labels: Sequence[str], names: Sequence[str], shares_by_moment: Sequence[Sequence[int]], turn: str
) -> Sheet:
    """Shares by player and turn."""
    columns = tuple(Column(f"turn_{index}", label) for index, label in enumerate(labels))
    rows = tuple(
        SheetRow(name, name, tuple(moment[seat] if seat < len(moment) else 0 for moment in shares_by_moment))
        for seat, name in enumerate(names)
    )
    return Sheet("ownership", say("Ownership"), turn, columns, rows)
