"""Lists of the desk: cells with their column heading for phones."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Model
from django.template import Library
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from game.store.moderation_models import number_of

register = Library()


@register.filter
def row_number(row: Model) -> int:
    """The number of a row, as in its URL."""
    return number_of(row, row.pk)


@register.filter
def with_headings(cells: Iterable[SafeString], headers: Iterable[Mapping[str, Any]]) -> Iterator[SafeString]:
    """A row's cells as rendered by Django, `<td …>`, with their headings and a mark if they are empty."""
    for cell, header in zip(cells, headers, strict=True):
        is_box = isinstance(header["text"], SafeString)  # the heading of the checkbox column is a checkbox
        heading = "" if is_box else format_html(' data-heading="{}"', capfirst(header["text"]))
        is_bare = cell.count("<") == 2 and cell.endswith((">-</td>", "></td>"))
        yield SafeString(f"{cell[:3]}{heading}{' data-nothing' * is_bare}{cell[3:]}")
