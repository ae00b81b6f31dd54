"""The cells of the spreadsheet."""

from collections.abc import Sequence
from html import escape

from django import template
from django.utils.safestring import SafeString

from game.boards.sheets import Cell
from game.engine.phrases import thousands

register = template.Library()


@register.simple_tag
def sheet_cells(cells: Sequence[Cell]) -> SafeString:
    """The cells of a row after its name; `data-sort` is what the script sorts by."""
    return SafeString("".join(map(cell_html, cells)))


def cell_html(cell: Cell) -> str:
    match cell:
        case None | "":
            return "<td></td>"
        case bool():
            return f'<td data-sort="{cell:d}">{"yes" if cell else "no"}</td>'
        case int():
            quiet = "" if cell else ' class="muted"'
            return f'<td data-sort="{cell}"{quiet}>{thousands(cell)}</td>'
        case _:
            return f'<td class="l">{escape(cell.replace("_", " "))}</td>'
