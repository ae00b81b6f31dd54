"""Read-only admin pages: staff see what a stranger sees, and cannot search for more."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.urls import URLPattern

from accounts.admin_pages import AdminPage, M
from accounts.models import User
from game.admin.addresses import with_numbers


class ReadOnlyAdmin(AdminPage[M]):
    """Rows as they are, for all staff."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    lookups: tuple[str, ...] = ("game__id__exact",)
    has_public_keys = False  # whether everybody may know the keys of its rows

    def get_urls(self) -> list[URLPattern]:
        own = super().get_urls()
        return own if self.has_public_keys else with_numbers(self.model, own)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _is_staff(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_staff(request)

    def find(self, request: HttpRequest, object_id: str, rows: QuerySet[M] | None = None) -> M:
        """The row of a URL, if this moderator may see it; otherwise 403 or 404."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        is_key = object_id.isdecimal() and len(object_id) < 18
        visible = self.get_queryset(request) if rows is None else rows
        row = visible.filter(pk=int(object_id)).first() if is_key else None
        if row is None:
            raise Http404(f"There is no such {self.opts.verbose_name}.")
        return row


def moderator_of(request: HttpRequest) -> User:
    """The signed-in user, whom Django has already checked for every admin page."""
    assert isinstance(request.user, User)
    return request.user


def _is_staff(request: HttpRequest) -> bool:
    return request.user.is_active and request.user.is_staff
