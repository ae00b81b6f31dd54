"""Base of all admin pages: read-only, and URLs filter only by the columns that the page names."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

M = TypeVar("M", bound=Model)


class AdminPage(admin.ModelAdmin[M]):
    """The base of every admin page of this site; pages of other apps are replaced or removed. Staff change things by
    interventions, with a reason."""

    lookups: tuple[str, ...] = ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """By default, Django lets a URL filter by any column: enough to guess a secret letter by letter."""
        filters = [name for name in self.list_filter if isinstance(name, str)]
        return lookup in {
            *self.lookups,
            *filters,
            *(f"{name}__{operator}" for name in filters for operator in ("exact", "in", "isnull")),
        }

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The title is the plural name of the model."""
        return super().changelist_view(
            request, {"title": str(self.opts.verbose_name_plural).capitalize(), **(extra_context or {})}
        )

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
