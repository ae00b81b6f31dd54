"""The lists of the desk: each cell knows the heading of its column, which a phone shows beside it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.template import Library
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst

register = Library()


@register.filter
def with_headings(cells: Iterable[SafeString], headers: Iterable[Mapping[str, Any]]) -> Iterator[SafeString]:
    """The cells of a row as Django draws them, `<td …>`, each with its heading, and whether there is nothing in it."""
    for cell, header in zip(cells, headers, strict=True):
        is_box = isinstance(header["text"], SafeString)  # the column of boxes to tick has a box for its heading
        heading = "" if is_box else format_html(' data-heading="{}"', capfirst(header["text"]))
        is_bare = cell.count("<") == 2 and cell.endswith((">-</td>", "></td>"))
        yield SafeString(f"{cell[:3]}{heading}{' data-nothing' * is_bare}{cell[3:]}")
