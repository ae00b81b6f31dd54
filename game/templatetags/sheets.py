"""Cells of the spreadsheet."""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from game.boards.sheets import Cell, Sheet, SheetRow
from game.engine.language import say
from game.engine.phrases import thousands
from game.templatetags.figures import way_to

register = template.Library()

EXPLAINED_SHEETS = frozenset({"companies", "players"})  # tables whose rows have explainable figures


@register.simple_tag
def sheet_cells(cells: Sequence[Cell]) -> SafeString:
    """The cells of a row after its name; the script sorts by `data-sort`."""
    return SafeString("".join(map(cell_html, cells)))


@register.simple_tag(takes_context=True)
def explained_cells(context: Context, sheet: Sheet, row: SheetRow) -> SafeString:
    """The same cells; figures with an explanation link to it."""
    if sheet.key not in EXPLAINED_SHEETS and not sheet.moment:
        return sheet_cells(row.cells)
    way = way_to(context["game"], sheet.moment or None)
    return SafeString(
        "".join(
            cell_html(cell, partial(way.of, column.key, row.key))
            for column, cell in zip(sheet.columns, row.cells, strict=True)
        )
    )


def cell_html(cell: Cell, figure: Callable[[str], str] = str) -> str:
    """A cell; `figure` formats a number."""
    match cell:
        case None | "":
            return "<td></td>"
        case bool():
            return f'<td data-sort="{cell:d}">{say("yes") if cell else say("no")}</td>'
        case int():
            quiet = "" if cell else ' class="muted"'
            return f'<td data-sort="{cell}"{quiet}>{figure(thousands(cell))}</td>'
        case _:
            return f'<td class="l">{escape(cell.replace("_", " "))}</td>'
