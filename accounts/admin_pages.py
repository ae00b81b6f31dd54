"""Base of all admin pages: read-only, and URLs filter only by the columns that the page names."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse

M = TypeVar("M", bound=Model)
MOST_SEARCHED = 100  # letters
KEY_LENGTH = 18  # digits; every database holds them
TOO_LARGE = re.compile(rf"\d{{{KEY_LENGTH + 1}}}")


def is_key(text: str) -> bool:
    """Whether a row can have this key."""
    return text.isascii() and text.isdecimal() and len(text) <= KEY_LENGTH


class AdminPage(admin.ModelAdmin[M]):
    """The base of every admin page of this site; pages of other apps are replaced or removed. Staff change things by
    interventions, with a reason."""

    lookups: tuple[str, ...] = ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """By default, Django lets a URL filter by any column: enough to guess a secret letter by letter. A list of
        numbers may hold one that no column does, which breaks the statement."""
        if TOO_LARGE.search(str(value)):
            return False
        filters = [name for name in self.list_filter if isinstance(name, str)]
        return lookup in {
            *self.lookups,
            *filters,
            *(f"{name}__{operator}" for name in filters for operator in ("exact", "in", "isnull")),
        }

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[M], search_term: str) -> Any:
        """Every word is one more condition; a database refuses a statement with thousands."""
        return super().get_search_results(request, queryset, search_term[:MOST_SEARCHED])

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The title is the plural name of the model."""
        return super().changelist_view(
            request, {"title": str(self.opts.verbose_name_plural).capitalize(), **(extra_context or {})}
        )

    def response_action(self, request: HttpRequest, queryset: QuerySet[M], *place: Any, **more: Any) -> Any:
        """Only keys can be ticked: Django's own code breaks at anything else."""
        ticked = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if not all(map(is_key, ticked)):
            raise BadRequest("What is ticked is no row.")
        return super().response_action(request, queryset, *place, **more)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
