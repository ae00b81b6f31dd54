"""The spreadsheet of a game: everything the reader may know in sortable tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.boards.sheets import Cell, Column, Sheet, SheetRow
from game.engine.language import say
from game.history.explanations import figures_of
from game.history.ledger import may_read_books
from game.history.viewer import sight_of
from game.history.views import find_played
from game.play.pages import private

NAME = "name_of_row"  # the first column in `?sort=`
MAX_QUOTED_LENGTH = 80


class UnknownColumn(Exception):
    """The requested sort column does not exist; the text is for the reader."""


class Head(NamedTuple):
    """A column's head: the link that sorts by it, its current order, and whether the column contains words."""

    column: Column
    link: str
    order: str
    is_words: bool


class SortedTable(NamedTuple):
    """A table with its heads and its rows in the requested order."""

    sheet: Sheet
    heads: list[Head]
    rows: list[SheetRow]


@require_safe
def page(request: HttpRequest, game_id: int) -> HttpResponse:
    """All tables; `sort` names a column, as `companies.price`, with a leading minus for descending order."""
    game = find_played(request, game_id)
    sight = sight_of(game, request.user)
    try:
        tables = _sorted_tables(sight.sheets(), request.GET.get("sort", ""))
    except UnknownColumn as error:
        context = {"game": game, "why": str(error), "back": "game_spreadsheet"}
        return private(render(request, "history/no_such.html", context, status=400))
    context = sight.context("spreadsheet") | {
        "tables": tables,
        "has_books": may_read_books(game),
        "is_over": sight.is_over,
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
    return [_sort_table(sheet, column if sheet.key == key else "", is_down=is_descending) for sheet in filled_sheets]


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
    return SortedTable(sheet, heads, rows)


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
