"""The cells of the spreadsheet."""

from collections.abc import Sequence
from html import escape

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString

from game.boards.sheets import Cell, Sheet, SheetRow
from game.engine.phrases import thousands

register = template.Library()

EXPLAINED_SHEETS = frozenset({"companies", "players"})  # tables whose rows are things that have figures


@register.simple_tag
def sheet_cells(cells: Sequence[Cell]) -> SafeString:
    """The cells of a row after its name; `data-sort` is what the script sorts by."""
    return SafeString("".join(map(cell_html, cells)))


@register.simple_tag(takes_context=True)
def explained_cells(context: Context, sheet: Sheet, row: SheetRow) -> SafeString:
    """The same cells; a figure that can be explained leads to what adds up to it."""
    explained = context["explained"] if sheet.key in EXPLAINED_SHEETS else ()
    game_id = context["game"].pk
    return SafeString(
        "".join(
            cell_html(cell, reverse("game_explanation", args=[game_id, column.key, row.key]))
            if column.key in explained and type(cell) is int
            else cell_html(cell)
            for column, cell in zip(sheet.columns, row.cells, strict=True)
        )
    )


def cell_html(cell: Cell, why: str = "") -> str:
    match cell:
        case None | "":
            return "<td></td>"
        case bool():
            return f'<td data-sort="{cell:d}">{"yes" if cell else "no"}</td>'
        case int():
            quiet = "" if cell else ' class="muted"'
            told = f'<a class="why" href="{why}">{thousands(cell)}</a>' if why else thousands(cell)
            return f'<td data-sort="{cell}"{quiet}>{told}</td>'
        case _:
            return f'<td class="l">{escape(cell.replace("_", " "))}</td>'
