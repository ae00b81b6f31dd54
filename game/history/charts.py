"""Data of the charts page: prices, scores, cash by source and ownership, turn by turn."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from game.boards.base import Board
from game.boards.drawing import shown_to
from game.boards.sheets import Column, Sheet, SheetRow
from game.engine.flow import Flow
from game.engine.language import say
from game.engine.ledger import cash_of
from game.engine.phrases import capitalised
from game.engine.ruleset import Ruleset
from game.history.ledger import Movement
from game.history.viewer import Viewer
from game.store.board_rows import labels_of, places_of


class Series(NamedTuple):
    """A line: its label, its CSS classes, and a value for each label of the chart, None where it has none. `name`
    replaces a short label in text; a value that `is_level`, as a price is, stays until it changes; `seat` is a player's
    line."""

    label: str
    css: str
    values: Sequence[int | None]
    name: str = ""
    is_level: bool = True
    seat: int | None = None


class CashFlow(NamedTuple):
    """Money from one source, turn by turn; positive amounts came in."""

    source: str
    amounts: Sequence[int]

    @property
    def total(self) -> int:
        return sum(self.amounts)


def moments_of(course: Sequence[Mapping[str, Any]], rules: Ruleset, flow: Flow) -> list[str]:
    """The points of the course within a sentence: `year 3`, and within that year `year 3, Trading`."""
    titles = {row.phase.name: row.phase.title for row in flow.rows}
    return [_moment(point, rules, titles) for point in course]


def _moment(point: Mapping[str, Any], rules: Ruleset, titles: Mapping[str, str]) -> str:
    turn = rules.turn_inside(point["turn"]) if point["turn"] else say("the start")
    return say("{turn}, {phase}", turn=turn, phase=say(titles[point["phase"]])) if "phase" in point else turn


def price_series(
    board: Board, course: Sequence[Mapping[str, Any]], held_companies: frozenset[str], names: Mapping[str, str]
) -> list[Series]:
    """The prices of every company that ever had one; `held_companies` are those whose shares the reader holds, `names`
    are the companies' in full."""
    lines = []
    for company, place in places_of(course).items():
        css, name = board.line(company, place)
        mine = " mine" if company in held_companies else ""
        prices = [point["prices"].get(company) for point in course]
        lines.append(Series(name, f"{css}{mine}", prices, names.get(company, "")))
    return lines


def worth_series(viewer: Viewer, course: Sequence[Mapping[str, Any]]) -> list[Series]:
    return [
        Series(
            shown_to(place),
            f"{place.css} d{place.number % 5 + 1}{' mine' if place.is_you else ''}",
            [point["worth"][place.number] for point in course],
            seat=place.number,
        )
        for place in viewer.seats
    ]


def flows_of(movements: Iterable[Movement], seat: int, turns: Sequence[int]) -> list[CashFlow]:
    """A player's cash by reason and turn, the largest reason first. A turn without a stop is not among `turns`; its
    money counts in the next one."""
    account = cash_of(seat)
    amounts_by_reason: dict[str, list[int]] = {}
    for _, transfer in movements:
        sign = (transfer.payee == account) - (transfer.payer == account)
        if sign and turns:
            index = min(bisect_left(turns, transfer.turn), len(turns) - 1)
            amounts_by_reason.setdefault(transfer.why, [0] * len(turns))[index] += sign * transfer.amount
    flows = [CashFlow(source, amounts) for source, amounts in amounts_by_reason.items()]
    return sorted(flows, key=lambda flow: (-sum(map(abs, flow.amounts)), flow.source))


def ownership_of(course: Sequence[Mapping[str, Any]], company: str) -> list[list[int]]:
    """The shares of one company by moment and seat; empty for moments without a record."""
    return [list(point.get("held", {}).get(company, ())) for point in course]


def names_of(viewer: Viewer) -> dict[str, str]:
    """The full names of the companies that everybody sees, by key."""
    return {row.key: row.name for row in viewer.board.rows(viewer.view).companies}


def course_sheets(viewer: Viewer) -> tuple[Sheet, Sheet]:
    """Prices and scores, turn by turn. Rows of players have their names, for every reader the same."""
    course, turn = viewer.game.course, viewer.board.rules.turn_title
    worths = zip(worth_series(viewer, course), viewer.names, strict=True)
    lines = [line._replace(label=name) for line, name in worths]
    labels, prices = labels_of(course), price_series(viewer.board, course, frozenset(), names_of(viewer))
    return (
        series_sheet("prices", say(viewer.board.prices.title), labels, prices, turn),
        series_sheet("worth", say(viewer.board.score), labels, lines, turn),
    )


def series_sheet(key: str, title: str, labels: Sequence[str], lines: Sequence[Series], turn: str) -> Sheet:
    """A chart's figures as a table with one row for each line; `turn` is the game's word for a turn."""
    columns = tuple(Column(f"turn_{index}", label) for index, label in enumerate(labels))
    rows = tuple(SheetRow(line.label, line.name or line.label, tuple(line.values), line.seat) for line in lines)
    return Sheet(key, title, turn, columns, rows)


def flows_sheet(labels: Sequence[str], flows: Sequence[CashFlow], turn: str) -> Sheet:
    """Cash by source as a table, with totals by source and by turn."""
    columns = (*(Column(f"turn_{index}", label) for index, label in enumerate(labels)), Column("total", say("Total")))
    rows = [SheetRow(flow.source, capitalised(say(flow.source)), (*flow.amounts, flow.total)) for flow in flows]
    sums = [sum(flow.amounts[index] for flow in flows) for index in range(len(labels))]
    return Sheet(
        "cash",
        say("Cash by source"),
        turn,
        columns,
        (*rows, SheetRow("sum", say("Total"), (*sums, sum(sums)))),
    )


def ownership_sheet(
    labels: Sequence[str], names: Sequence[str], shares_by_moment: Sequence[Sequence[int]], turn: str
) -> Sheet:
    """Shares by player and turn."""
    columns = tuple(Column(f"turn_{index}", label) for index, label in enumerate(labels))
    rows = tuple(
        SheetRow(name, name, tuple(moment[seat] if seat < len(moment) else 0 for moment in shares_by_moment), seat)
        for seat, name in enumerate(names)
    )
    return Sheet("ownership", say("Ownership"), turn, columns, rows)
