"""Admin pages that show and never change: staff see what a stranger at the table sees, and cannot search for more."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

from accounts.models import User

M = TypeVar("M", bound=Model)


class ReadOnlyAdmin(admin.ModelAdmin[M]):
    """Rows as they are, for whoever is staff."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    lookups: tuple[str, ...] = ("game__id__exact",)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _is_staff(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_staff(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {"title": str(self.opts.verbose_name_plural).capitalize(), **(extra_context or {})})

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Django lets an address filter by any column of the row: enough to guess a secret letter by letter."""
        filters = [name for name in self.list_filter if isinstance(name, str)]
        return lookup in {*self.lookups, *filters, *(f"{name}__{way}" for name in filters for way in ("exact", "in", "isnull"))}


def moderator_of(request: HttpRequest) -> User:
    """Who is signed in: Django's own check of every admin page lets nobody else come so far."""
    assert isinstance(request.user, User)
    return request.user


def _is_staff(request: HttpRequest) -> bool:
    return request.user.is_active and request.user.is_staff
