"""The spreadsheet of a game: everything the reader may know, in sortable tables and as CSV and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from game.boards.sheets import Cell, Column, Group, Sheet, SheetRow
from game.engine.language import ENGLISH, say, speaking
from game.engine.phrases import either
from game.history import charts
from game.history.explanations import figures_of
from game.history.game_log import tell
from game.history.ledger import account_name, may_read_books, movements_of
from game.history.past import course_of, whole_log
from game.history.viewer import Viewer, viewer_of
from game.history.views import Unreadable, find_played, missing_page
from game.play.panel import private

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""Characters with which a spreadsheet program starts a formula."""
LEDGER, LOG = "ledger", "log"


class Export(NamedTuple):
    """A table to download: a key for each column, and rows with one cell per column."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]


@require_safe
def download(request: HttpRequest, game_id: int, what: str, form: str) -> HttpResponse:
    """One table; 404 if it does not exist or the reader may not have it yet."""
    game = find_played(request, game_id)
    write = FORMS.get(form)
    if write is None:
        raise Http404(say("A table is exported as {forms}, not as {form}.", forms=either(FORMS), form=form))
    viewer = viewer_of(game, request.user)
    response = write(viewer, what, _export_of(viewer, what))
    name = slugify(game.name) or f"game-{game.pk}"
    response["Content-Disposition"] = f'attachment; filename="{name}-{what}.{form}"'
    return private(response)


def _export_of(viewer: Viewer, what: str) -> Export:
    if what == LOG:
        return _log_export(viewer)
    if what == LEDGER:
        return _ledger_export(viewer)
    with speaking(ENGLISH):  # programs read the keys of these tables
        sheet = next((sheet for sheet in viewer.sheets(viewer.names) if sheet.key == what), None)
    if sheet is None:
        raise Http404(say("This game has no table {what}.", what=what))
    columns = (sheet.subject.lower(), *(column.key for column in sheet.columns))
    return Export(columns, [(row.name, *row.cells) for row in sheet.rows])


def _ledger_export(viewer: Viewer) -> Export:
    if not may_read_books(viewer.game):
        raise Http404(say("The ledger of this game can be read when the game is over."))
    with speaking(ENGLISH):  # like the tables: account names do not depend on the reader's language
        rows = [
            (
                movement.at.astimezone(UTC).isoformat(timespec="seconds"),
                movement.transfer.turn,
                movement.transfer.serial,
                account_name(movement.transfer.payer, viewer.names),
                account_name(movement.transfer.payee, viewer.names),
                movement.transfer.amount,
                movement.transfer.why,
            )
            for movement in movements_of(viewer.game, course_of(viewer.game))
        ]
    return Export(("at", "turn", "phase_serial", "from", "to", "amount", "reason"), rows)


def _log_export(viewer: Viewer) -> Export:
    """Every sentence that the reader may see, oldest first."""
    game, names = viewer.game, viewer.names
    entries = whole_log(game, course_of(game))
    chapters = tell(
        entries,
        flow=game.rules.flow(game.read_options()),
        names=names,
        seat=viewer.seat,
        revealed=viewer.is_over,
    )
    rows = [
        (chapter.at.astimezone(UTC).isoformat(timespec="seconds"), chapter.turn, chapter.title, line.topic, line.text,
         line.figure)
        for chapter in reversed(chapters) for line in chapter.entries
    ]  # fmt: skip
    return Export(("at", "turn", "phase", "topic", "text", "figure"), rows)


def _csv_response(viewer: Viewer, what: str, export: Export) -> HttpResponse:
    buffer = io.StringIO("\ufeff", newline="")  # without this mark Excel assumes a local encoding
    buffer.seek(0, io.SEEK_END)
    writer = csv.writer(buffer)
    writer.writerow(export.columns)
    writer.writerows([harmless(cell) for cell in row] for row in export.rows)
    return HttpResponse(buffer.getvalue(), content_type="text/csv; charset=utf-8")


def harmless(cell: Cell) -> Any:
    """A cell that no spreadsheet program runs: text that looks like a formula gets a leading apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell


def _json_response(viewer: Viewer, what: str, export: Export) -> HttpResponse:
    game = viewer.game
    header = {"game": game.pk, "name": game.name, "ruleset": game.ruleset, "turn": viewer.view.turn, "table": what}
    rows = [dict(zip(export.columns, row, strict=True)) for row in export.rows]
    return JsonResponse({**header, "is_over": viewer.is_over, "columns": list(export.columns), "rows": rows})


FORMS: dict[str, Callable[[Viewer, str, Export], HttpResponse]] = {"csv": _csv_response, "json": _json_response}


NAME = "name_of_row"  # the first column in `?sort=`
MAX_QUOTED_LENGTH = 80


class UnknownColumn(Unreadable):
    """The requested sort column does not exist; the text is for the reader."""


class Head(NamedTuple):
    """A column's head: the link that sorts by it, its current order, and whether the column contains words."""

    column: Column
    link: str
    order: str
    is_words: bool


class Band(NamedTuple):
    """A heading over adjacent columns."""

    title: str
    width: int


class SortedTable(NamedTuple):
    """A table with its heads and its rows in the requested order, as `place` on the page; `groups` have a note each and
    are named in the order of the rows where these are not sorted. A table `is_more` if it continues another."""

    place: str
    sheet: Sheet
    heads: list[Head]
    rows: list[SheetRow]
    bands: list[Band]
    groups: Mapping[str, Group]
    is_more: bool

    @property
    def is_sorted(self) -> bool:
        return any(head.order for head in self.heads)


@require_safe
def spreadsheet(request: HttpRequest, game_id: int) -> HttpResponse:
    """All tables; `sort` names a column, as `companies.price`, with a leading minus for descending order."""
    game = find_played(request, game_id)
    viewer = viewer_of(game, request.user)
    try:
        tables = _sorted_tables(viewer.sheets(viewer.shown_names), request.GET.get("sort", ""))
    except UnknownColumn as error:
        return missing_page(request, game, error, back="game_spreadsheet")
    context = viewer.context("spreadsheet") | {
        "tables": [table for table in tables if not table.is_more],
        "further_tables": [table for table in tables if table.is_more],
        "courses": _courses(viewer),
        "has_books": may_read_books(game),
        "is_over": viewer.is_over,
        "explained": figures_of(game),
    }
    return private(render(request, "history/spreadsheet.html", context))


def _sorted_tables(sheets: Iterable[Sheet], sort: str) -> list[SortedTable]:
    filled_sheets = [sheet for sheet in sheets if sheet.rows]
    key, _, column = sort.removeprefix("-").partition(".")
    names = {sheet.key: [NAME, *(each.key for each in sheet.columns)] for sheet in filled_sheets}
    if sort and column not in names.get(key, ()):
        raise UnknownColumn(say("No table here has a column “{name}” to sort by.", name=sort[:MAX_QUOTED_LENGTH]))
    is_descending = sort.startswith("-")
    tables = (_sort_table(sheet, column if sheet.key == key else "", is_down=is_descending) for sheet in filled_sheets)
    return [part for table in tables for part in (_part(table, is_more=False), _part(table, is_more=True)) if part]


def _part(table: SortedTable, *, is_more: bool) -> SortedTable | None:
    """The table with its first columns, or with the further ones below; None if it has none of them."""
    sheet = table.sheet
    twice = "" if is_more or not all(row.title for row in sheet.rows) else "name"  # the usual word for the rows
    places = [at for at, column in enumerate(sheet.columns) if column.is_further == is_more and column.key != twice]
    if not places:
        return None
    rows = [msgspec.structs.replace(row, cells=tuple(_said(row, sheet, at) for at in places)) for row in table.rows]
    columns = tuple(sheet.columns[at] for at in places)
    totals = tuple(sheet.totals[at] for at in places) if sheet.totals and not is_more else ()
    return SortedTable(
        f"{sheet.key}-more" if is_more else sheet.key,
        msgspec.structs.replace(sheet, columns=columns, rows=tuple(rows), totals=totals),
        [table.heads[0], *(table.heads[at + 1] for at in places)],
        rows,
        [Band(title, len(list(band))) for title, band in groupby(columns, lambda column: column.group)],
        {} if is_more else table.groups,
        is_more,
    )


def _said(row: SheetRow, sheet: Sheet, at: int) -> Cell:
    """A cell, in words where it holds a key."""
    cell = row.cells[at]
    return sheet.columns[at].words.get(cell, cell) if isinstance(cell, str) else cell


def _courses(viewer: Viewer) -> list[Sheet]:
    """Prices, where there are any, and scores, turn by turn."""
    prices, worth = charts.course_sheets(viewer)
    return [prices, worth] if prices.rows else [worth]


def _sort_table(sheet: Sheet, sorted_by: str, *, is_down: bool) -> SortedTable:
    columns = (Column(NAME, sheet.subject), *sheet.columns)
    words = (True, *sheet.words)
    heads = [
        _head(sheet, column, sorted_by, is_down=is_down, is_words=each)
        for column, each in zip(columns, words, strict=True)
    ]
    rows = list(sheet.rows)
    if sorted_by:
        index = [column.key for column in columns].index(sorted_by)
        rows.sort(key=lambda row: order_of((row.name, *row.cells)[index]), reverse=is_down)
    groups = {} if sorted_by else {group.key: group for group in sheet.groups}
    return SortedTable(sheet.key, sheet, heads, rows, [], groups, False)


def _head(sheet: Sheet, column: Column, sorted_by: str, *, is_down: bool, is_words: bool) -> Head:
    is_sorted = column.key == sorted_by
    order = ("descending" if is_down else "ascending") if is_sorted else ""
    next_sign = "" if is_sorted and is_down else "-"
    return Head(column, f"?sort={next_sign}{sheet.key}.{column.key}#{sheet.key}", order, is_words)


def order_of(cell: Cell) -> tuple[int, Any]:
    """Sort key: empty cells first, then numbers, then text regardless of case."""
    if cell is None or cell == "":
        return 0, 0
    return (2, cell.casefold()) if isinstance(cell, str) else (1, cell)
