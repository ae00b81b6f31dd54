"""Admin pages that show and never change: staff see what a stranger sees, and cannot search for more."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.lookups import AllowedLookups, M
from accounts.models import User


class ReadOnlyAdmin(AllowedLookups[M]):
    """Rows as they are, for all staff."""

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
        return super().changelist_view(
            request, {"title": str(self.opts.verbose_name_plural).capitalize(), **(extra_context or {})}
        )


def moderator_of(request: HttpRequest) -> User:
    """Who is signed in: Django's own check of every admin page lets nobody else come so far."""
    assert isinstance(request.user, User)
    return request.user


def _is_staff(request: HttpRequest) -> bool:
    return request.user.is_active and request.user.is_staff
