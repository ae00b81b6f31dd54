"""Lists of the desk: cells with their column heading for phones, and the to-do counts."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Model, Q
from django.db.models.functions import Now
from django.template import Context, Library
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from game.chat.models import Report
from game.store.case_models import Case
from game.store.game import Game, Status
from game.store.moderation_models import SecondOpinion, number_of

register = Library()

OPEN = Q(closed_at=None)
TO_DO: tuple[tuple[type[Model], Q, str, str], ...] = (
    (Case, OPEN, "Open cases", ""),
    (Case, OPEN & Q(due_at__lte=Now()), "Cases overdue", "?state=late"),
    (Report, OPEN, "Reported messages not answered", ""),
    (SecondOpinion, Q(answer="", expires_at__gt=Now()), "Requests for a second person", "?answer__exact="),
    (Game, Q(status=Status.HELD), "Games on hold", f"?status__exact={Status.HELD}"),
)
"""Counts on the front page of the desk, with their lists."""


@register.simple_tag(takes_context=True)
def to_do(context: Context) -> list[tuple[str, str, int]]:
    """URL, title and count of each list that the reader may see."""
    lists = []
    for model, which, words, query in TO_DO:
        desk, place = admin.site.get_model_admin(model), model._meta
        if desk.has_view_permission(context["request"]):
            number = desk.get_queryset(context["request"]).filter(which).count()
            lists.append((reverse(f"admin:{place.app_label}_{place.model_name}_changelist") + query, words, number))
    return lists


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
